// Tests of ids in text outputs: readers of edge lists restore them unchanged, even if they occur in the first
// lines.
#include "lockstep/formats/id_text.hpp"

#include "odd_ids.hpp"
#include "reader_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string line_of(const std::string& first, const std::string& second, char separator) {
    return id_field(first) + separator + id_field(second) + separator + "2.5\n";
}

/// Returns the ids of both sides for each edge of the text, with a line break between them.
std::vector<std::string> read_back(const std::string& text) {
    const Dataset data = read_text(text);
    const Array<VertexId> row_of = edge_rows(data.graph);
    std::vector<std::string> pairs;
    for (EdgeId i = 0; i < data.graph.edges(); ++i) {
        const EdgeId e = data.graph.input_order.empty() ? i : data.graph.input_order[i];
        pairs.push_back(data.row_ids.name(row_of[e]) + '\n' + data.col_ids.name(data.graph.col[e]));
    }
    return pairs;
}

}  // namespace

TEST_CASE("ids of all kinds come back from a line of text, first or later, of one side or both") {
    for (const char separator : {' ', '\t'}) {
        for (const std::string& a : odd_ids) {
            std::string text = line_of(a, "i1", separator);
            std::vector<std::string> expected{a + "\ni1"};
            for (const std::string& b : odd_ids) {
                text += line_of("u1", b, separator) + line_of(b, a, separator);
                expected.push_back("u1\n" + b), expected.push_back(b + '\n' + a);
            }
            INFO(text.substr(0, 40));
            CHECK(read_back(text) == expected);
            CHECK(read_back(line_of("1", "2", separator) + line_of("i", a, separator)).back() == "i\n" + a);
        }
    }
}

TEST_CASE("plain ids are written as they are, others in quotes") {
    for (const char* plain : {"7", "ann", "a@b.c", "http://x/y?z=1#part", "it's", "5\\", "日本", "a-b"})
        CHECK(id_field(plain) == plain);
    CHECK(id_field("") == "\"\"");
    CHECK(id_field("a\"b") == "\"a\"\"b\"");
    CHECK(id_field("New York") == "\"New York\"");
    CHECK(field_separator(RangeIds{0, 2}, StringIds{"a bc", {0, 3, 4}}) == '\t');
    CHECK(field_separator(RangeIds{0, 2}, StringIds{"abc", {0, 2, 3}}) == ' ');
}
