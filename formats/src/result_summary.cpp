#include "lockstep/formats/result_summary.hpp"

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "schema.hpp"

namespace lockstep {

std::optional<ResultSummary> read_result_summary(const std::filesystem::path& path) {
    return hdf5::reading(path, [&]() -> std::optional<ResultSummary> {
        const hdf5::Reader reader(path);
        const hdf5::Node& root = reader.root();
        const std::string& format = root.text(schema::format);
        if (format == schema::schedules_format) return std::nullopt;
        ResultSummary s;
        s.kind = format == schema::model_format   ? ResultSummary::Kind::model
                 : format == schema::ranks_format ? ResultSummary::Kind::ranks
                                                  : ResultSummary::Kind::result;
        s.path = path.string();
        s.version = root.text(schema::format_version);
        s.program = root.text(schema::program);
        s.content_hash = root.text(schema::content_hash);
        s.graph_hash = root.text("graph_hash");
        s.hash = root.text(schema::hash);
        s.parameters = read_parameters(root);
        if (s.kind != ResultSummary::Kind::model) {
            s.columns = s.kind == ResultSummary::Kind::ranks ? "ranks:f32" : root.text("columns");
            s.rows = root.vertices("vertices");
            s.row_ids = root.child("ids").text("description");
            return s;
        }
        s.rows = root.vertices("rows");
        s.cols = root.vertices("cols");
        s.rank = root.vertices("rank");
        s.row_ids = root.child("row_ids").text("description");
        s.col_ids = root.child("col_ids").text("description");
        return s;
    });
}

}  // namespace lockstep
