// What the fuzzers share. A target is one file with LLVMFuzzerTestOneInput: it hands the bytes to a reader,
// which returns or throws lockstep::Error; whatever else happens ends the program and is a find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "lockstep/schedules/error.hpp"

/// libFuzzer's interface. The second one is optional.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed);
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace lockstep::fuzz {

/// Memory that a reader is told to do with; libFuzzer's own limits lie above.
inline constexpr std::uint64_t memory_limit = std::uint64_t{256} << 20;

/// An input, taken from its front. Past its end there are zeros.
class Source {
public:
    Source(const std::uint8_t* data, std::size_t size) : bytes_(reinterpret_cast<const char*>(data), size) {}

    bool empty() const { return bytes_.empty(); }
    std::uint8_t byte();
    std::uint64_t number();  ///< of one to nine bytes, small ones more often
    std::string_view rest() const { return bytes_; }

private:
    std::string_view bytes_;
};

/// Ends the program, naming the property that does not hold.
void require(bool holds, const char* property);

/// A file of this name with these bytes, in a folder of the process in memory; the next call replaces it.
std::filesystem::path scratch_file(const std::string& name, std::string_view bytes = {});

/// Runs `read`; a refusal with exit code 2 or 4 is as good as a result.
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

/// Reads the input as a graph file: four bytes choose the name among `suffixes`, what the user asks for
/// (ReadOptions) and what it is packed in; the rest are its bytes. What is accepted must be a valid graph
/// with ids that are found.
void read_graph(Source input, std::span<const char* const> suffixes);

}  // namespace lockstep::fuzz
