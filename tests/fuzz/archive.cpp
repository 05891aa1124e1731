// Fuzzes the readers of compressed and archived text. The bytes are not repaired, so most checksums are
// wrong.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* suffixes[] = {".txt.gz", ".csv.bz2", ".mtx.xz", ".dat.zst",
                                               ".tar.gz", ".zip",     ".tar",    ".7z"};
    lockstep::fuzz::read_graph({data, size}, suffixes);
    return 0;
}
