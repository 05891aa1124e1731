#include "containers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::readers {

namespace {

constexpr Container container_table[] = {
    {"anndata", "AnnData (.h5ad) with a sparse X: cells are rows, genes are columns", read_anndata},
    {"10x", "10x Genomics matrix (CellRanger's .h5): barcodes are rows, features are columns", read_10x},
    {"scipy-npz", "sparse matrix of scipy.sparse.save_npz (.npz): csr, csc or coo", read_npz},
};

/// Returns whether the first bytes are those of a zip archive whose first member is a NumPy array.
bool is_npz(std::string_view head) {
    constexpr std::size_t name_at = 30;
    if (!head.starts_with("PK\x03\x04") || head.size() < name_at) return false;
    const auto length = static_cast<unsigned char>(head[26]) + 256U * static_cast<unsigned char>(head[27]);
    return head.substr(name_at, length).ends_with(".npy");
}

}  // namespace

std::span<const Container> containers() { return container_table; }

const Container* container_of(const InputFile& file, const std::optional<std::string>& format) {
    const std::string_view head = file.head();
    const std::filesystem::path& path = file.path();
    if (!file.seekable() || path == "-") return nullptr;
    const char* name = nullptr;
    if (head.starts_with("\211HDF\r\n\032\n")) name = hdf5_format(path);
    if (is_npz(head)) name = "scipy-npz";
    const auto find = [](std::string_view wanted) {
        return std::find_if(std::begin(container_table), std::end(container_table),
                            [&](const Container& c) { return c.name == wanted; });
    };
    const bool requested = format && find(*format) != std::end(container_table);
    if (!name && !requested) return nullptr;
    if (format && (!name || *format != name)) {
        throw FormatError(path.string(), fmt::format("this is {}, not {}; leave out --format",
                                                     name ? name : "neither HDF5 nor NumPy", *format));
    }
    return find(name);
}

}  // namespace lockstep::readers
