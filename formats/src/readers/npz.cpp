// Reader of sparse matrices that scipy.sparse.save_npz has written: a zip archive, stored or deflated, of
// arrays in NumPy's format (npy_head.hpp).
#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "npy_head.hpp"
#include "readers.hpp"
#include "sparse_matrix.hpp"
#include "words.hpp"

namespace lockstep::readers {

namespace {

constexpr const char* save_it =
    "save the matrix in Python: scipy.sparse.save_npz(\"matrix.npz\", matrix.tocsr())";

/// An array of the archive, with its bytes in memory.
class Npy : public NumberArray {
public:
    Npy(std::string name, std::string bytes) : name_(std::move(name)), bytes_(std::move(bytes)) {
        const NpyHead head = npy_head(bytes_, name_, save_it);
        begin_ = head.begin, shape_ = head.shape, size_ = head.entries;
        kind_ = head.kind, entry_bytes_ = head.entry_bytes;
        if (size_ > bytes_.size() || size_ * entry_bytes_ != bytes_.size() - begin_)
            fail(fmt::format("{} declares {} entries of {} bytes, but contains {} bytes", name_, size_,
                             entry_bytes_, bytes_.size() - begin_));
    }

    std::uint64_t size() const override { return size_; }
    const std::string& name() const override { return name_; }
    const std::vector<std::uint64_t>& shape() const { return shape_; }

    /// Returns the text of an array with a single text as entry, such as "csr".
    std::string text() const {
        if ((kind_ != 'S' && kind_ != 'U') || size_ != 1) fail(name_ + " is not a word");
        std::string word;
        for (std::size_t i = begin_; i < bytes_.size(); i += kind_ == 'U' ? 4 : 1) {
            if (bytes_[i] != '\0') word += bytes_[i];
        }
        return word;
    }
    void read(std::uint64_t begin, std::span<std::int64_t> values) override {
        if (shape_.size() != 1 || (kind_ != 'i' && kind_ != 'u'))
            fail(fmt::format("{} is not an array of whole numbers", name_));
        convert(begin, values);
    }
    void read(std::uint64_t begin, std::span<float> values) override {
        if (shape_.size() != 1) fail(name_ + " is not an array of rank 1");
        convert(begin, values);
    }

private:
    /// Converts the numbers if they have the type From. Otherwise returns false.
    template <class From, class To>
    bool convert_from(char kind, std::uint64_t begin, std::span<To> values) const {
        if (kind_ != kind || entry_bytes_ != sizeof(From)) return false;
        const char* place = bytes_.data() + begin_ + begin * sizeof(From);
        for (To& value : values) {
            From from;
            std::memcpy(&from, place, sizeof from);
            value = static_cast<To>(from);  // NOLINT(bugprone-signed-char-misuse): int8 is a number
            place += sizeof from;
        }
        return true;
    }
    template <class To>
    void convert(std::uint64_t begin, std::span<To> values) const {
        if (convert_from<std::int8_t>('i', begin, values) || convert_from<std::int16_t>('i', begin, values) ||
            convert_from<std::int32_t>('i', begin, values) ||
            convert_from<std::int64_t>('i', begin, values) ||
            convert_from<std::uint8_t>('b', begin, values) ||
            convert_from<std::uint8_t>('u', begin, values) ||
            convert_from<std::uint16_t>('u', begin, values) ||
            convert_from<std::uint32_t>('u', begin, values) ||
            convert_from<std::uint64_t>('u', begin, values) || convert_from<float>('f', begin, values) ||
            convert_from<double>('f', begin, values))
            return;
        fail(
            fmt::format("{} contains numbers of another type ('{}', {} bytes); expected integers, float32, "
                        "float64 or bool: matrix.astype(\"float32\") converts them",
                        name_, kind_, entry_bytes_));
    }

    std::string name_, bytes_;
    std::vector<std::uint64_t> shape_;
    char kind_ = 0;
    std::size_t begin_ = 0, entry_bytes_ = 0;
    std::uint64_t size_ = 1;
};

struct CloseArchive {
    void operator()(archive* a) const { archive_read_free(a); }
};

/// Reads all arrays of the archive. The keys are their names without ".npy".
std::map<std::string, Npy> read_arrays(const FileJob& job) {
    const std::unique_ptr<archive, CloseArchive> zip(archive_read_new());
    if (!zip) throw std::bad_alloc();
    archive_read_support_format_zip(zip.get());
    const auto damaged = [&] {
        const char* why = archive_error_string(zip.get());
        fail(fmt::format("the archive is damaged or cut off: {}", why ? why : "unknown error"));
    };
    if (archive_read_open_filename(zip.get(), job.path.c_str(), 1 << 20) != ARCHIVE_OK) damaged();
    std::map<std::string, Npy> arrays;
    archive_entry* entry = nullptr;
    for (int got; (got = archive_read_next_header(zip.get(), &entry)) != ARCHIVE_EOF;) {
        if (got != ARCHIVE_OK) damaged();
        const char* path = archive_entry_pathname(entry);
        const std::string name = path ? path : "";
        if (!name.ends_with(".npy") || arrays.size() == 32)
            fail(fmt::format("has the member {}, which scipy.sparse does not write; {}", shown(name),
                             save_it));
        std::string bytes;
        constexpr std::size_t step = 1 << 20;
        for (la_ssize_t n = 1; n != 0;) {
            job.budget.charge(step);
            const std::size_t before = bytes.size();
            bytes.resize(before + step);
            n = archive_read_data(zip.get(), bytes.data() + before, step);
            if (n < 0) damaged();
            bytes.resize(before + static_cast<std::size_t>(n));
        }
        const std::string key = name.substr(0, name.size() - 4);
        if (arrays.contains(key)) fail("has two arrays " + shown(key));
        arrays.emplace(key, Npy(name, std::move(bytes)));
    }
    return arrays;
}

}  // namespace

ParsedFile read_npz(const FileJob& job) {
    std::map<std::string, Npy> arrays = read_arrays(job);
    const auto array = [&](const char* name) -> Npy& {
        const auto found = arrays.find(name);
        if (found != arrays.end()) return found->second;
        std::string names;
        for (const auto& [key, value] : arrays) names += (names.empty() ? "" : ", ") + shown(key);
        fail(fmt::format("has no array {}, but {}: not a matrix of scipy.sparse; {}", name, names, save_it));
    };
    const std::string format = array("format").text();
    SparseMatrix matrix;
    if (format == "csr" || format == "csc") {
        matrix.layout = format == "csr" ? SparseMatrix::Layout::csr : SparseMatrix::Layout::csc;
        matrix.offsets = &array("indptr");
        matrix.indices = &array("indices");
    } else if (format == "coo") {
        matrix.layout = SparseMatrix::Layout::coo;
        matrix.row_indices = &array("row");
        matrix.indices = &array("col");
    } else {
        fail(fmt::format("is a matrix in the format {}; expected csr, csc or coo: {}", shown(format),
                         save_it));
    }
    matrix.values = &array("data");
    const std::vector<std::int64_t> shape = array("shape").all();
    if (shape.size() != 2) fail(fmt::format("has a shape of {} numbers; expected two", shape.size()));
    const VertexId rows = checked_vertices(shape[0], "rows"), cols = checked_vertices(shape[1], "columns");
    matrix.rows = rows, matrix.cols = cols;
    ParsedFile parsed;
    parsed.edges = read_entries(matrix, job.options, job.budget);
    parsed.lines = parsed.edges.size();
    parsed.row_ids = RangeIds{0, rows};
    parsed.col_ids = RangeIds{0, cols};
    parsed.weighted = true;
    parsed.shape = rows == cols ? GraphShape::square : GraphShape::bipartite;
    return parsed;
}

}  // namespace lockstep::readers
