// Loads a schedule file, and runs the edge operator of strengths.hpp on the CPU and on the GPU:
//     lockstep-preprocess ratings.txt -o ratings.h5 --schedule agm-e
//     edge_operator ratings.h5 [STRATEGY]
#include <cmath>
#include <exception>
#include <iostream>

#include "lockstep/executor/edge/execute.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "strengths.hpp"

namespace {

using lockstep::EdgePlan;

Strengths zeros(const EdgePlan& plan) {
    return {std::vector<Strength>(plan.rows), std::vector<Strength>(plan.cols)};
}

/// Returns the expected result, computed by a serial loop over the edges without schedules and operators.
Strengths in_a_loop(const EdgePlan& plan) {
    Strengths result = zeros(plan);
    for (lockstep::EdgeId e = 0; e < plan.edges(); ++e) {
        for (Strength* vertex : {&result.rows[plan.row[e]], &result.cols[plan.col[e]]}) {
            vertex->sum += plan.value[e];
            vertex->heaviest = std::max(vertex->heaviest, plan.value[e]);
        }
    }
    return result;
}

Strengths on_cpu(const EdgePlan& plan) {
    Strengths result = zeros(plan);
    const StrengthOperator<lockstep::HostLanes<1>> op{result.rows.data(), result.cols.data()};
    lockstep::cpu::Locks locks(plan);
    lockstep::cpu::execute(plan, op, locks, omp_get_max_threads());
    return result;
}

/// Returns the largest relative difference between two results. It is 0 if the strategy is deterministic, and
/// a rounding error if locks decide the order of the additions.
double difference(const std::vector<Strength>& a, const std::vector<Strength>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max({largest, std::abs(double{a[i].sum} - b[i].sum) / std::max(1.0F, b[i].sum),
                            std::abs(double{a[i].heaviest} - b[i].heaviest)});
    }
    return largest;
}

/// Compares a result with that of the serial loop, and prints the difference. Returns true if they agree.
bool agrees(const char* device, const Strengths& result, const Strengths& expected) {
    const double off =
        std::max(difference(result.rows, expected.rows), difference(result.cols, expected.cols));
    std::cout << device << ": "
              << (off == 0 ? "bitwise identical to the serial loop" : "differs from the serial loop by ");
    if (off != 0) std::cout << off;
    std::cout << '\n';
    return off < 1e-5;
}

void print_strongest(const char* side, const std::vector<Strength>& strengths, const lockstep::IdMap& ids) {
    if (strengths.empty()) return;
    lockstep::VertexId strongest = 0;
    for (lockstep::VertexId v = 0; v < strengths.size(); ++v) {
        if (strengths[v].sum > strengths[strongest].sum) strongest = v;
    }
    std::cout << "strongest " << side << ": " << ids.name(strongest) << ", strength "
              << strengths[strongest].sum << ", heaviest edge " << strengths[strongest].heaviest << '\n';
}

int run(const std::string& path, const std::string& name) {
    const lockstep::Strategy& strategy = lockstep::find_strategy(name);
    std::vector<std::string> wanted;
    if (strategy.schedule) wanted.push_back(strategy.schedule);
    const lockstep::ScheduleFile file = lockstep::read_schedule_file(path, wanted);

    // make_plan() throws an error if the strategy could let two workers write one endpoint concurrently.
    const EdgePlan plan = lockstep::make_plan(file.dataset.graph, strategy,
                                              wanted.empty() ? nullptr : &file.schedules[0].schedule);
    std::cout << strategy.name << " (" << strategy.summary << "): " << plan.edges() << " edges";
    if (plan.phases()) std::cout << " in " << plan.phases() << " rounds";
    std::cout << '\n';

    const Strengths expected = in_a_loop(plan);
    bool ok = agrees("CPU", on_cpu(plan), expected);
#ifdef WITH_CUDA
    Strengths result;
    if (strengths_on_gpu(plan, result)) {
        ok = agrees("GPU", result, expected) && ok;
    } else {
        std::cout << "GPU: none found\n";
    }
#else
    std::cout << "GPU: not compiled in\n";
#endif
    print_strongest("row", expected.rows, file.dataset.row_ids);
    print_strongest("column", expected.cols, file.dataset.col_ids);
    return ok ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2 || argc > 3) {
        std::cerr << "usage: edge_operator FILE.h5 [STRATEGY]\n";
        return 2;
    }
    try {
        return run(argv[1], argc > 2 ? argv[2] : "agm-e");
    } catch (const std::exception& error) {
        std::cerr << "edge_operator: " << error.what() << '\n';
        return 1;
    }
}
