#include "insight/scale.hpp"

#include "insight/probe.hpp"

namespace lockstep::insight {

namespace {

/// Returns the time per edge for vectors of this size, relative to the time for vectors of 256 bytes.
/// Measured at ranks 16, 32, 64 and 128 on ratings of low skew: docs/data/tiled-h200.json and
/// tiled-ranks-h200.json.
double edge_factor(double vector_bytes) {
    static const Curve curve{{64, 128, 256, 512}, {9.4 / 20, 9.4 / 13.9, 1, 9.4 / 4.9}};
    return curve.at(vector_bytes);
}

}  // namespace

ScalePrediction predict_scale(const Statistics& statistics, double vector_bytes, const Cluster& cluster,
                              EdgeId groups, const ScaleFigures& f) {
    const auto rows = static_cast<double>(statistics.rows.vertices),
               cols = static_cast<double>(statistics.cols.vertices),
               edges = static_cast<double>(statistics.edges), gpus = static_cast<double>(cluster.gpus),
               col_blocks = static_cast<double>(f.col_blocks);
    ScalePrediction p;
    const auto turns = static_cast<EdgeId>(std::ceil(cols * vector_bytes / (col_blocks * f.col_block)));
    p.groups = groups ? groups : cluster.gpus;
    p.laps = (std::max<EdgeId>(turns, 1) + p.groups - 1) / p.groups;
    // Number of item groups per GPU. Each item group is combined with all user groups.
    const auto g = static_cast<double>(p.groups), own = g * static_cast<double>(p.laps) / gpus;
    const double row_blocks = std::max(2 * col_blocks, std::ceil(rows * vector_bytes / (g * f.row_block)));
    p.edges = edges / gpus * f.edge * edge_factor(vector_bytes);
    p.visited = 2 * rows * vector_bytes * own * col_blocks;
    p.phases = std::max(p.visited / f.visits, own * g * row_blocks * f.phase);
    p.waiting = f.wait * (1 - 1 / gpus) * p.work();
    p.passed = cluster.gpus > 1 ? rows / g * vector_bytes : 0;
    if (cluster.gpus > 1) p.links = g * (cluster.hosts > 1 ? f.network : f.nvlink).seconds(p.passed);
    // The memory of a GPU contains the current vectors, a copy of the best vectors so far, and the vectors in
    // the order of the blocks.
    p.memory = (3 * rows + (cluster.gpus > 1 ? 3 : 2) * cols) * vector_bytes;
    p.streams = edges / gpus * f.stream + own * g * row_blocks * col_blocks * f.tile;
    p.fits = p.memory < f.memory;
    p.streamed = p.memory + p.streams > f.memory;
    if (p.streamed) p.copies = f.from_host.seconds(p.streams);
    return p;
}

}  // namespace lockstep::insight
