// A search for rank, learning rate and regularisation by trials within a time budget.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "cli.hpp"

namespace lockstep::train {

struct SearchOptions {
    std::optional<double> seconds;
    std::uint32_t folds = 3;

    /// Lists --search and --folds.
    void list(Fields& basic, Fields& tuning);
};

/// Return the smallest and the largest rank that a search tries: a quarter and four times the rank of the
/// options.
std::uint32_t min_rank(const sgd::SgdOptions& options);
std::uint32_t largest_rank(const sgd::SgdOptions& options);

/// Changes `options` to the best setting that was found within `seconds` seconds; the given setting is always
/// tried. Uses pattern search (Hooke and Jeeves, JACM 8, 1961): one of the three parameters is multiplied or
/// divided by 2 (then √2, √√2) as long as this improves the result. Settings are compared by the RMSE of a
/// cross-validation over `folds` parts of the edges that `split` trains on, each held out once, with early
/// stopping. All trials run on the schedule of `input`. If there are no test edges, the run gets as many
/// sweeps as the best trial had on average. Returns the results as JSON, and as text in `text`. Throws
/// Interrupted, and Error if the first trial fails.
nlohmann::ordered_json search(const Input& input, const sgd::Split& split, double seconds,
                              std::uint32_t folds, sgd::SgdOptions& options, const cli::Common& common,
                              std::string& text);

}  // namespace lockstep::train
