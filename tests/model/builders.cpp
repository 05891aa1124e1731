// Tests every builder on random graphs with random options: its schedule passes the verification, has at
// least the minimum number of rounds, and is the same for any number of threads.
#include <omp.h>

#include "lockstep/schedules/verify.hpp"
#include "model.hpp"

namespace lockstep::model {

namespace {

bool same(const Schedule& a, const Schedule& b) {
    return a.order == b.order && a.offsets == b.offsets && a.residents == b.residents &&
           a.resident_offsets == b.resident_offsets && a.row_order == b.row_order &&
           a.col_order == b.col_order && a.row_parts == b.row_parts && a.col_parts == b.col_parts &&
           a.locked == b.locked && a.parameters == b.parameters;
}

}  // namespace

bool builders_keep_their_promises(Session& session, std::uint64_t seed, int tries) {
    return check("every schedule of a random graph is exact, short and one for any number of threads", seed,
                 tries, [&] {
                     const Graph graph = *graphs();
                     const BuildOptions options = *build_options();
                     for (const Builder& builder : builders()) {
                         if (!session.next()) return;
                         RC_LOG() << builder.name;
                         omp_set_num_threads(1);
                         Schedule schedule;
                         try {
                             schedule = builder.build(graph, options);
                         } catch (const Error& e) {
                             RC_LOG() << ": " << e.what();
                             RC_ASSERT((e.failure() == Failure::usage || e.failure() == Failure::bad_input));
                             ++session.refused;
                             continue;
                         }
                         RC_ASSERT(refusal(builder.name, graph, options).empty());
                         const Verification proof = verify(graph, schedule);
                         for (const std::string& problem : proof.problems) RC_LOG() << ": " << problem;
                         RC_ASSERT(proof.ok());
                         RC_ASSERT(verify_concurrency(graph, schedule).ok());
                         const ScheduleStatistics rounds = statistics(schedule);
                         if (schedule.disjoint == Disjoint::both && !schedule.has(Level::task) &&
                             !schedule.has(Level::step) && schedule.locked == 0) {
                             RC_ASSERT(rounds.rounds >= max_degree(graph).both());
                         }
                         omp_set_num_threads(3);
                         RC_ASSERT(same(schedule, builder.build(graph, options)));
                     }
                 });
}

}  // namespace lockstep::model
