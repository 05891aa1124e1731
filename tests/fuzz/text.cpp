// Fuzzes the readers of all text formats, plain and compressed.
#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* suffixes[] = {"",       ".txt", ".csv",  ".tsv",   ".mtx", ".gr",
                                               ".graph", ".dat", ".data", ".libmf", ".wel", ".col"};
    lockstep::fuzz::read_graph({data, size}, suffixes);
    return 0;
}
