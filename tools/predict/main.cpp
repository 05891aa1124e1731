// lockstep-predict: predictions of a fitted model, by the IDs of the user's file.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "evaluate.hpp"
#include "fold_in.hpp"
#include "input_options.hpp"
#include "lockstep/formats/id_match.hpp"
#include "lockstep/formats/output_file.hpp"
#include "lockstep/formats/text.hpp"
#include "outputs.hpp"
#include "queries.hpp"
#include "rankings.hpp"
#include "ratings.hpp"
#include "scores.hpp"
#include "stages.hpp"

namespace lockstep::predict {
namespace {
using cli::UsageError;

/// Output kinds, which are recognized by the beginning of the JSON that an earlier run wrote.
constexpr cli::OutputKind json_output{"predictions in JSON", "", "\": [\n  {\""};
constexpr cli::OutputKind evaluation_output{"an evaluation in JSON", "", "{\"evaluation\":"};

/// A run of the program, as defined by its command line.
class Query {
public:
    Query(const cli::Values& values, const cli::Common& common) : values_(values), common_(common) {}

    int answer() {
        check_options();
        read();
        cli::end_stage("read");
        if (has("pairs")) pairs();
        if (has("evaluate")) evaluation();
        if (has("similar")) similar_items();
        if (has("top") && !has("similar")) top_items();
        cli::end_stage("predict");
        return 0;
    }

private:
    bool has(const char* name) const { return values_.count(name) > 0; }
    std::string text(const char* name) const { return values_[name].as<std::string>(); }
    std::string output() const { return text("output"); }

    void check_options() const {
        if (!has("model")) throw UsageError("MODEL.h5 is missing");
        const int questions = has("pairs") + has("top") + has("evaluate");
        if (questions > 1 || (questions == 0 && !has("save-model")))
            throw UsageError("expected either --pairs FILE, --top N or --evaluate FILE");
        if (has("users") && !has("top")) throw UsageError("--users goes with --top");
        if (has("similar") && !has("top")) throw UsageError("--similar goes with --top");
        if (has("exclude") && !has("top") && !has("evaluate"))
            throw UsageError("--exclude goes with --top and --evaluate");
        if (has("include-taken") && !has("top")) throw UsageError("--include-taken requires --top");
        if (has("similar") && (has("users") || has("exclude") || has("include-taken")))
            throw UsageError("--similar goes without --users, --exclude and --include-taken");
        if (has("unknown") && !has("pairs") && !has("evaluate") &&
            (!has("users") || text("unknown") == "bias"))
            throw UsageError("--unknown goes with --pairs and --evaluate, error and nan with --users, too");
        if ((!values_["at"].defaulted() || has("relevant")) && !has("evaluate"))
            throw UsageError("--at and --relevant go with --evaluate");
        if (has("no-clip") && !has("pairs") && !has("evaluate"))
            throw UsageError("--no-clip goes with --pairs and --evaluate");
        if ((has("save-model") || has("regularisation")) && !has("fold-in"))
            throw UsageError("--save-model and --regularisation go with --fold-in");
        cli::refuse_standard_input(text("model"), "a model");
        std::vector<cli::Output> outputs;
        if (has("pairs") || has("top") || has("evaluate")) {
            outputs.push_back({"-o", output(),
                               !common_.json     ? cli::text_output
                               : has("evaluate") ? evaluation_output
                                                 : json_output});
        }
        if (has("save-model")) outputs.push_back({"--save-model", text("save-model"), cli::model_output});
        cli::check_outputs(values_, inputs(), outputs);
    }
    /// Returns the input files.
    std::vector<std::string> inputs() const {
        std::vector<std::string> files;
        for (const char* option : {"model", "pairs", "exclude", "evaluate", "fold-in"}) {
            if (has(option)) files.push_back(text(option));
        }
        if (has("users")) {
            const auto& users = values_["users"].as<std::vector<std::string>>();
            files.insert(files.end(), users.begin(), users.end());
        }
        return files;
    }

    /// Reads the model, and adds new users if --fold-in is given.
    void read() {
        model_ = read_model(text("model"));
        if (has("unknown") && text("unknown") == "bias" && model_.biases.empty())
            throw UsageError("--unknown bias needs a biased model; this one is plain");
        if (!has("fold-in")) return;
        const Dataset ratings = read_ratings(text("fold-in"), cli::input_options(values_));
        VertexId empty = 0;
        model_ =
            folded_in(model_, ratings, regularisation(), model_.parameters["nonnegative"] == "true", &empty);
        cli::note(common_, fmt::format("{} users folded in{}", cli::grouped(ratings.graph.rows),
                                       empty ? fmt::format(", {} of them without an item of the model",
                                                           cli::grouped(empty))
                                             : ""));
        for (const auto& user : matched(ratings.row_ids, model_.row_ids)) new_users_.push_back(*user);
        if (has("save-model")) write_model(text("save-model"), model_);
    }
    double regularisation() const {
        if (has("regularisation")) return values_["regularisation"].as<double>();
        const auto found = model_.parameters.find("regularisation");
        const auto value =
            found == model_.parameters.end() ? std::nullopt : cli::parse_number(found->second, 0.0, 1e9);
        if (!value) throw UsageError("the model does not say its regularisation; give --regularisation");
        return *value;
    }
    Rated rated() const {
        return has("exclude") ? Rated(text("exclude"), cli::input_options(values_), model_) : Rated();
    }
    /// Returns the scale to which predictions are clipped.
    std::optional<Scale> scale() const { return has("no-clip") ? std::nullopt : scale_of(model_); }
    std::string unknown(const char* otherwise) const { return has("unknown") ? text("unknown") : otherwise; }
    void require_items() const {
        if (model_.cols == 0) throw Error(Failure::bad_input, text("model") + ": has no items");
    }
    std::size_t top() const { return std::min<std::size_t>(values_["top"].as<EdgeId>(), model_.cols); }

    void pairs() const {
        RecordWriter writer(output(), common_.json, {"predictions", "row", "col", "prediction"},
                            model_.row_ids, model_.col_ids);
        const std::string otherwise = unknown("error");
        for_each_pair(text("pairs"), cli::input_options(values_), model_, otherwise == "error",
                      [&](const PairQuery& pair) {
                          writer.add(pair.row, pair.col,
                                     pair.u && pair.i      ? on(scale(), prediction(model_, *pair.u, *pair.i))
                                     : otherwise == "bias" ? on(scale(), bias(model_, pair.u, pair.i))
                                                           : std::numeric_limits<float>::quiet_NaN());
                      });
        writer.commit();
    }
    void similar_items() const {
        require_items();
        RecordWriter writer(output(), common_.json, {"similar", "item", "other", "similarity"},
                            model_.col_ids, model_.col_ids);
        similar(model_, known(model_.col_ids, text("similar"), "column"), top(), writer);
        writer.commit();
    }
    std::vector<VertexId> named_users() const {
        std::vector<std::string> skipped;
        auto users = find_users(model_, values_["users"].as<std::vector<std::string>>(),
                                unknown("error") == "nan" ? &skipped : nullptr);
        if (!skipped.empty()) {
            cli::note(common_,
                      fmt::format("warning: {} of {} users are not in the model, and are left out; "
                                  "the first is {}",
                                  cli::grouped(skipped.size()), cli::grouped(users.size() + skipped.size()),
                                  readers::shown(skipped.front())));
        }
        return users;
    }
    void top_items() const {
        require_items();
        std::optional<std::vector<VertexId>> users;
        if (has("fold-in")) users = new_users_;
        if (has("users")) users = named_users();
        const LeftOut left_out{rated(), !has("include-taken")};
        cli::end_stage("read");
        RecordWriter writer(output(), common_.json, {"recommendations", "user", "item", "score"},
                            model_.row_ids, model_.col_ids);
        say_what_lists();
        if (left_out.taken && !model_.taken.known() && !has("exclude"))
            cli::note(
                common_,
                "note: the model file does not hold the ratings it was fitted to: lists may name items that "
                "the user has taken; --exclude RATINGS leaves these out");
        cli::Common common = common_;
        if (output() == "-" && isatty(STDOUT_FILENO))  // the printed lines already show the progress
            common.quiet = true, common.listener = {};
        recommend(model_, users, top(), left_out, writer, common);
        writer.commit();
    }
    bool is_implicit() const {
        const auto feedback = model_.parameters.find("feedback");
        return feedback != model_.parameters.end() && feedback->second == "implicit";
    }
    /// Prints a note that another model makes better ranked lists: in a model of ratings, the first items are
    /// those that few users rated very highly; a model of sampled pairs has not learnt from all pairs.
    void say_what_lists() const {
        if (model_.parameters.contains("solver")) return;
        cli::note(
            common_,
            is_implicit()
                ? "note: the model learnt from pairs that were drawn; lists are better by one of "
                  "lockstep-train --feedback implicit "
                  "--solver als, which learns from all"
                : "note: the model predicts ratings; lists of what users take next are better by a model of "
                  "lockstep-train --feedback implicit");
    }
    /// Prints a note if RMSE and MAE are meaningless: a model of implicit feedback predicts 1 for every taken
    /// item.
    void say_what_errors(const Dataset& truth) const {
        const auto& weights = truth.graph.value;
        if (is_implicit() && std::any_of(weights.begin(), weights.end(), [](float w) { return w != 1; }))
            cli::note(common_,
                      "note: the model says what users take, as 1, and not their ratings: RMSE and MAE mean "
                      "nothing here, the lists do");
    }
    void evaluation() const {
        require_items();
        const Dataset truth = read_ratings(text("evaluate"), cli::input_options(values_));
        cli::end_stage("read");
        say_what_errors(truth);
        EvaluationQuestion question;
        question.scale = scale();
        question.at = values_["at"].as<std::size_t>();
        if (has("relevant")) question.relevant = values_["relevant"].as<float>();
        question.unknown = unknown("nan") == "error"  ? EvaluationQuestion::Unknown::refused
                           : unknown("nan") == "bias" ? EvaluationQuestion::Unknown::by_bias
                                                      : EvaluationQuestion::Unknown::left_out;
        const Rated known = rated();
        cli::end_stage("read");
        const Evaluation found = evaluate(model_, truth, question, known, common_);
        cli::end_stage("evaluate");
        cli::OutputFile file(output());
        if (common_.json) {
            const nlohmann::ordered_json json{
                {"evaluation", evaluation_json(found, question, text("model"), text("evaluate"))},
                {"seconds", cli::stage_seconds()},
                {"peak_bytes", cli::peak_memory()}};
            file.write(cli::json_text(json, -1) + '\n');
        } else {
            file.write(evaluation_text(found, question));
        }
        file.commit();
    }

    const cli::Values& values_;
    const cli::Common& common_;
    Model model_;
    std::vector<VertexId> new_users_;
};

int body(const cli::Values& values, const cli::Common& common) { return Query(values, common).answer(); }

}  // namespace
}  // namespace lockstep::predict

int main(int argc, char** argv) try {
    using namespace lockstep;
    namespace po = boost::program_options;
    const auto text = [] { return po::value<std::string>(); };
    // clang-format off
    cli::Options options, more, reading;
    options.add_options()
        ("model", text()->value_name("MODEL.h5"), "model file; also accepted as first argument")
        ("pairs", text()->value_name("FILE"), "predict a rating for each pair of this graph or ratings file; - = standard input; weights and other columns are ignored")
        ("top", cli::number<EdgeId>(1, std::numeric_limits<EdgeId>::max()),
         "list the N items with the highest scores, without those that the user has in the training file; best first, equal scores in item order")
        ("users", po::value<std::vector<std::string>>()->multitoken()->value_name("ID|FILE..."),
         "--top: only these users, separated by commas or blanks; a name that is not an ID of the model may be a file with one ID per line")
        ("exclude", text()->value_name("RATINGS"), "--top, --evaluate: leave the pairs of this ratings file or schedule file (*.h5) out of lists")
        ("include-taken", "--top: also list items that the user has in the training file")
        ("similar", text()->value_name("ITEM"), "--top: rank items by cosine similarity to this item")
        ("evaluate", text()->value_name("FILE"), "measure the errors of the model on this file; a ratings file or schedule file: RMSE, MAE and, for ranked lists without the pairs of --exclude, precision, recall and NDCG")
        ("fold-in", text()->value_name("RATINGS"), "add the users of this ratings file to the model; their vectors are fitted to the items by least squares, and --top lists items for these users")
        ("save-model", text()->value_name("FILE.h5"), "--fold-in: write the model with the added users")
        ("output,o", text()->value_name("FILE")->default_value("-"), "output file; - = standard output");
    more.add_options()
        ("unknown", cli::word({"error", "nan", "bias"})->value_name("WHAT"), "how to handle pairs with an ID that is not in the model; error: fail (default of --pairs, --users); nan: predict NaN, leave the pair out of --evaluate (its default) or the user out of --users; bias: predict the mean plus the bias of the other ID (biased models)")
        ("no-clip", "--pairs, --evaluate: do not clip predictions to the range of the ratings in the training data")
        ("at", cli::number<std::size_t>(0, 1'000'000)->default_value(10), "--evaluate: length of the ranked lists; 0 = no lists")
        ("relevant", cli::number<float>(-1e30F, 1e30F), "--evaluate: minimum weight of a relevant pair (default: all pairs of the file are relevant)")
        ("regularisation", cli::number<double>(0, 1e9), "--fold-in: L2 regularisation, as in training (default: that of the model)");
    // clang-format on
    cli::add_force_option(more);
    cli::add_input_options(reading);
    const cli::Program program{
        "lockstep-predict",
        "lockstep-predict MODEL.h5 --pairs FILE|--top N|--evaluate FILE [options]",
        "Predicts ratings, ranks items and measures errors with a model of lockstep-train or "
        "lockstep-execute. All IDs are those of the file from which the model was trained. Writes lines "
        "`row col prediction`, `user item score rank` or `item other similarity rank`.",
        "  lockstep-predict m.h5 --top 10 --exclude ratings.txt -o top.txt\n"
        "  lockstep-predict m.h5 --top 5 --similar 42\n"
        "  lockstep-predict m.h5 --evaluate test.txt --exclude ratings.txt\n"
        "  lockstep-predict m.h5 --fold-in new-users.txt --top 10 --exclude new-users.txt\n",
        {{"Options", options}, {"More options", more}, {"Reading the input", reading}}};
    return cli::run(argc, argv, program, {"model"}, predict::body);
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
