#include "lockstep/executor/edge/hubs.hpp"

namespace lockstep {

std::optional<std::string> HubsPlan::why_not(const EdgeList& edges, const OperatorSize& size,
                                             const gpu::Properties& device) const {
    if (phases() == 0) return {};
    if (size.hub_bytes == 0) return stars.why_not(edges, size, device);
    if (device.multiprocessors >= hub_parts && size.hub_bytes <= device.shared_bytes) return {};
    return "hub passes need " + std::to_string(hub_parts) + " multiprocessors of " +
           std::to_string(size.hub_bytes) + " bytes of shared memory, this device has " +
           std::to_string(device.multiprocessors) + " of " + std::to_string(device.shared_bytes) +
           "; preprocess with --hub-passes 0";
}

}  // namespace lockstep
