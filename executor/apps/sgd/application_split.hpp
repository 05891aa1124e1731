// --test, --test-latest and --export-test of SGD.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/split.hpp"

namespace lockstep::sgd {

class SplitOptions {
public:
    void list(Fields& more);
    /// Throws UsageError if several splits are requested. `fraction` is that of --test-fraction.
    void settle(const Fields& parameters, double fraction) const;
    /// Returns whether the test edges are chosen by an option other than --test-fraction.
    bool given() const { return test_ || latest_ > 0; }

    /// Returns the split of the graph of a run. Edges of --test with an ID that is not in the graph are left
    /// out, and counted. Throws FormatError if no edge is left, or if the graph's file has no times.
    Split split(const Input& input, double fraction, std::uint64_t seed);
    /// Writes the test edges by original ID, if --export-test is given. Throws OutputError.
    void write(const Input& input, const Split& split) const;

    /// Adds the options to the record of the run; `remark` returns a note for the user.
    void describe(RunHeader& header) const;
    std::string remark() const;

private:
    std::optional<std::string> test_, export_;
    double latest_ = 0;
    EdgeId unknown_ = 0, given_ = 0;  ///< numbers of edges of --test
};

}  // namespace lockstep::sgd
