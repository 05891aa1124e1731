// Wrapper of the HDF5 library for reading and writing Lockstep's files. Attributes are a tree of nodes,
// arrays are vectors. Every call of the library is checked (hdf5_handle.hpp).
//
// A file consists of groups, datasets of one or two dimensions, and attributes of four types. `Writer` writes
// nothing else, and `Reader` refuses anything else. `Reader` checks a file before any of its data are used,
// since the file may be damaged or malicious.
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

/// The HDF5 types for an array of T, which is uint64, int64, uint32, float or char. `memory` is the type in
/// memory. `file` contains the possible types in a file, the widest first: unsigned 64-bit integers are
/// stored with 32 bits if they all fit.
struct ArrayTypes {
    hid_t memory;
    std::vector<hid_t> file;
};
template <class T>
ArrayTypes array_types();

/// The types that an attribute may have.
using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// An object of a file (a group or an array), with its attributes and its child objects. The functions that
/// return an attribute throw Hdf5Error if it is missing, has another type, or is out of range.
struct Node {
    std::string path;  ///< path of the object, such as "/graph"; "" for the root group
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
    EdgeId count(const std::string& name) const;  ///< returns the attribute, an integer ≥ 0
    /// Returns the attribute, an integer from 0 to max_vertices.
    VertexId vertices(const std::string& name) const;
    bool flag(const std::string& name) const;  ///< returns the attribute, an integer that is 0 or 1, as bool
    double real(const std::string& name) const;    ///< returns the attribute, a finite number
    double number(const std::string& name) const;  ///< returns the attribute, a finite number ≥ 0
    const std::vector<std::int64_t>& integers(const std::string& name) const;
    /// Returns the index in `words` of the attribute, which must be one of these words.
    std::size_t choice(const std::string& name, std::span<const std::string_view> words) const;

    const Node& child(const std::string& name) const;
    bool has_array(const std::string& name) const;
    /// Returns the stored hash of the array at this relative path, or "" if the file has no such array,
    /// because it is empty.
    std::string array_hash(const std::string& path) const;
};

/// Returns the hash of all attributes in a tree, except the content hash of the root, in which the result is
/// stored.
std::string attribute_hash(const Node& root);

/// Writes a new file. Arrays are written immediately, attributes by commit(). Without commit(), no file is
/// left behind. Throws Hdf5Error or OutputError.
class Writer {
public:
    /// Creates the file. `format` is the name of the format, and `deflate` the compression level from 0
    /// (none) to 9.
    Writer(const std::filesystem::path& path, std::string_view format, int deflate);
    ~Writer();

    /// Returns the node of an object such as "graph/row_ids". Creates the node if it does not exist.
    Node& node(const std::string& path = {});
    /// Writes an array. If `width` is positive, the array is written with two dimensions, as rows of `width`
    /// entries. Empty arrays are not written.
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

/// A dataset of a file that was checked, so that its data can be read.
struct StoredArray {
    std::string path;
    Handle dataset;
    std::vector<hsize_t> extent;
    Chunks chunks;
    /// Whether the data have the chunks that `chunks` describes and no filter but Fletcher32, so that threads
    /// can read the bytes without HDF5.
    bool as_written;
    std::string hash{};
};

/// The entries begin … end - 1 of an array.
struct EntryRange {
    std::uint64_t begin, end;
};

class SealedFile;

/// Reads an existing file. The constructor checks the hash of all bytes that it reads (the seal, see
/// seal.hpp), visits all objects, and checks the attributes against the content hash.
class Reader {
public:
    /// Opens a file with the format name `format`. If `format` is empty, any format of Lockstep is accepted.
    explicit Reader(const std::filesystem::path& path, std::string_view format = {});
    ~Reader();

    const Node& root() const { return root_; }
    /// Returns the array at `path`; an array that does not exist is empty. `count` is the required number of
    /// entries, or of rows if `width` is positive. The size is checked against the stored bytes and the
    /// available memory before memory is allocated, and the contents are checked against their hash.
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
    /// Returns the entries in `ranges`, concatenated. The ranges must ascend. Only the chunks that contain
    /// these entries are read. They are checked against the seal and their checksums, since the hash covers
    /// only complete arrays.
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
    /// Returns the total number of entries in the ranges. Throws Hdf5Error unless the ranges ascend and lie
    /// within the array.
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

/// Calls body() in a Session. Adds the path of the file to errors, and throws them as FormatError.
template <class Body>
auto reading(const std::filesystem::path& path, Body&& body) {
    try {
        const Session session;
        try {
            return body();
        } catch (const OutOfMemory&) {
            require_memory();  // throws if memory is short; otherwise the file has requested too much
            throw Hdf5Error("needs more memory than the machine has: it is damaged or was changed");
        }
    } catch (const FormatError&) {
        throw;
    } catch (const ScheduleError&) {
        throw;
    } catch (const Error& e) {
        throw FormatError(path.string(), e.what());
    }
}
/// Calls body() in a Session. Adds the path of the file to errors, and throws them as OutputError.
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
