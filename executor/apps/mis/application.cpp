// A maximal independent set as an application of lockstep-execute: membership in it, by original id.
#include <fmt/format.h>

#include <algorithm>

#include "apps/frame/structure_application.hpp"
#include "apps/mis/reference.hpp"

namespace lockstep {

namespace mis {

namespace {

class Independent final : public StructureApplication {
public:
    using StructureApplication::StructureApplication;

    void list(Fields& basic, Fields& more) override {
        basic.word("priorities", priority_.by_degree, {{"degree", true}, {"random", false}},
                   "order in which vertices enter the set; degree: those with few neighbours first, which "
                   "makes the set larger; random: by --seed");
        list_seed(basic, seed_);
        StructureApplication::list(basic, more);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        StructureApplication::settle(given, request, threads);
        priority_.seed = static_cast<std::uint32_t>(seed_ ^ seed_ >> 32);
    }

private:
    std::vector<std::string> axes() const override { return {"balance", "small", "large", "append", "loop"}; }
    StructureRunner runner(const Input& input, const Strategy& strategy, Device device,
                           int threads) const override {
        const structure::RoundAxes axes = round_axes(strategy);
        const auto plan = plan_of(input, false);
        return keeping(
            plan, device, [&] { return structure::independent_on_cpu(*plan, priority_, threads); },
            [&] {
                return structure::independent_on_cuda(*plan, priority_,
                                                      std::get<structure::Deciding>(strategy.way), axes);
            });
    }
    std::vector<std::uint32_t> reference(const Graph& graph) const override {
        return reference_set(graph, priority_);
    }
    Columns by_vertex(const Graph&, std::vector<std::uint32_t> values) const override {
        return {{"members", std::move(values)}};
    }
    std::string problem(const Graph& graph, const Columns& columns) const override {
        return problem_of_set(graph, priority_, first_of(columns));
    }
    std::string proof() const override {
        return "a vertex is in the set just where no neighbour that goes before it is";
    }
    std::pair<nlohmann::ordered_json, std::string> summary(const Columns& columns) const override {
        const auto& members = first_of(columns);
        const auto size = static_cast<EdgeId>(std::count(members.begin(), members.end(), 1U));
        return {{{"vertices", size}}, fmt::format("{} vertices in the set", text::grouped(size))};
    }
    Rule rule(const ScheduleFileSummary&, bool gpu) const override {
        return {"best", gpu ? "one launch, in which no vertex waits for a round"
                            : "a thread looks again at what waits, without rounds"};
    }
    std::map<std::string, std::string> parameters() const override {
        return {{"priorities", priority_.by_degree ? "degree" : "random"}};
    }
    std::uint64_t seed() const override { return seed_; }

    structure::Priority priority_;
    std::uint64_t seed_ = 1;
};

}  // namespace

}  // namespace mis

const Spec& mis_spec() {
    static const Spec spec{
        .name = "mis",
        .summary = "maximal independent set, the first one in an order of the vertices (square graphs)",
        .example = "web.txt.gz --app mis --priorities random --verify",
        .strategies = "mis",
        .round = "run",
        .result = "set",
        .value = "member",
        .make = make_application<mis::Independent>};
    return spec;
}

}  // namespace lockstep
