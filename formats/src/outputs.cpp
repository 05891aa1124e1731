#include "lockstep/formats/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "lockstep/formats/error.hpp"

namespace lockstep {

std::string partial_path(const std::string& path) {
    const std::filesystem::path whole(path);
    const std::string end = ".partial" + whole.extension().string();
    constexpr std::size_t most = 255;  // maximum length of a file name
    const std::string stem = whole.stem().string().substr(0, most - std::min(most, end.size()));
    return (whole.parent_path() / stem).string() + end;
}

void refuse_standard_input(const std::string& path, const char* what) {
    if (path == "-")
        throw UsageError(fmt::format(
            "-: {} is an HDF5 file, which cannot be read from standard input; name a file", what));
}

}  // namespace lockstep
