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

struct PredictOptions {
    std::optional<std::string> model, pairs, exclude, similar, evaluate, fold_in, save_model, unknown;
    std::vector<std::string> users;
    std::optional<EdgeId> top;
    std::size_t at = 10;
    std::optional<double> relevant, regularisation;
    std::string output = "-";
    bool include_taken = false, no_clip = false, force = false;
    cli::InputOptions reading;

    void list(Fields& fields) {
        fields.text("model", model, "MODEL.h5", "model file; also accepted as first argument").reads();
        fields
            .text("pairs", pairs, "FILE",
                  "predict a rating for each pair of this graph or ratings file; - = standard input; weights "
                  "and other columns are ignored")
            .reads();
        fields.number("top", top, 1, std::numeric_limits<EdgeId>::max(),
                      "list the N items with the highest scores, without those that the user has in the "
                      "training file; best first, equal scores in item order");
        fields
            .texts("users", users, "ID|FILE...",
                   "--top: only these users, separated by commas or blanks; a name that is not an ID of the "
                   "model may be a file with one ID per line")
            .with_many()
            .reads();
        fields
            .text("exclude", exclude, "RATINGS",
                  "--top, --evaluate: leave the pairs of this ratings file or schedule file (*.h5) out of "
                  "lists")
            .reads();
        fields.flag("include-taken", include_taken,
                    "--top: also list items that the user has in the training file");
        fields.text("similar", similar, "ITEM", "--top: rank items by cosine similarity to this item");
        fields
            .text("evaluate", evaluate, "FILE",
                  "measure the errors of the model on this file; a ratings file or schedule file: RMSE, MAE "
                  "and, for ranked lists without the pairs of --exclude, precision, recall and NDCG")
            .reads();
        fields
            .text("fold-in", fold_in, "RATINGS",
                  "add the users of this ratings file to the model; their vectors are fitted to the items by "
                  "least squares, and --top lists items for these users")
            .reads();
        fields.text("save-model", save_model, "FILE.h5", "--fold-in: write the model with the added users");
        fields.text("output", output, "FILE", "output file; - = standard output").with_letter('o');
        fields.begin_section("More options");
        fields
            .word("unknown", unknown, {"error", "nan", "bias"},
                  "how to handle pairs with an ID that is not in the model; error: fail (default of --pairs, "
                  "--users); nan: predict NaN, leave the pair out of --evaluate (its default) or the user "
                  "out of --users; bias: predict the mean plus the bias of the other ID (biased models)")
            .with_unit("WHAT");
        fields.flag(
            "no-clip", no_clip,
            "--pairs, --evaluate: do not clip predictions to the range of the ratings in the training data");
        fields.number("at", at, 0, 1'000'000, "--evaluate: length of the ranked lists; 0 = no lists");
        fields.number(
            "relevant", relevant, -1e30, 1e30,
            "--evaluate: minimum weight of a relevant pair (default: all pairs of the file are relevant)");
        fields.number("regularisation", regularisation, 0, 1e9,
                      "--fold-in: L2 regularisation, as in training (default: that of the model)");
        cli::list_force(fields, force);
        reading.list(fields);
    }
};

/// A run of the program, as defined by its command line.
class Query {
public:
    Query(const PredictOptions& options, const Fields& given, const cli::Common& common)
        : options_(options), given_(given), common_(common) {}

    int answer() {
        check_options();
        read();
        cli::end_stage("read");
        if (options_.pairs) pairs();
        if (options_.evaluate) evaluation();
        if (options_.similar) similar_items();
        if (options_.top && !options_.similar) top_items();
        cli::end_stage("predict");
        return 0;
    }

private:
    void check_options() const {
        const PredictOptions& o = options_;
        const bool has_users = !o.users.empty();
        if (!o.model) throw UsageError("MODEL.h5 is missing");
        const int questions = o.pairs.has_value() + o.top.has_value() + o.evaluate.has_value();
        if (questions > 1 || (questions == 0 && !o.save_model))
            throw UsageError("expected either --pairs FILE, --top N or --evaluate FILE");
        if (has_users && !o.top) throw UsageError("--users requires --top");
        if (o.similar && !o.top) throw UsageError("--similar requires --top");
        if (o.exclude && !o.top && !o.evaluate) throw UsageError("--exclude requires --top or --evaluate");
        if (o.include_taken && !o.top) throw UsageError("--include-taken requires --top");
        if (o.similar && (has_users || o.exclude || o.include_taken))
            throw UsageError("--similar excludes --users, --exclude and --include-taken");
        if (o.unknown && !o.pairs && !o.evaluate && (!has_users || o.unknown == "bias"))
            throw UsageError(
                "--unknown requires --pairs or --evaluate; with --users only error and nan are allowed");
        if ((given_.is_given("at") || o.relevant) && !o.evaluate)
            throw UsageError("--at and --relevant require --evaluate");
        if (o.no_clip && !o.pairs && !o.evaluate)
            throw UsageError("--no-clip requires --pairs or --evaluate");
        if ((o.save_model || o.regularisation) && !o.fold_in)
            throw UsageError("--save-model and --regularisation require --fold-in");
        cli::refuse_standard_input(*o.model, "a model");
        std::vector<cli::Output> outputs;
        if (questions > 0) {
            outputs.push_back({"-o", o.output,
                               !common_.json ? cli::text_output
                               : o.evaluate  ? evaluation_output
                                             : json_output});
        }
        if (o.save_model) outputs.push_back({"--save-model", *o.save_model, cli::model_output});
        cli::check_outputs(cli::given_inputs(given_), outputs, o.force);
    }

    /// Reads the model, and adds new users if --fold-in is given.
    void read() {
        model_ = read_model(*options_.model);
        if (options_.unknown == "bias" && model_.biases.empty())
            throw UsageError("--unknown bias needs a biased model; this one is plain");
        if (!options_.fold_in) return;
        const Dataset ratings = read_ratings(*options_.fold_in, options_.reading.reading());
        VertexId empty = 0;
        model_ =
            folded_in(model_, ratings, regularisation(), model_.parameters["nonnegative"] == "true", &empty);
        cli::note(common_, fmt::format("{} users folded in{}", cli::group_digits(ratings.graph.rows),
                                       empty ? fmt::format(", {} of them without an item of the model",
                                                           cli::group_digits(empty))
                                             : ""));
        for (const auto& user : match_ids(ratings.row_ids, model_.row_ids)) new_users_.push_back(*user);
        if (options_.save_model) write_model(*options_.save_model, model_);
    }
    double regularisation() const {
        if (options_.regularisation) return *options_.regularisation;
        const auto found = model_.parameters.find("regularisation");
        const auto value =
            found == model_.parameters.end() ? std::nullopt : cli::parse_number(found->second, 0.0, 1e9);
        if (!value) throw UsageError("the model does not contain its regularisation; give --regularisation");
        return *value;
    }
    KnownRatings rated() const {
        return options_.exclude ? KnownRatings(*options_.exclude, options_.reading.reading(), model_)
                                : KnownRatings();
    }
    /// Returns the scale to which predictions are clipped.
    std::optional<Scale> scale() const { return options_.no_clip ? std::nullopt : scale_of(model_); }
    void require_items() const {
        if (model_.cols == 0) throw Error(Failure::bad_input, *options_.model + ": has no items");
    }
    std::size_t top() const { return std::min<std::size_t>(*options_.top, model_.cols); }

    void pairs() const {
        RecordWriter writer(options_.output, common_.json, {"predictions", "row", "col", "prediction"},
                            model_.row_ids, model_.col_ids);
        const std::string otherwise = options_.unknown.value_or("error");
        for_each_pair(*options_.pairs, options_.reading.reading(), model_, otherwise == "error",
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
        RecordWriter writer(options_.output, common_.json, {"similar", "item", "other", "similarity"},
                            model_.col_ids, model_.col_ids);
        similar(model_, known(model_.col_ids, *options_.similar, "column"), top(), writer);
        writer.commit();
    }
    std::vector<VertexId> named_users() const {
        std::vector<std::string> skipped;
        auto users = find_users(model_, options_.users, options_.unknown == "nan" ? &skipped : nullptr);
        if (!skipped.empty()) {
            cli::note(common_, fmt::format("warning: {} of {} users are not in the model, and are left out; "
                                           "the first is {}",
                                           cli::group_digits(skipped.size()),
                                           cli::group_digits(users.size() + skipped.size()),
                                           readers::shown(skipped.front())));
        }
        return users;
    }
    void top_items() const {
        require_items();
        std::optional<std::vector<VertexId>> users;
        if (options_.fold_in) users = new_users_;
        if (!options_.users.empty()) users = named_users();
        const ExcludedItems left_out{rated(), !options_.include_taken};
        cli::end_stage("read");
        RecordWriter writer(options_.output, common_.json, {"recommendations", "user", "item", "score"},
                            model_.row_ids, model_.col_ids);
        say_what_lists();
        if (left_out.taken && !model_.taken.known() && !options_.exclude)
            cli::note(
                common_,
                "note: the model file does not contain the ratings to which the model was fitted: lists may "
                "contain items that the user has taken; --exclude RATINGS leaves these items out");
        cli::Common common = common_;
        if (options_.output == "-" && isatty(STDOUT_FILENO))  // the printed lines already show the progress
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
        cli::note(common_,
                  is_implicit()
                      ? "note: the model was trained on sampled pairs; lists are better with a model of "
                        "lockstep-train --feedback implicit --solver als, which uses all pairs"
                      : "note: the model predicts ratings; lists of the items that users take next are "
                        "better with a model of lockstep-train --feedback implicit");
    }
    /// Prints a note if RMSE and MAE are meaningless: a model of implicit feedback predicts 1 for every taken
    /// item.
    void say_what_errors(const Dataset& truth) const {
        const auto& weights = truth.graph.value;
        if (is_implicit() && std::any_of(weights.begin(), weights.end(), [](float w) { return w != 1; }))
            cli::note(common_,
                      "note: the model predicts whether users take an item (1), and not their ratings: RMSE "
                      "and MAE are meaningless here, only the lists are meaningful");
    }
    void evaluation() const {
        require_items();
        const Dataset truth = read_ratings(*options_.evaluate, options_.reading.reading());
        cli::end_stage("read");
        say_what_errors(truth);
        EvaluationQuestion question;
        question.scale = scale();
        question.at = options_.at;
        if (options_.relevant) question.relevant = static_cast<float>(*options_.relevant);
        question.unknown = options_.unknown == "error"  ? EvaluationQuestion::UnknownPairPolicy::refused
                           : options_.unknown == "bias" ? EvaluationQuestion::UnknownPairPolicy::by_bias
                                                        : EvaluationQuestion::UnknownPairPolicy::left_out;
        const KnownRatings known = rated();
        cli::end_stage("read");
        const Evaluation found = evaluate(model_, truth, question, known, common_);
        cli::end_stage("evaluate");
        cli::OutputFile file(options_.output);
        if (common_.json) {
            const nlohmann::ordered_json json{
                {"evaluation", evaluation_json(found, question, *options_.model, *options_.evaluate)},
                {"seconds", cli::stage_seconds()},
                {"peak_bytes", cli::peak_memory()}};
            file.write(cli::json_text(json, -1) + '\n');
        } else {
            file.write(evaluation_text(found, question));
        }
        file.commit();
    }

    const PredictOptions& options_;
    const Fields& given_;
    const cli::Common& common_;
    Model model_;
    std::vector<VertexId> new_users_;
};

int body(const PredictOptions& options, const Fields& given, const cli::Common& common) {
    return Query(options, given, common).answer();
}

}  // namespace
}  // namespace lockstep::predict

int lockstep::cli::run_program(int argc, char** argv) {
    const Program program{
        "lockstep-predict", "lockstep-predict MODEL.h5 --pairs FILE|--top N|--evaluate FILE [options]",
        "Predicts ratings, ranks items and measures errors with a model of lockstep-train or "
        "lockstep-execute. All IDs are those of the file from which the model was trained. Writes lines "
        "`row col prediction`, `user item score rank` or `item other similarity rank`.",
        "  lockstep-predict m.h5 --top 10 --exclude ratings.txt -o top.txt\n"
        "  lockstep-predict m.h5 --top 5 --similar 42\n"
        "  lockstep-predict m.h5 --evaluate test.txt --exclude ratings.txt\n"
        "  lockstep-predict m.h5 --fold-in new-users.txt --top 10 --exclude new-users.txt\n"};
    return run(argc, argv, program, {"model"}, predict::body);
}
