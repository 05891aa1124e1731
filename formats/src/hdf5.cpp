#include "hdf5.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include "lockstep/formats/hash.hpp"
#include "schema.hpp"

namespace lockstep::hdf5 {

namespace {

std::recursive_mutex hdf5_mutex;

/// Returns the innermost message in HDF5's error stack, which describes the cause of the error.
std::string innermost_message() {
    std::string message;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned n, const H5E_error2_t* error, void* text) -> herr_t {
            if (n == 0 && error->desc) *static_cast<std::string*>(text) = error->desc;
            return 0;
        },
        &message);
    return message;
}

/// Returns whether HDF5's error stack contains a failed allocation.
bool memory_failed() {
    bool failed = false;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned, const H5E_error2_t* error, void* found) -> herr_t {
            if (error->maj_num == H5E_RESOURCE &&
                (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC)) {
                *static_cast<bool*>(found) = true;
            }
            return 0;
        },
        &failed);
    return failed;
}

/// Returns the attribute `name` if it has type T. Throws Hdf5Error otherwise; `kind` describes T.
template <class T>
const T& typed(const Node& node, const std::string& name, const char* kind) {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) {
        throw Hdf5Error(fmt::format("{} has no attribute '{}'; is the file complete?",
                                    node.path.empty() ? "/" : node.path, name));
    }
    const T* value = std::get_if<T>(&found->second);
    if (!value) throw Hdf5Error(fmt::format("attribute '{}' of {}/ is not {}", name, node.path, kind));
    return *value;
}

[[noreturn]] void out_of_range(const Node& node, const std::string& name, const std::string& found,
                               const char* expected) {
    throw Hdf5Error(
        fmt::format("attribute '{}' of {}/ is {}; expected {}", name, node.path, found, expected));
}

/// Adds the attributes of a node and of all its children to the hash.
void hash_node(ContentHash& hash, const Node& node) {
    const auto add_integer = [&](std::int64_t v) { hash.add(std::span<const std::int64_t>(&v, 1)); };
    hash.add(node.path);
    add_integer(node.is_array);
    for (const auto& [name, value] : node.attributes) {
        if (node.path.empty() && name == schema::content_hash) continue;
        hash.add(name);
        add_integer(static_cast<std::int64_t>(value.index()));
        std::visit(
            [&](const auto& v) {
                using V = std::decay_t<decltype(v)>;
                if constexpr (std::is_same_v<V, std::string>)
                    hash.add(v);
                else if constexpr (std::is_same_v<V, std::vector<std::int64_t>>)
                    hash.add(std::span(v));
                else
                    hash.add(std::span<const V>(&v, 1));
            },
            value);
    }
    for (const auto& [name, child] : node.children) hash_node(hash, child);
}

}  // namespace

Hdf5ErrorSilencer::Hdf5ErrorSilencer() : exceptions_(std::uncaught_exceptions()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5ErrorSilencer::~Hdf5ErrorSilencer() {
    // After an error, printing stays off: HDF5 1.10 loses some memory when it finds a damaged object, and
    // would report this at the exit of the program.
    if (std::uncaught_exceptions() == exceptions_) H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

Session::Session() : alone_(hdf5_mutex) {
    require_memory();
    check(H5open(), "HDF5 cannot be started");
    H5PLget_loading_state(&plugins_);
    check(H5PLset_loading_state(0), "HDF5's plugins cannot be turned off");
}

Session::~Session() { H5PLset_loading_state(plugins_); }

template <class Result>
Result check(Result result, std::string_view what) {
    if (result < 0) fail(what);
    return result;
}
template int check(int, std::string_view);
template std::int64_t check(std::int64_t, std::string_view);
template long long check(long long, std::string_view);

void require_memory() {
    // Enough for the caches and buffers of HDF5, including two chunks of the maximum size.
    constexpr std::size_t address_bytes = 64 << 20;
    void* const memory =
        mmap(nullptr, address_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    munmap(memory, address_bytes);
}

void fail(std::string_view what) {
    if (memory_failed()) throw OutOfMemory();
    const std::string inner = innermost_message();
    throw Hdf5Error(inner.empty() ? std::string(what) : fmt::format("{} (HDF5: {})", what, inner));
}

template <>
ArrayTypes array_types<std::uint64_t>() {
    return {H5T_NATIVE_UINT64, {H5T_STD_U64LE, H5T_STD_U32LE}};
}
template <>
ArrayTypes array_types<std::int64_t>() {
    return {H5T_NATIVE_INT64, {H5T_STD_I64LE}};
}
template <>
ArrayTypes array_types<std::uint32_t>() {
    return {H5T_NATIVE_UINT32, {H5T_STD_U32LE}};
}
template <>
ArrayTypes array_types<float>() {
    return {H5T_NATIVE_FLOAT, {H5T_IEEE_F32LE}};
}
template <>
ArrayTypes array_types<char>() {
    return {H5T_NATIVE_UINT8, {H5T_STD_U8LE}};
}

const std::string& Node::text(const std::string& name) const {
    return typed<std::string>(*this, name, "text");
}

std::int64_t Node::integer(const std::string& name) const {
    return typed<std::int64_t>(*this, name, "a 64-bit integer");
}

const std::vector<std::int64_t>& Node::integers(const std::string& name) const {
    return typed<std::vector<std::int64_t>>(*this, name, "an array of 64-bit integers");
}

EdgeId Node::count(const std::string& name) const {
    const std::int64_t value = integer(name);
    if (value < 0) out_of_range(*this, name, std::to_string(value), "a count, not below 0");
    return static_cast<EdgeId>(value);
}

VertexId Node::vertices(const std::string& name) const {
    const EdgeId value = count(name);
    if (value > max_vertices)
        out_of_range(*this, name, std::to_string(value), "fewer than 2^32 - 1 vertices");
    return static_cast<VertexId>(value);
}

bool Node::flag(const std::string& name) const {
    const std::int64_t value = integer(name);
    if (value != 0 && value != 1) out_of_range(*this, name, std::to_string(value), "0 or 1");
    return value == 1;
}

double Node::real(const std::string& name) const {
    const double value = typed<double>(*this, name, "a 64-bit float");
    if (!std::isfinite(value)) out_of_range(*this, name, std::to_string(value), "a finite number");
    return value;
}

double Node::number(const std::string& name) const {
    const double value = real(name);
    if (value < 0) out_of_range(*this, name, std::to_string(value), "a finite number, not below 0");
    return value;
}

std::size_t Node::choice(const std::string& name, std::span<const std::string_view> words) const {
    const std::string& word = text(name);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end()) {
        out_of_range(*this, name, '"' + word + '"',
                     fmt::format("one of: {}", fmt::join(words, ", ")).c_str());
    }
    return static_cast<std::size_t>(found - words.begin());
}

const Node& Node::child(const std::string& name) const {
    const auto found = children.find(name);
    if (found == children.end() || found->second.is_array) {
        throw Hdf5Error(fmt::format("there is no group {}/{}; is the file complete?", path, name));
    }
    return found->second;
}

bool Node::has_array(const std::string& name) const {
    const auto found = children.find(name);
    if (found == children.end()) return false;
    if (!found->second.is_array)
        throw Hdf5Error(fmt::format("{}/{} is a group; expected a dataset", path, name));
    return true;
}

std::string Node::array_hash(const std::string& below) const {
    if (const std::size_t slash = below.find('/'); slash != below.npos)
        return child(below.substr(0, slash)).array_hash(below.substr(slash + 1));
    return has_array(below) ? children.at(below).text(schema::hash) : std::string();
}

std::string attribute_hash(const Node& root) {
    ContentHash hash;
    hash_node(hash, root);
    return hash.hex();
}

}  // namespace lockstep::hdf5
