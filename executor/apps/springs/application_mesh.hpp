// Writes a Wavefront mesh (.obj) with the positions of the last frame.
#pragma once

#include <string>
#include <vector>

#include "apps/springs/spring.hpp"
#include "lockstep/formats/id_map.hpp"

namespace lockstep::springs {

/// Copies the mesh in the file `from` (.obj) to `path`, with the positions of `particles` instead of its own.
/// `ids` contains the ID of each particle in the mesh. Points without a particle keep their positions.
/// Normals are omitted, since they no longer match the positions. Throws FormatError and OutputError.
void write_moved_mesh(const std::string& path, const std::string& from, const IdMap& ids,
                      const std::vector<Particle>& particles);

}  // namespace lockstep::springs
