// The options of SGD that select test edges other than at random: --test, --test-latest and --export-test.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/split.hpp"

namespace lockstep::sgd {

class SplitOptions {
public:
    void list(Fields& more);
    /// Throws UsageError if the options select test edges in several ways. `fraction` is the value of
    /// --test-fraction.
    void settle(const Fields& parameters, double fraction) const;
    /// Returns true if an option other than --test-fraction selects the test edges.
    bool given() const { return test_ || latest_ > 0; }

    /// Returns the split of the graph of a run into training and test edges. Edges of the file of --test
    /// whose IDs are not in the graph are omitted and counted. Throws FormatError if no test edge remains, or
    /// if --test-latest is given and the graph's file has no times.
    Split split(const Input& input, double fraction, std::uint64_t seed);
    /// If --export-test is given, writes the test edges with their original IDs to a file. Throws
    /// OutputError.
    void write(const Input& input, const Split& split) const;

    /// describe() adds the options to the run record; remark() returns a note for the user, such as the
    /// number of omitted edges.
    void describe(RunHeader& header) const;
    std::string remark() const;

private:
    std::optional<std::string> test_, export_;
    double latest_ = 0;
    EdgeId unknown_ = 0, given_ = 0;  ///< numbers of edges in the file of --test: omitted, and all
};

}  // namespace lockstep::sgd
