// Relaxes the springs of a mesh under a strategy, and compares the positions with those of a serial loop:
//     lockstep-preprocess mesh.txt -o mesh.h5 --ends vertices --schedule all
//     springs mesh.h5 local
#include <cmath>
#include <cstring>
#include <iostream>

#include "lockstep/executor/update/run.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "relax.hpp"

using namespace lockstep;

bool alike(const Positions& a, const Positions& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(Spring::Vertex)) == 0;
}

int main(int, char** argv) try {
    const Strategy& strategy = find_strategy(argv[2]);
    std::vector<std::string> needed;
    if (strategy.schedule) needed.push_back(strategy.schedule);
    const ScheduleFile file = read_schedule_file(argv[1], needed);
    const Schedule* const schedule = needed.empty() ? nullptr : &file.schedules[0].schedule;

    update::Run<Spring> run(file.dataset.graph, strategy, schedule),
        serial(file.dataset.graph, strategy, schedule);
    // arbitrary initial positions; the first vertex does not move
    for (VertexId v = 0; v < file.dataset.graph.rows; ++v)
        run.vertices[v] = {std::sin(7.0F * v), std::sin(11.0F * v), std::sin(13.0F * v), v ? 1.0F : 0.0F};
    run.set_edges(std::vector<Spring::Edge>(file.dataset.graph.edges(), {1}));
    serial.vertices = run.vertices, serial.set_edges(run.edges());
    const Positions start = run.vertices;
    for (int sweep = 0; sweep < sweeps; ++sweep) run.sweep(parameters), serial.loop(parameters);

    bool same = alike(run.vertices, serial.vertices);
#if defined(WITH_CUDA)
    if (const Positions there = relax_on_gpu(file.dataset.graph, strategy, schedule, start); !there.empty())
        same = same && alike(there, serial.vertices), std::cout << "CPU and GPU, ";
#endif
    std::cout << strategy.name << ": " << run.plan().edges() << " springs; "
              << (same ? "bitwise identical to a serial loop" : "different from a serial loop") << '\n';
    return same || !strategy.deterministic() ? 0 : 1;
} catch (const std::exception& error) {
    std::cerr << "springs: " << error.what() << '\n';
    return 1;
}
