// HDF5 wrapper based on checked calls (hdf5_handle.hpp): attributes as a tree, arrays as vectors.
//
// A file consists of groups, datasets of rank 1 or 2, and attributes of four types. Nothing else is written,
// and nothing else is read. `Writer` creates a file; `Reader` checks a file before any of its bytes are used.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "chunks.hpp"
#include "hdf5_handle.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/pages.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::hdf5 {

/// HDF5's types for an array of T in {uint64, int64, uint32, float, char}: the type in memory, and the
/// possible types in a file, the widest first (64-bit unsigned values are stored as 32 bits if all fit).
struct ArrayTypes {
    hid_t memory;
    std::vector<hid_t> file;
};
template <class T>
ArrayTypes array_types();

/// Types that an attribute may have.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// The attributes of an object, and its child objects. Getters throw Failed if the attribute is missing, has
/// another type or is out of range.
struct Node {
    std::string path;  ///< path of the object: "/graph"; "" for the root
    bool is_array = false;
    std::map<std::string, Value> attributes;
    std::map<std::string, Node> children;

    void set(const std::string& name, const std::string& value) { attributes[name] = value; }
    void set(const std::string& name, const char* value) { attributes[name] = std::string(value); }
    void set(const std::string& name, double value) { attributes[name] = value; }
    void set(const std::string& name, const std::vector<std::int64_t>& value) { attributes[name] = value; }
    void set(const std::string& name, bool value) { attributes[name] = std::int64_t{value}; }
    template <std::integral T>
    void set(const std::string& name, T value) {
        attributes[name] = checked_cast<std::int64_t>(value, name.c_str());
    }

    const std::string& text(const std::string& name) const;
    std::int64_t integer(const std::string& name) const;
    EdgeId count(const std::string& name) const;       ///< returns an integer ≥ 0
    VertexId vertices(const std::string& name) const;  ///< returns an integer from 0 to max_vertices
    bool flag(const std::string& name) const;          ///< returns an integer that is 0 or 1
    double real(const std::string& name) const;        ///< returns a finite number
    double number(const std::string& name) const;      ///< returns a finite number ≥ 0
    const std::vector<std::int64_t>& integers(const std::string& name) const;
    /// Returns the index of the text among the allowed words.
    std::size_t choice(const std::string& name, std::span<const std::string_view> words) const;

    const Node& child(const std::string& name) const;
    bool has_array(const std::string& name) const;
    /// Returns the hash of the array at this relative path; "" if the array is absent, and so empty.
    std::string array_hash(const std::string& path) const;
};

/// Returns the hash of all attributes of a tree except the root's own content hash.
std::string attribute_hash(const Node& root);

/// A new file. Arrays are written immediately, attributes at the end by `commit`. Without `commit`, no file
/// is left behind. Throws Failed or OutputError.
class Writer {
public:
    /// Creates the file. `deflate` is the compression level from 0 (off) to 9.
    Writer(const std::filesystem::path& path, std::string_view format, int deflate);
    ~Writer();

    /// Returns the attributes of an object such as "graph/row_ids", which is created if it does not exist.
    Node& node(const std::string& path = {});
    /// Writes an array. If width > 0, it has rank 2 and rows of `width` entries. Empty arrays are left out.
    template <class T>
    void write(const std::string& path, std::span<const T> values, std::uint64_t width = 0);
    void commit();

private:
    struct Output;
    void group(const std::string& path);
    Handle make_dataset(const std::string& path, hid_t type, const std::vector<hsize_t>& extent,
                        const std::vector<hsize_t>& chunk);
    template <class T>
    std::string write_chunks(hid_t dataset, const Chunks& chunks, std::span<const T> values,
                             std::uint64_t width);
    void start_flushing() noexcept;
    void write_attributes(const Node& node);
    void check_output() const;

    std::unique_ptr<Output> output_;
    File file_;
    int deflate_;
    Node root_;
    std::set<std::string> groups_;
};

/// A dataset that was checked and may be read.
struct StoredArray {
    std::string path;
    Handle dataset;
    std::vector<hsize_t> extent;
    Chunks chunks;
    /// Stored in these chunks with no filter but Fletcher32, so that threads can read them directly.
    bool as_written;
    std::string hash{};
};

/// Entries [begin, end) of an array.
struct EntryRange {
    std::uint64_t begin, end;
};

class SealedFile;

/// An existing file. The constructor checks the bytes against the seal, opens the file, visits all objects
/// and checks the attributes against the content hash.
class Reader {
public:
    /// Opens a file of format `format`; an empty `format` accepts any format of Lockstep.
    explicit Reader(const std::filesystem::path& path, std::string_view format = {});
    ~Reader();

    const Node& root() const { return root_; }
    /// Returns the array at `path`; an absent array is empty. `count` is the required number of entries (of
    /// rows, if width > 0). The size is checked before allocation against the stored bytes and the memory,
    /// and the content is checked against its hash after reading.
    template <class Container>
    Container read(const std::string& path, std::optional<std::uint64_t> count = {},
                   std::uint64_t width = 0) {
        using T = typename Container::value_type;
        Container values;
        if (const std::optional<StoredArray> array = find_array(path, count, width, array_types<T>())) {
            take_memory(*array, array->chunks.entries * sizeof(T));
            values.reserve(array->chunks.entries);
            populate(values.data(), array->chunks.entries * sizeof(T));
            values.resize(array->chunks.entries);
            read_array(*array, std::span<T>(values));
        }
        return values;
    }
    /// Returns the entries of `ranges`, which must ascend, concatenated. Only the chunks that contain them
    /// are read. They are checked by the seal and their checksums instead of the hash.
    template <class Container>
    Container read(const std::string& path, const std::vector<EntryRange>& ranges) {
        using T = typename Container::value_type;
        Container values;
        if (const std::optional<StoredArray> array = find_array(path, {}, 0, array_types<T>())) {
            const std::uint64_t entries = entries_of(*array, ranges);
            take_memory(*array, entries * sizeof(T));
            values.resize(entries);
            read_ranges(*array, ranges, std::span<T>(values));
        }
        return values;
    }

private:
    void check_version(std::string_view format);
    void walk(Node& node, hid_t object, int depth);
    void read_attributes(Node& node, hid_t object);
    StoredArray check_array(const std::string& path, Handle dataset, const ArrayTypes& types);
    std::optional<StoredArray> find_array(const std::string& path, std::optional<std::uint64_t> count,
                                          std::uint64_t width, const ArrayTypes& types);
    void take_memory(const StoredArray& array, std::uint64_t bytes);
    /// Returns the number of entries in the ranges. Throws Failed if the ranges do not ascend within the
    /// array.
    static std::uint64_t entries_of(const StoredArray& array, const std::vector<EntryRange>& ranges);
    template <class T>
    void read_array(const StoredArray& array, std::span<T> values);
    template <class T>
    void read_ranges(const StoredArray& array, const std::vector<EntryRange>& ranges, std::span<T> values);
    template <class T>
    std::string read_chunks(const StoredArray& array, std::span<T> values);

    std::unique_ptr<SealedFile> bytes_;
    File file_;
    Node root_;
    std::uint64_t memory_left_ = 0;
    unsigned objects_ = 0, attributes_ = 0;
};

/// Runs `body` in a Session and adds the path of the file to its errors.
template <class Body>
auto reading(const std::filesystem::path& path, Body&& body) {
    try {
        const Session session;
        try {
            return body();
        } catch (const OutOfMemory&) {
            require_memory();  // throws if memory is short; otherwise the file requested too much
            throw Failed("asks for more memory than there is: it is damaged or was changed");
        }
    } catch (const FormatError&) {
        throw;
    } catch (const ScheduleError&) {
        throw;
    } catch (const Error& e) {
        throw FormatError(path.string(), e.what());
    }
}
template <class Body>
auto writing(const std::filesystem::path& path, Body&& body) {
    try {
        const Session session;
        return body();
    } catch (const OutputError&) {
        throw;
    } catch (const Error& e) {
        throw OutputError(path.string(), e.what());
    }
}

}  // namespace lockstep::hdf5
