// lockstep-preprocess: a graph or ratings file in, conflict-free schedules out.
#include <fmt/format.h>
#include <omp.h>

#include <iostream>

#include "cli.hpp"
#include "input_options.hpp"
#include "pipeline.hpp"

using namespace lockstep;

namespace {

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (std::size_t end; (end = list.find(',', begin)) != std::string::npos; begin = end + 1)
        parts.push_back(list.substr(begin, end - begin));
    parts.push_back(list.substr(begin));
    return parts;
}

/// "512x64": R rows and C columns of a block.
void parse_block(const std::string& text, BuildOptions& build) {
    unsigned rows = 0, cols = 0;
    int used = 0;
    if (std::sscanf(text.c_str(), "%ux%u%n", &rows, &cols, &used) != 2 ||
        text[static_cast<std::size_t>(used)] != '\0' || rows == 0 || cols == 0) {
        throw cli::UsageError("--block takes ROWSxCOLUMNS, e.g. 512x64, not \"" + text + "\"");
    }
    build.block_rows = rows;
    build.block_cols = cols;
}

bool half_precision(const std::string& storage) {
    if (storage != "fp32" && storage != "fp16")
        throw cli::UsageError("--storage takes fp32 or fp16, not \"" + storage + "\"");
    return storage == "fp16";
}

nlohmann::ordered_json to_json(const PreprocessRequest& request, const PreprocessResult& result) {
    nlohmann::ordered_json schedules = nlohmann::ordered_json::array();
    for (const ScheduleSummary& s : result.file.schedules) {
        schedules.push_back({{"name", s.name},
                             {"seconds", s.seconds},
                             {"rounds", s.statistics.rounds},
                             {"max_round", s.statistics.max_round},
                             {"parameters", s.parameters},
                             {"hash", s.hash}});
    }
    const PreprocessSeconds& t = result.seconds;
    return {
        {"input", request.input.string()},
        {"format", result.file.source.format},
        {"compression", result.file.source.compression},
        {"output", request.output.string()},
        {"rows", result.file.rows},
        {"cols", result.file.cols},
        {"edges", result.file.edges},
        {"repeats", result.file.source.repeats},
        {"max_row_degree", result.file.max_degree.row},
        {"max_col_degree", result.file.max_degree.col},
        {"graph_hash", result.file.graph_hash},
        {"seconds", {{"read", t.read}, {"schedule", t.schedule}, {"verify", t.verify}, {"write", t.write}}},
        {"estimated_bytes", result.estimated_bytes},
        {"peak_bytes", cli::peak_memory()},
        {"schedules", schedules}};
}

void print_text(const PreprocessResult& result) {
    std::cout << fmt::format("{:<10} {:>10} {:>12} {:>14}\n", "schedule", "time", "rounds", "largest round");
    for (const ScheduleSummary& s : result.file.schedules) {
        std::cout << fmt::format("{:<10} {:>10} {:>12} {:>14}\n", s.name, cli::duration(s.seconds),
                                 cli::grouped(s.statistics.rounds), cli::grouped(s.statistics.max_round));
    }
    for (const ScheduleSummary& s : result.file.schedules) {
        const auto reason = s.parameters.find("matching_reason");
        if (reason != s.parameters.end())
            std::cout << fmt::format("{}: --matching {}: {}\n", s.name, s.parameters.at("matching"),
                                     reason->second);
    }
    const PreprocessSeconds& t = result.seconds;
    std::cout << fmt::format("read {}, schedule {}, verify {}, write {}; peak memory {}\n",
                             cli::duration(t.read), cli::duration(t.schedule), cli::duration(t.verify),
                             cli::duration(t.write), cli::bytes(static_cast<double>(cli::peak_memory())));
}

int preprocess_main(const cli::Values& values, const cli::Common& common) {
    if (!values.count("input")) throw cli::UsageError("an input file is needed");
    if (!values.count("output")) throw cli::UsageError("an output file is needed: -o FILE.h5");
    PreprocessRequest request;
    request.input = values["input"].as<std::string>();
    request.output = values["output"].as<std::string>();
    request.schedules = split(values["schedule"].as<std::string>());
    request.read = cli::input_options(values);
    request.memory_limit = request.read.memory_limit;
    request.build.workers = values["workers"].as<VertexId>();
    request.build.matching = matching_of(values["matching"].as<std::string>());
    request.build.parts = values["parts"].as<VertexId>();
    request.build.hub_items = values["hub-items"].as<VertexId>();
    request.build.seed = values["seed"].as<std::uint64_t>();
    request.build.item_blocks = values["item-blocks"].as<VertexId>();
    request.build.user_blocks = values["user-blocks"].as<VertexId>();
    request.build.groups = values["groups"].as<VertexId>();
    request.build.gpus = values["gpus"].as<VertexId>();
    request.build.rank = values["rank"].as<VertexId>();
    request.build.half_precision = half_precision(values["storage"].as<std::string>());
    request.build.multiprocessors = values["multiprocessors"].as<VertexId>();
    request.build.on_chip_bytes = EdgeId{values["on-chip"].as<VertexId>()} << 10;
    request.build.hub_weight = values["hub-weight"].as<double>();
    if (request.build.rank == 0 || request.build.rank > 256) throw cli::UsageError("--rank takes 1 to 256");
    if (request.build.gpus == 0) throw cli::UsageError("--gpus must be at least 1");
    if (request.build.multiprocessors == 0) throw cli::UsageError("--multiprocessors must be at least 1");
    if (!(request.build.hub_weight >= 0)) throw cli::UsageError("--hub-weight must not be negative");
    if (values.count("block")) parse_block(values["block"].as<std::string>(), request.build);
    if (request.build.workers == 0) throw cli::UsageError("--workers must be at least 1");
    if (request.build.parts == 0) throw cli::UsageError("--parts must be at least 1");
    request.verify = !values.count("no-verify");
    request.times = !values.count("no-times");
    request.deflate = values["deflate"].as<int>();
    if (request.deflate < 0 || request.deflate > 9) throw cli::UsageError("--deflate takes 0 to 9");
    const int threads = values["threads"].as<int>();
    if (threads < 0) throw cli::UsageError("--threads must not be negative");
    if (threads > 0) omp_set_num_threads(threads);

    const PreprocessResult result = preprocess(request, [&](const std::string& text) {
        cli::check_signal();
        cli::note(common, text);
    });
    if (common.json) {
        cli::print_json(to_json(request, result));
    } else {
        print_text(result);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    cli::Options options("Options");
    // clang-format off
    options.add_options()
        ("input", po::value<std::string>(), "graph or ratings file, plain, compressed or archived; - = standard input; or a schedule file to add to")
        ("output,o", po::value<std::string>(), "schedule file to write (HDF5)")
        ("schedule,s", po::value<std::string>()->default_value("agm-e"), "schedules to compute, comma-separated, or all")
        ("workers", po::value<VertexId>()->default_value(BuildOptions{}.workers), "AGM-N, SGM, EL+SGM: items of one block (T)")
        ("matching", po::value<std::string>()->default_value(std::string(to_string(BuildOptions{}.matching))),
         "AGM-E, AGM-N: first-fit (maximal), euler (few, of equal size), exact (the fewest there can be), or auto")
        ("block", po::value<std::string>(), "BlkDiag: rows x columns of a block, e.g. 512x64 (default: chosen from the graph)")
        ("parts", po::value<VertexId>()->default_value(BuildOptions{}.parts), "METIS: parts")
        ("hub-items", po::value<VertexId>()->default_value(0), "EL+SGM: items to run under locks; 0 = chosen from the degrees")
        ("item-blocks", po::value<VertexId>()->default_value(0), "tiled: blocks of items of a group (P); 0 = one a multiprocessor")
        ("user-blocks", po::value<VertexId>()->default_value(0), "tiled: blocks of users of a group (R), even and at least 2 P; 0 = as few as fit on chip")
        ("groups", po::value<VertexId>()->default_value(0), "tiled: groups of items and of users (G), run one after another or on several GPUs; 0 = as few as fit on chip")
        ("gpus", po::value<VertexId>()->default_value(1), "tiled: GPUs that shall share the groups; there are at least as many, and a multiple")
        ("rank", po::value<VertexId>()->default_value(BuildOptions{}.rank), "tiled, local: largest rank that shall fit on chip")
        ("storage", po::value<std::string>()->default_value("fp32"), "tiled, local: of the factors, fp32 or fp16")
        ("multiprocessors", po::value<VertexId>()->default_value(BuildOptions{}.multiprocessors), "tiled: of the device")
        ("on-chip", po::value<VertexId>()->default_value(static_cast<VertexId>(BuildOptions{}.on_chip_bytes >> 10)), "tiled, local: shared memory of a multiprocessor, in KB")
        ("hub-weight", po::value<double>()->default_value(BuildOptions{}.hub_weight), "tiled: how often the most rated item of a block counts")
        ("seed", po::value<std::uint64_t>()->default_value(1), "of the shuffles and of METIS")
        ("threads", po::value<int>()->default_value(0), "CPU threads; 0 = all")
        ("deflate", po::value<int>()->default_value(0), "compress the schedule file, 1 (fast) to 9")
        ("no-times", "leave out how long each stage took: the same input and options then give the same file, byte for byte")
        ("no-verify", "do not prove the schedules before they are written");
    // clang-format on
    cli::add_input_options(options);
    std::string examples;
    for (const Builder& builder : builders())
        examples += fmt::format("  {:<9} {}\n", builder.name, builder.summary);
    return cli::run(
        argc, argv,
        {"lockstep-preprocess", "lockstep-preprocess INPUT -o OUTPUT.h5 [options]",
         "Computes conflict-free schedules of a graph and writes them, with the graph, to a schedule file.",
         "  lockstep-preprocess ratings.csv -o ratings.h5 --schedule agm-e,sgm,blkdiag\n\nSchedules:\n" +
             examples},
        options, {"input"}, preprocess_main);
}
