// The command-line options that specify how an input file is read.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::cli {

class InputOptions {
public:
    /// Lists --format, --member, --shape, --undirected, --repeats, --rows-column, --cols-column,
    /// --value-column, --time-column, --delimiter, --header, --no-input-order, --nonnegative and --memory, in
    /// a section of their own.
    void list(Fields& fields);
    /// Lists --feedback, --positive-from and --negatives.
    void list_feedback(Fields& fields, std::uint32_t min_negatives = 1);

    /// Returns the reading options; the memory limit defaults to the physical memory. The seed is that of the
    /// pairs that are sampled for implicit feedback. Throws UsageError.
    ReadOptions reading(std::uint64_t seed = 1) const;

    std::optional<std::string> memory;  ///< as given: "8G"
    bool is_implicit = false;           ///< --feedback implicit

private:
    ReadOptions read_;  ///< as given, before `reading` checks and completes them
    bool no_input_order_ = false;
    std::optional<double> positive_from_;
    std::optional<std::uint32_t> negatives_;
};

/// Returns the input options that were given, except those of feedback.
std::vector<const Field*> given_input_options(const Fields& given);

/// Throws UsageError if an input option other than those `allowed` is given although the input is the
/// schedule file `path`, whose graph was read before.
void refuse_input_options(const Fields& given, const std::string& path,
                          std::initializer_list<std::string_view> allowed = {"memory"});

}  // namespace lockstep::cli
