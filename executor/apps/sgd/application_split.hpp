// --test, --test-latest and --export-test of SGD.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/split.hpp"

namespace lockstep::sgd {

class SplitOptions {
public:
    void list(Fields& more);
    /// Throws UsageError where several splits are asked for. `fraction` is that of --test-fraction.
    void settle(const Fields& parameters, double fraction) const;
    /// Whether test edges are taken otherwise than by --test-fraction.
    bool given() const { return test_ || latest_ > 0; }

    /// Of the graph of a run. Edges of --test whose ids it has not are left out, and counted. Throws
    /// FormatError where none is left, or where the graph's file has no times.
    Split split(const Input& input, double fraction, std::uint64_t seed);
    /// Writes the test edges by original id, where that is asked for. Throws OutputError.
    void write(const Input& input, const Split& split) const;

    /// For the record, and for a person.
    void describe(RunHeader& header) const;
    std::string remark() const;

private:
    std::optional<std::string> test_, export_;
    double latest_ = 0;
    EdgeId unknown_ = 0, given_ = 0;  ///< edges of --test
};

}  // namespace lockstep::sgd
