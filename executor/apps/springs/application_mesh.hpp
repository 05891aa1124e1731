// Wavefront meshes with the positions of the last frame.
#pragma once

#include <string>
#include <vector>

#include "apps/springs/spring.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep::springs {

/// Copies the mesh `from` (.obj) to `path` with the positions of `particles`, which are by vertex of `ids`.
/// Points that are no vertex keep their positions. Normals are left out, because they no longer hold. Throws
/// FormatError, OutputError.
void write_moved_mesh(const std::string& path, const std::string& from, const IdMap& ids,
                      const std::vector<Particle>& particles);

}  // namespace lockstep::springs
