// Fuzzes the readers of binary graphs: GAPBS, Galois, cuMF.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* suffixes[] = {".sg", ".wsg", ".gr", ".bin"};
    lockstep::fuzz::read_graph({data, size}, suffixes);
    return 0;
}
