// lockstep-predict: what a fitted model says, in the ids of the user's file.
#include <algorithm>
#include <limits>

#include "input_options.hpp"
#include "outputs.hpp"
#include "queries.hpp"
#include "rankings.hpp"
#include "scores.hpp"

namespace lockstep::predict {
namespace {
using cli::UsageError;

/// How the JSON of an earlier run begins.
constexpr cli::OutputKind json_output{"predictions in JSON", "", "\": [\n  {\""};

/// The files that are read.
std::vector<std::string> inputs(const cli::Values& values) {
    std::vector<std::string> files;
    for (const char* option : {"model", "pairs", "exclude"}) {
        if (values.count(option)) files.push_back(values[option].as<std::string>());
    }
    if (values.count("users")) {
        const auto& users = values["users"].as<std::vector<std::string>>();
        files.insert(files.end(), users.begin(), users.end());
    }
    return files;
}

int body(const cli::Values& values, const cli::Common& common) {
    const auto has = [&](const char* name) { return values.count(name) > 0; };
    const auto text = [&](const char* name) { return values[name].as<std::string>(); };
    if (!has("model")) throw UsageError("MODEL.h5 is missing");
    if (has("pairs") == has("top")) throw UsageError("expected either --pairs FILE or --top N");
    if (has("pairs") && (has("users") || has("exclude") || has("similar"))) {
        throw UsageError("--users, --exclude and --similar go with --top");
    }
    if (has("similar") && (has("users") || has("exclude")))
        throw UsageError("--similar goes without --users and --exclude");
    if (has("unknown") && !has("pairs")) throw UsageError("--unknown goes with --pairs");
    const std::string unknown = has("unknown") ? text("unknown") : "error";
    cli::refuse_standard_input(text("model"), "a model");
    const std::string output = text("output");
    cli::check_outputs(values, inputs(values),
                       {{"-o", output, common.json ? json_output : cli::text_output}});

    const Model model = read_model(text("model"));
    if (unknown == "bias" && model.biases.empty())
        throw UsageError("--unknown bias needs a biased model; this one is plain");
    if (has("pairs")) {
        RecordWriter writer(output, common.json, {"predictions", "row", "col", "prediction"}, model.row_ids,
                            model.col_ids);
        for_each_pair(text("pairs"), cli::input_options(values), model, unknown == "error",
                      [&](const PairQuery& pair) {
                          writer.add(pair.row, pair.col,
                                     pair.u && pair.i    ? prediction(model, *pair.u, *pair.i)
                                     : unknown == "bias" ? bias(model, pair.u, pair.i)
                                                         : std::numeric_limits<float>::quiet_NaN());
                      });
        writer.commit();
        return 0;
    }
    if (model.cols == 0) throw Error(Failure::bad_input, text("model") + ": has no items");
    const std::size_t top = std::min<std::size_t>(values["top"].as<EdgeId>(), model.cols);
    if (has("similar")) {
        RecordWriter writer(output, common.json, {"similar", "item", "other", "similarity"}, model.col_ids,
                            model.col_ids);
        similar(model, known(model.col_ids, text("similar"), "column"), top, writer);
        writer.commit();
        return 0;
    }
    std::optional<std::vector<VertexId>> users;
    if (has("users")) users = find_users(model, values["users"].as<std::vector<std::string>>());
    const Rated rated = has("exclude") ? Rated(text("exclude"), cli::input_options(values), model) : Rated();
    RecordWriter writer(output, common.json, {"recommendations", "user", "item", "score"}, model.row_ids,
                        model.col_ids);
    recommend(model, users, top, rated, writer, common);
    writer.commit();
    return 0;
}

}  // namespace
}  // namespace lockstep::predict

int main(int argc, char** argv) try {
    using namespace lockstep;
    namespace po = boost::program_options;
    const cli::Program program{
        "lockstep-predict", "lockstep-predict MODEL.h5 --pairs FILE | --top N [options]",
        "Predicts ratings and ranks items by a model that lockstep-execute saved. All ids are those of the\n"
        "file the model was fitted to. Writes `row col prediction`, `user item score rank` or\n"
        "`item other similarity rank` lines.",
        "  lockstep-predict m.h5 --pairs p.txt\n"
        "  lockstep-predict m.h5 --top 10 --exclude ratings.txt -o top.txt\n"
        "  lockstep-predict m.h5 --top 5 --users 17,23\n"
        "  lockstep-predict m.h5 --top 5 --similar 42\n"};
    const auto text = [] { return po::value<std::string>(); };
    // clang-format off
    cli::Options options("Options");
    options.add_options()
        ("model", text()->value_name("MODEL.h5"), "the model; also as first argument")
        ("pairs", text()->value_name("FILE"), "predict the pairs of this graph or ratings file, - for standard input; weights and further columns are not looked at")
        ("unknown", cli::word({"error", "nan", "bias"})->value_name("WHAT"), "pairs with an id the model does not know: error (default), nan, or bias, what a biased model says without it: the mean and the bias of the other id")
        ("top", cli::number<EdgeId>(1, std::numeric_limits<EdgeId>::max()),
         "the N items of the highest scores, best first, equal ones in item order")
        ("users", po::value<std::vector<std::string>>()->multitoken()->value_name("ID|FILE..."),
         "only these users, apart by commas or blanks; what is no id of the model is read as a file of ids, one a line")
        ("exclude", text()->value_name("RATINGS"), "leave out pairs of this ratings file or schedule file (*.h5)")
        ("similar", text()->value_name("ITEM"), "rank the items by cosine similarity to this one instead")
        ("output,o", text()->value_name("FILE")->default_value("-"), "output file, - for standard output");
    // clang-format on
    cli::add_force_option(options);
    cli::add_input_options(options);
    return cli::run(argc, argv, program, options, {"model"}, predict::body);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
