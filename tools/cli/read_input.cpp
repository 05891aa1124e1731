#include "read_input.hpp"

#include <fmt/format.h>

#include "cli.hpp"

namespace lockstep {

PreprocessInput read_input(const std::filesystem::path& path, const ReadOptions& reading,
                           const Stage& stage) {
    stage("reading " + path.string());
    PreprocessInput read;
    const cli::Stopwatch watch;
    InputFile input(path, reading.interruption);
    if (input.is_lockstep_hdf5()) {
        if (reading.feedback)
            throw Error(Failure::usage, path.string() +
                                            " is a schedule file; --feedback implicit requires the ratings "
                                            "file from which the schedule file was built");
        ScheduleFile file = read_schedule_file(path);
        read = {std::move(file.dataset), std::move(file.schedules), file.summary.seconds};
    } else {
        read.dataset = read_dataset(input, reading);
        read.seconds.read = watch.seconds();
    }
    const Graph& graph = read.dataset.graph;
    const Source& source = read.dataset.source;
    const MaxDegree degree = max_degree(graph);
    stage(fmt::format("{} rows x {} columns, {} edges, largest degree {} (rows) / {} (columns)",
                      cli::group_digits(graph.rows), cli::group_digits(graph.cols),
                      cli::group_digits(graph.edges()), cli::group_digits(degree.row),
                      cli::group_digits(degree.col)));
    if (!source.note.empty()) stage("note: " + source.note);
    if (source.archive_files > 1) {
        stage(fmt::format("note: read {}, of {} files in the archive", source.compression,
                          cli::group_digits(source.archive_files)));
    }
    if (source.drawn) {
        stage(fmt::format("note: {} pairs of weight 0 sampled for {} edges", cli::group_digits(source.drawn),
                          cli::group_digits(graph.edges() - source.drawn)));
    }
    if (source.repeats) {
        stage(fmt::format("note: {} repeated pairs ({})", cli::group_digits(source.repeats),
                          source.repeat_policy));
    }
    return read;
}

}  // namespace lockstep
