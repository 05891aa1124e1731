// HDF5 wrapped once, on checked calls (hdf5_handle.hpp): attributes as a tree, arrays as vectors.
//
// A file is groups, datasets of rank 1 or 2, and attributes of four kinds; nothing else is written and
// nothing else is read. `Writer` makes it, `Reader` checks it before a byte of it is used.
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

/// HDF5's types of an array of T in {uint64, int64, uint32, float, char}: in memory, and those it may
/// have in a file, the widest first (64-bit unsigned values go as 32 bits where all fit).
struct ArrayTypes {
    hid_t memory;
    std::vector<hid_t> file;
};
template <class T>
ArrayTypes array_types();

/// What an attribute may hold.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// The attributes of a file, object by object. Getters throw Failed when the attribute is missing, of
/// another kind or out of its range.
struct Node {
    std::string path;  ///< "/graph"; "" for the root
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
    EdgeId count(const std::string& name) const;       ///< an integer >= 0
    VertexId vertices(const std::string& name) const;  ///< an integer from 0 to max_vertices
    bool flag(const std::string& name) const;          ///< 0 or 1
    double real(const std::string& name) const;        ///< finite
    double number(const std::string& name) const;      ///< finite and >= 0
    const std::vector<std::int64_t>& integers(const std::string& name) const;
    /// Position of the text among the words allowed.
    std::size_t choice(const std::string& name, std::span<const std::string_view> words) const;

    const Node& child(const std::string& name) const;
    bool has_array(const std::string& name) const;
    /// Hash of the array at this path below, "" where it is absent (and so empty).
    std::string array_hash(const std::string& path) const;
};

/// Hash of all attributes of a tree, save the root's own content hash.
std::string attribute_hash(const Node& root);

/// A new file. Arrays are written at once, attributes at the end by `commit`; without it nothing is
/// left behind. Throws Failed or OutputError.
class Writer {
public:
    /// `deflate` 0–9; 0 writes no compression.
    Writer(const std::filesystem::path& path, std::string_view format, int deflate);
    ~Writer();

    /// The attributes of an object "graph/row_ids", made where it is not there yet.
    Node& node(const std::string& path = {});
    /// Writes an array; width > 0 gives it rank 2 and rows of this many entries. Empty arrays are left out.
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
    bool as_written;  ///< cut into these chunks, with no filter but Fletcher32: threads can read them
    std::string hash{};
};

/// Entries [begin, end) of an array.
struct EntryRange {
    std::uint64_t begin, end;
};

class SealedFile;

/// An existing file: its bytes checked against its seal, opened, walked and its attributes checked against
/// the content hash.
class Reader {
public:
    /// `format` empty takes any of Lockstep's.
    explicit Reader(const std::filesystem::path& path, std::string_view format = {});
    ~Reader();

    const Node& root() const { return root_; }
    /// The array at `path`, empty where it is absent. `count` is the number of entries (of rows, where
    /// width > 0) that it must have. Bounded before allocation by what the file stores and by memory, and
    /// checked against its hash after.
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
    /// Some of its entries: those of `ranges`, which ascend, one behind the other. Their chunks alone are
    /// read, and checked by the seal and their checksums instead of the hash.
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
    /// How many they are. Throws Failed where they do not ascend inside of the array.
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

/// Runs `body` in a Session and gives its errors the path of the file.
template <class Body>
auto reading(const std::filesystem::path& path, Body&& body) {
    try {
        const Session session;
        try {
            return body();
        } catch (const OutOfMemory&) {
            require_memory();  // there is some, then: it was the file that asked for too much
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
