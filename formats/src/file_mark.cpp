#include "lockstep/formats/file_mark.hpp"

#include "hdf5.hpp"

namespace lockstep {

bool is_lockstep_file(const std::filesystem::path& path, std::string_view format) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false;  // a pipe can be read only once, so it is not opened here
    try {
        return hdf5::reading(path, [&] { return hdf5::Reader(path, format), true; });
    } catch (const FormatError&) {  // a file of another kind or a damaged one; other errors propagate
        return false;
    }
}

}  // namespace lockstep
