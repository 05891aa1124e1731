// The command-line options of the schedule builders (--workers, --star-edges, …). lockstep-preprocess and the
// C interface use them.
#pragma once

#include <optional>
#include <string>

#include "insight/build_options.hpp"
#include "lockstep/formats/fields.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

class BuilderOptions {
public:
    /// Lists --workers, --matching, --item-blocks, …: the options for the members of BuildOptions except the
    /// seed, and --probe.
    void list(Fields& fields);
    /// Returns the given options, but not those of --probe. Throws UsageError.
    BuildOptions build(std::uint64_t seed) const;

    std::optional<std::string> probe;
    std::optional<VertexId> workers;

private:
    BuildOptions build_ = insight::default_build_options();
    VertexId shared_memory_kilobytes_ = static_cast<VertexId>(build_.shared_memory_bytes >> 10);
    std::string item_blocks_ = "auto";
    std::optional<std::string> block_;
};

}  // namespace lockstep
