#include "edge_writer.hpp"

#include <bit>
#include <charconv>
#include <cstring>

namespace lockstep::generate {

static_assert(std::endian::native == std::endian::little, "binary triples are written as they lie in memory");

EdgeWriter::EdgeWriter(const std::string& path, const EdgeFormat& format, VertexId rows, VertexId cols,
                       EdgeId expected, const cli::Common& common)
    : format_(format),
      file_(path),
      row_degrees_(rows),
      col_degrees_(cols),
      progress_("writing", format.both_arcs ? 2 * expected : expected, common) {}

void EdgeWriter::write(VertexId row, VertexId col, float value) {
    if (format_.weights) value = (*format_.weights)(row, col);
    put(row, col, value);
    if (format_.both_arcs && row != col) put(col, row, value);
}

void EdgeWriter::put(VertexId row, VertexId col, float value) {
    // Two IDs, and a float in fixed notation with at most 9 decimals.
    constexpr std::size_t longest = 2 * 11 + 64;
    char* place = file_.reserve(longest);
    if (format_.binary) {
        std::memcpy(place, &row, 4);
        std::memcpy(place + 4, &col, 4);
        std::memcpy(place + 8, &value, 4);
        place += 12;
    } else {
        char* const end = place + longest;
        place = std::to_chars(place, end, row).ptr;
        *place++ = ' ';
        place = std::to_chars(place, end, col).ptr;
        if (format_.weighted) {
            *place++ = ' ';
            place = std::to_chars(place, end, value, std::chars_format::fixed, format_.decimals).ptr;
        }
        *place++ = '\n';
    }
    file_.advance(place);
    ++row_degrees_[row];
    ++col_degrees_[col];
    if ((++edges_ & 0xFFFF) == 0) {
        cli::check_signal();
        progress_.update(edges_);
    }
}

}  // namespace lockstep::generate
