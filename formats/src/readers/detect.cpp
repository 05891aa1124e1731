// The table of the formats, the detection of the format of an input, and the recognition of a graph or
// ratings among the files of an archive.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "columns.hpp"

namespace lockstep::readers {
namespace {

constexpr Format format_table[] = {
    {"matrix-market", "Matrix Market coordinate file (.mtx)", read_matrix_market},
    {"edge-list", "one edge per line: u v [weight] (SNAP, .el, .wel, .tsv, .csv, with or without header)",
     read_edge_list, true},
    {"movielens-data", "MovieLens u.data: user, item, rating, timestamp with tabs between",
     read_movielens_data, true},
    {"movielens-dat", "MovieLens ratings.dat: user::movie::rating::timestamp", read_movielens_dat, true},
    {"movielens-csv", "MovieLens ratings.csv: header userId,movieId,rating,timestamp", read_movielens_csv,
     true},
    {"netflix", "Netflix prize: \"movie:\" lines, each followed by user,rating,date lines", read_netflix},
    {"libmf", "LIBMF text: user item rating", read_libmf, true},
    {"cumf-binary", "cuMF_SGD records: int32 row, int32 column, float rating (.bin)", read_cumf_binary},
    {"gapbs-sg", "serialized graph of the GAP benchmark suite, without weights (.sg)", read_gapbs_sg},
    {"gapbs-wsg", "serialized graph of the GAP benchmark suite with int32 weights (.wsg)", read_gapbs_wsg},
    {"galois", "binary graph of Galois (.gr), version 1 or 2, 0, 4 or 8 bytes of data per edge", read_galois},
    {"dimacs", "DIMACS graph (.gr, .col): p sp|tw|edge|col, then a u v w, e u v or u v [w]", read_dimacs},
    {"metis", "METIS graph (.graph): the neighbours of one vertex per line", read_metis},
    {"obj", "Wavefront mesh (.obj): the sides of its faces, and its lines", read_obj},
    {"triangles", "Triangle's mesh (.ele): the sides of its triangles", read_triangles},
    {.name = "anndata",
     .description = "AnnData (.h5ad) with a sparse X: cells are rows, genes are columns",
     .read_file = read_anndata},
    {.name = "10x",
     .description = "10x Genomics matrix (CellRanger's .h5): barcodes are rows, features are columns",
     .read_file = read_10x},
    {.name = "scipy-npz",
     .description = "sparse matrix of scipy.sparse.save_npz (.npz): csr, csc or coo",
     .read_file = read_npz},
};

const Format& format(std::string_view name) {
    return *std::find_if(std::begin(format_table), std::end(format_table),
                         [&](const Format& f) { return f.name == name; });
}

/// Returns whether the first bytes are those of a zip archive whose first member is a NumPy array.
bool is_npz(std::string_view head) {
    constexpr std::size_t name_at = 30;
    if (!head.starts_with("PK\x03\x04") || head.size() < name_at) return false;
    const auto length = static_cast<unsigned char>(head[26]) + 256U * static_cast<unsigned char>(head[27]);
    return head.substr(name_at, length).ends_with(".npy");
}

bool is_binary(std::string_view head) { return head.find('\0') != std::string_view::npos; }

template <class T>
T field_at(std::string_view bytes, std::size_t offset) {
    T value{};
    if (offset + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// Returns whether `head` is the beginning of a Galois file, which contains four 64-bit numbers: version,
/// bytes of data per edge, number of vertices, number of edges.
bool is_galois(std::string_view head) {
    const auto version = field_at<std::uint64_t>(head, 0), size = field_at<std::uint64_t>(head, 8);
    return head.size() >= 32 && (version == 1 || version == 2) && (size == 0 || size == 4 || size == 8) &&
           field_at<std::uint64_t>(head, 16) < (std::uint64_t{1} << 40);
}

bool is_cumf(std::string_view head) {
    if (head.size() < 12) return false;
    for (std::size_t at = 0; at + 12 <= head.size(); at += 12) {
        if (field_at<std::int32_t>(head, at) < 0 || field_at<std::int32_t>(head, at + 4) < 0) return false;
        // Usual ratings are mostly subnormal numbers if they are read in the wrong byte order.
        const float rating = field_at<float>(head, at + 8);
        if (!(std::abs(rating) < 1e6F) || std::fpclassify(rating) == FP_SUBNORMAL) return false;
    }
    return true;
}

struct Magic {
    std::string_view bytes;
    const char* what;
};
constexpr Magic strangers[] = {
    {"\x89HDF\r\n\x1a\n",
     "this is an HDF5 file inside another, or from a pipe; unpack it or save it, and give the file itself"},
    {{"\xFF\xFE", 2}, "this is UTF-16 text; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)"},
    {{"\xFE\xFF", 2}, "this is UTF-16 text; expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)"},
    {"\x93NUMPY",
     "this is a NumPy array; save a sparse matrix in Python, scipy.sparse.save_npz(\"matrix.npz\", "
     "scipy.sparse.csr_matrix(array)), and give that file itself, not through a pipe"},
    {"PAR1", "this is a Parquet file; save the ratings as CSV"},
    {"SQLite format 3", "this is an SQLite database; export the edges as CSV"},
    {"%PDF", "this is a PDF document; expected a graph or ratings file"},
    {"\x1F\x8B", "this is compressed twice (gzip inside); unpack it once"},
    {"BZh", "this is compressed twice (bzip2 inside); unpack it once"},
    {{"\xFD"
      "7zXZ\0",
      6},
     "this is compressed twice (xz inside); unpack it once"},
    {"\x28\xB5\x2F\xFD", "this is compressed twice (zstd inside); unpack it once"},
    {"\x04\x22\x4D\x18", "this is compressed twice (lz4 inside); unpack it once"},
    {"PK\x03\x04", "this is an archive inside an archive; unpack it once"},
};

/// Removes the first line from `head`, and returns it without its line end and surrounding blanks. The last
/// line may be truncated, because only the first bytes of the input are available.
std::string_view take_line(std::string_view& head) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    head.remove_prefix(std::min(end + 1, head.size()));
    return trim(line);
}

std::string_view without_byte_order_mark(std::string_view head) {
    return head.substr(head.starts_with("\xEF\xBB\xBF") ? 3 : 0);
}

/// Returns the first line that is not blank and does not begin with one of the characters in `comments`.
std::string_view first_line(std::string_view head, std::string_view comments) {
    for (head = without_byte_order_mark(head); !head.empty();) {
        const std::string_view line = take_line(head);
        if (!line.empty() && comments.find(line[0]) == line.npos) return line;
    }
    return {};
}

bool is_problem_line(std::string_view head) {
    while (!head.empty()) {
        std::string_view line = take_line(head);
        const auto word = next_token(line);
        if (word == "p") return true;
        if (!word.empty() && word != "c") return false;
    }
    return false;
}

bool is_ratings_dat(std::string_view line) {
    Fields fields;
    split(line, "::", fields);
    return fields.size() == 4 && weight_of(fields[2]);
}

bool is_u_data(std::string_view line) {
    Fields fields;
    split(line, "\t", fields);
    constexpr std::int64_t year_1973 = 100'000'000;
    return fields.size() == 4 && canonical_integer(fields[0]) && canonical_integer(fields[1]) &&
           weight_of(fields[2]) && canonical_integer(fields[3]).value_or(0) >= year_1973;
}

/// Returns whether the lines are edges: the first one is a header that names users, items and ratings, or all
/// lines consist of two to four numbers ("u v", "u v weight", "u v weight time"), always the same number of
/// them.
bool are_edges(const std::vector<std::string>& lines, std::string_view delimiter) {
    Fields fields;
    split(lines.front(), delimiter, fields);
    const std::size_t count = fields.size();
    const HeaderNames names(fields);
    if (is_known_header(fields) && names.find(Role::row) && names.find(Role::col) && names.find(Role::value))
        return true;
    if (count < 2 || count > 4) return false;
    return std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
        split(line, delimiter, fields);
        return fields.size() == count && std::all_of(fields.begin(), fields.end(),
                                                     [](auto field) { return weight_of(field).has_value(); });
    });
}

}  // namespace

std::span<const Format> formats() { return format_table; }

void refuse_known_strangers(const Input& input) {
    for (const auto& [bytes, what] : strangers) {
        if (input.head().starts_with(bytes)) throw FormatError(input.name(), what);
    }
}

const Format& detect(const Input& input) {
    const std::string_view head = input.head();
    const auto named = [&](const char* suffix) { return input.plain_name().ends_with(suffix); };
    refuse_known_strangers(input);
    if (is_binary(head)) {
        if (named(".sg")) return format("gapbs-sg");
        if (named(".wsg")) return format("gapbs-wsg");
        if (is_problem_line(head)) return format("dimacs");
        if (is_galois(head) || named(".gr")) return format("galois");
        if (named(".bin") && is_cumf(head)) return format("cumf-binary");
        throw FormatError(input.name(),
                          "this is binary data of an unknown kind; expected text (cuMF triples are read with "
                          "--format cumf-binary)");
    }
    const std::string start = lower_case(first_line(head, "").substr(0, 9));
    if (start.starts_with('{') || start.starts_with('[')) {
        throw FormatError(input.name(),
                          "this looks like JSON; expected a graph or ratings file (save the edges as CSV)");
    }
    if (start.starts_with("<html") || start.starts_with("<!doctype") || start.starts_with("<?xml")) {
        throw FormatError(
            input.name(),
            "this is a web page or XML; expected a graph or ratings file (did the download fail?)");
    }
    if (named(".mtx") || lower_case(first_line(head, "").substr(0, 14)) == "%%matrixmarket")
        return format("matrix-market");
    if (is_problem_line(head) || named(".gr")) return format("dimacs");
    const std::string_view line = first_line(head, "#%");
    if (line.ends_with(':') && canonical_integer(line.substr(0, line.size() - 1))) return format("netflix");
    if (is_ratings_dat(line)) return format("movielens-dat");
    if (line == "userId,movieId,rating,timestamp") return format("movielens-csv");
    if (named(".graph") || named(".metis")) return format("metis");
    if (named(".obj")) return format("obj");
    if (named(".ele")) return format("triangles");
    return format(is_u_data(line) ? "movielens-data" : "edge-list");
}

const Format* random_access_format(const InputFile& file, const std::optional<std::string>& requested) {
    const std::string_view head = file.head();
    const std::filesystem::path& path = file.path();
    if (!file.seekable() || path == "-") return nullptr;
    const char* name = nullptr;
    if (head.starts_with("\211HDF\r\n\032\n")) name = hdf5_format(path);
    if (is_npz(head)) name = "scipy-npz";
    const bool needs_access =
        requested && std::any_of(std::begin(format_table), std::end(format_table),
                                 [&](const Format& f) { return f.read_file && f.name == *requested; });
    if (!name && !needs_access) return nullptr;
    if (requested && (!name || *requested != name)) {
        throw FormatError(path.string(), fmt::format("this is {}, not {}; leave out --format",
                                                     name ? name : "neither HDF5 nor NumPy", *requested));
    }
    return &format(name);
}

bool is_recognised(const Input& input) {
    std::string_view format;
    try {
        format = detect(input).name;
    } catch (const FormatError&) {
        return false;
    }
    for (const char* certain : {"cumf-binary", "netflix", "dimacs", "gapbs-sg", "gapbs-wsg", "galois"}) {
        if (format == certain) return true;
    }
    if (format == "matrix-market")
        return lower_case(input.head().substr(0, 64)).find("coordinate") != std::string::npos;
    constexpr std::size_t most = 20;
    std::vector<std::string> lines;  // the first lines that are neither blank nor comments, without quotes
    for (auto head = without_byte_order_mark(input.head()); !head.empty() && lines.size() < most;) {
        std::string line(take_line(head));
        std::erase_if(line, [](char c) { return c == '"' || c == '\r'; });
        if (!line.empty() && !is_comment(line)) lines.push_back(std::move(line));
    }
    if (lines.empty()) return false;
    const auto delimiters = {",", ";", "\t", "::", ""};
    return std::any_of(delimiters.begin(), delimiters.end(),
                       [&](const char* delimiter) { return are_edges(lines, delimiter); }) ||
           (format == "metis" && number<EdgeId>(lines.front().substr(0, lines.front().find(' '))));
}

}  // namespace lockstep::readers
