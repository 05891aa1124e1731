// Rank, learning rate and regularisation by trying, within a time.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"
#include "cli.hpp"

namespace lockstep::train {

/// --search SECONDS, and --folds.
void declare_search(cli::Options& basic, cli::Options& tuning);

/// The ranks that are tried: those of the options, times or by 2 and 4.
std::uint32_t least_rank(const sgd::SgdOptions& options);
std::uint32_t largest_rank(const sgd::SgdOptions& options);

/// Changes `options` to the best that were found in so many seconds; at least those it came with are tried.
/// By pattern search (Hooke and Jeeves, JACM 8, 1961): one of the three times or by 2 (then √2, √√2), as long
/// as that is better. What is compared is the RMSE by cross-validation: over `folds` parts of the edges that
/// `split` trains on, each held out once, with early stopping. All trials run on the schedule of `input`.
/// Without test edges the run gets as many sweeps as the best trial had on average. Returns what there is to
/// say, for the JSON; `text` for a person. Throws Interrupted; Error where the first trial fails.
nlohmann::ordered_json search(const Input& input, const sgd::Split& split, double seconds,
                              std::uint32_t folds, sgd::SgdOptions& options, const cli::Common& common,
                              std::string& text);

}  // namespace lockstep::train
