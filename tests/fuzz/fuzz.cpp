#include "fuzz.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

/// Suppresses leaks in libhdf5, which does not free all of its memory after reading a damaged file.
extern "C" const char* __lsan_default_suppressions();  // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace lockstep::fuzz {
namespace fs = std::filesystem;

std::uint8_t Source::byte() {
    if (bytes_.empty()) return 0;
    const auto first = static_cast<std::uint8_t>(bytes_.front());
    bytes_.remove_prefix(1);
    return first;
}

std::uint64_t Source::number() {
    const std::uint8_t first = byte();
    if (first < 0xf8) return first;
    std::uint64_t value = 0;
    for (int left = first - 0xf7; left > 0; --left) value = value << 8 | byte();
    return value;
}

void require(bool holds, const char* property) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: this does not hold: %s\n", property);
    std::abort();
}

namespace {

/// A temporary folder, in memory if possible. It is removed at the end of the process, unless a finding
/// aborts it.
class Folder {
public:
    Folder() {
        const fs::path memory = "/dev/shm";
        std::string pattern = ((access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) /
                               "lockstep-fuzz-XXXXXX")
                                  .string();
        if (!mkdtemp(pattern.data())) std::abort();
        path = pattern;
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    fs::path path;
};

}  // namespace

fs::path scratch_file(const std::string& name, std::string_view bytes) {
    static const Folder folder;
    fs::path path = folder.path / name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
}

}  // namespace lockstep::fuzz
