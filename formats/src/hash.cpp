#include "lockstep/formats/hash.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL  // compiles the functions into this file, so that no library must be linked or shipped
#include <xxhash.h>

#include <cstdint>
#include <new>

namespace lockstep {

Digest digest(std::span<const std::byte> bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.low64, hash.high64};
}

struct ContentHash::State {
    State() {
        if (!xxh || XXH3_128bits_reset(xxh.get()) != XXH_OK) throw std::bad_alloc();
    }
    struct Free {
        void operator()(XXH3_state_t* s) const { XXH3_freeState(s); }
    };
    std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {}
ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;

void ContentHash::add(std::span<const std::byte> bytes) {
    const std::uint64_t size = bytes.size();
    XXH3_128bits_update(state_->xxh.get(), &size, sizeof size);
    XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

std::string ContentHash::hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_->xxh.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace lockstep
