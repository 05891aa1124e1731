#include "lockstep/formats/checkpoint_file.hpp"

#include "file_parts.hpp"
#include "hdf5.hpp"
#include "schema.hpp"

namespace lockstep {

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
    hdf5::writing(path, [&] {
        const Model& model = checkpoint.kept;
        hdf5::Writer writer(path, schema::model_format, 0);
        write_model_parts(writer, model);
        writer.node("checkpoint").set("kept_sweep", checkpoint.kept_sweep);
        writer.write("checkpoint/row_factors", std::span<const float>(checkpoint.row_factors), model.rank);
        writer.write("checkpoint/col_factors", std::span<const float>(checkpoint.col_factors), model.rank);
        if (!checkpoint.row_factors.empty() && !checkpoint.biases.empty()) {
            writer.node("checkpoint").set("mean", static_cast<double>(checkpoint.biases.mean));
            writer.write("checkpoint/row_biases", std::span<const float>(checkpoint.biases.row));
            writer.write("checkpoint/col_biases", std::span<const float>(checkpoint.biases.col));
        }
        std::string record = record_line(checkpoint.run) + '\n';
        for (const SweepRecord& sweep : checkpoint.sweeps) record += record_line(sweep) + '\n';
        writer.write("checkpoint/record", std::span<const char>(record));
        writer.commit();
    });
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
    return hdf5::reading(path, [&] {
        hdf5::Reader reader(path, schema::model_format);
        if (!reader.root().children.contains("checkpoint"))
            throw hdf5::Hdf5Error("this is a model, not a checkpoint; use --init to start from a model");
        const hdf5::Node& node = reader.root().child("checkpoint");
        Checkpoint checkpoint;
        checkpoint.kept = read_model_parts(reader);
        checkpoint.kept_sweep = node.count("kept_sweep");
        const Model& model = checkpoint.kept;
        if (node.has_array("row_factors") || node.has_array("col_factors")) {
            checkpoint.row_factors =
                reader.read<std::vector<float>>("checkpoint/row_factors", model.rows, model.rank);
            checkpoint.col_factors =
                reader.read<std::vector<float>>("checkpoint/col_factors", model.cols, model.rank);
        }
        if (!model.biases.empty() && !checkpoint.row_factors.empty()) {
            checkpoint.biases.mean = static_cast<float>(node.real("mean"));
            checkpoint.biases.row = reader.read<std::vector<float>>("checkpoint/row_biases", model.rows);
            checkpoint.biases.col = reader.read<std::vector<float>>("checkpoint/col_biases", model.cols);
        }
        const auto text = reader.read<std::string>("checkpoint/record");
        std::vector<RunRecord> runs = parse_run_records(text, path.string());
        if (runs.size() != 1) throw hdf5::Hdf5Error("contains the records of several runs");
        checkpoint.run = std::move(runs[0].run);
        checkpoint.sweeps = std::move(runs[0].sweeps);
        for (std::size_t i = 0; i < checkpoint.sweeps.size(); ++i) {
            if (checkpoint.sweeps[i].sweep != i + 1)
                throw hdf5::Hdf5Error("the record of a sweep is missing");
        }
        return checkpoint;
    });
}

}  // namespace lockstep
