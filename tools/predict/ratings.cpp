#include "ratings.hpp"

#include "cli.hpp"
#include "lockstep/formats/feedback.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::predict {

Dataset read_ratings(const std::filesystem::path& path, ReadOptions reading) {
    reading.ids_are_matched = true;
    InputFile file(path, cli::check_signal);
    if (!file.is_lockstep_hdf5()) return read_dataset(file, reading);
    return remove_drawn_pairs(read_schedule_file(path, std::vector<std::string>{}).dataset);
}

}  // namespace lockstep::predict
