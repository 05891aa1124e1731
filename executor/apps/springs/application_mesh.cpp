#include "apps/springs/application_mesh.hpp"

#include <fmt/format.h>

#include "lockstep/formats/output_file.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::springs {

namespace {

std::string_view next_word(std::string_view& line) {
    line = readers::trim(line);
    const std::string_view word = line.substr(0, line.find_first_of(" \t#"));
    line.remove_prefix(word.size());
    return word;
}

/// Removes the normals from the corners of a face or line of an .obj mesh: "f 1/2/3 4//5" becomes "f 1/2 4".
std::string without_normals(std::string_view line) {
    std::string face;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
        const std::size_t normal = word.find('/', std::min(word.size(), word.find('/')) + 1);
        word = word.substr(0, normal);
        if (word.ends_with('/')) word.remove_suffix(1);
        face += (face.empty() ? "" : " ") + std::string(word);
    }
    return face;
}

}  // namespace

void write_moved_mesh(const std::string& path, const std::string& from, const IdMap& ids,
                      const std::vector<Particle>& particles) {
    InputFile mesh(from);
    OutputFile file(path);
    std::uint64_t points = 0;
    readers::for_each_line(mesh, [&](std::uint64_t, std::string_view line) {
        std::string_view rest = line;
        const std::string_view word = next_word(rest);
        if (word == "vn") return;
        std::string text(line);
        if (word == "f" || word == "l") text = without_normals(line);
        if (word == "v") {
            if (const auto v = ids.find(std::to_string(++points))) {
                const Particle& p = particles[*v];
                text = fmt::format("v {:.9g} {:.9g} {:.9g}", p.x, p.y, p.z);
            }
        }
        file.write(text + '\n');
    });
    file.commit();
}

}  // namespace lockstep::springs
