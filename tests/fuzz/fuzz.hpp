// Functions that the fuzzers share. A target is one file with LLVMFuzzerTestOneInput, which passes the bytes
// to a reader. The reader must return or throw lockstep::Error; anything else ends the program and is a
// finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "lockstep/schedules/error.hpp"

/// Functions of the interface of libFuzzer. LLVMFuzzerCustomMutator is optional.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace lockstep::fuzz {

/// Memory limit in bytes that readers are given. The limits of libFuzzer are higher.
inline constexpr std::uint64_t memory_limit = std::uint64_t{256} << 20;

/// An input, consumed from its front. All bytes after its end are zero.
class Source {
public:
    Source(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}

    bool empty() const { return bytes_.empty(); }
    std::uint8_t byte();
    std::uint64_t number();  ///< consumes one to nine bytes; small numbers are more frequent
    std::string_view rest() const { return bytes_; }

private:
    std::string_view bytes_;
};

/// If the property does not hold, prints it and aborts the program.
void require(bool holds, const char* property);

/// Writes a file with these bytes into the temporary folder of the process, replacing a file of the same
/// name. Returns its path.
std::filesystem::path scratch_file(const std::string& name, std::string_view bytes = {});

/// Calls `read`, which may return, or throw an Error with a message and exit code 2 or 4.
template <class Read>
void try_to(Read&& read) {
    try {
        read();
    } catch (const Error& e) {
        require(e.failure() == Failure::bad_input || e.failure() == Failure::usage,
                "what is wrong with an input is told with exit code 2 or 4");
        require(*e.what() != '\0', "a refusal has a message");
    }
}

/// Reads the input as a graph file. Its first four bytes select the suffix of the name, the ReadOptions and
/// the compression; the rest are the contents. If the reader accepts it, the graph must be valid, and every
/// vertex must be found by its id.
void read_graph(Source input, std::span<const char* const> suffixes);

}  // namespace lockstep::fuzz
