// Fuzzes the readers of Lockstep's own files: schedules, models, results. Most mutated files get a new valid
// seal. The checksums of HDF5 itself stay wrong, since libhdf5 1.10 crashes on some files with valid
// checksums.
#include <cstring>
#include <vector>

#include "fuzz.hpp"
#include "lockstep/formats/file_mark.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/result_summary.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "seal.hpp"

using namespace lockstep;

namespace {

class InMemory : public hdf5::Storage {
public:
    InMemory(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    int read(std::uint64_t offset, void* into, std::size_t size) noexcept override {
        if (offset > size_ || size > size_ - offset) return EIO;
        std::memcpy(into, data_ + offset, size);
        return 0;
    }

private:
    const std::uint8_t* data_;
    std::size_t size_;
};

/// Appends a valid seal after the first `length` bytes, if it fits. Returns the new size.
std::size_t seal_again(std::uint8_t* data, std::size_t length, std::size_t max_size) {
    InMemory storage(data, length);
    const std::vector<std::byte> seal = hdf5::make_seal(storage, length);
    if (length == 0 || seal.size() > max_size - length) return length;
    std::memcpy(data + length, seal.data(), seal.size());
    return length + seal.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Source input(data, size);
    const std::uint8_t reader = input.byte();
    const auto path = fuzz::scratch_file("input.h5", input.rest());
    fuzz::try_to([&] {
        switch (reader % 6) {
            case 0:
                read_schedule_file(path);
                break;
            case 1:
                read_schedule_file_summary(path);
                break;
            case 2:
                read_model(path);
                break;
            case 3:
                read_result(path);
                break;
            case 4:
                read_result_summary(path);
                break;
            default:
                is_lockstep_file(path, "lockstep-model");
        }
    });
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
    constexpr std::size_t prefix = 1, seal_bytes = 56;  // size of the seal of a file of up to 64 KiB
    if (seed % 8 == 0 || size <= prefix + seal_bytes) return LLVMFuzzerMutate(data, size, max_size);
    const std::size_t length = LLVMFuzzerMutate(data, size - seal_bytes, max_size);
    return length <= prefix ? length : prefix + seal_again(data + prefix, length - prefix, max_size - prefix);
}
