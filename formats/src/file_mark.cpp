#include "file_mark.hpp"

#include "hdf5.hpp"

namespace lockstep {

bool is_lockstep_file(const std::filesystem::path& path, std::string_view format) noexcept {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false;  // a pipe can be read once, not by a question
    try {
        return hdf5::reading(path, [&] { return hdf5::Reader(path, format), true; });
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace lockstep
