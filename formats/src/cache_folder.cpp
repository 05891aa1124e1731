#include "lockstep/formats/cache_folder.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "lockstep/schedules/error.hpp"

namespace lockstep {

std::optional<std::filesystem::path> known_cache_folder() {
    const auto set = [](const char* name) -> const char* {
        const char* value = std::getenv(name);
        return value && *value ? value : nullptr;
    };
    if (const char* own = set("LOCKSTEP_CACHE")) return own;
    if (const char* xdg = set("XDG_CACHE_HOME")) return std::filesystem::path(xdg) / "lockstep";
    if (const char* home = set("HOME")) return std::filesystem::path(home) / ".cache" / "lockstep";
    // Services and containers may run without $HOME.
    if (const passwd* user = getpwuid(getuid()); user && user->pw_dir && *user->pw_dir)
        return std::filesystem::path(user->pw_dir) / ".cache" / "lockstep";
    return {};
}

std::filesystem::path cache_folder() {
    if (const auto folder = known_cache_folder()) return *folder;
    throw Error("there is no cache folder: set LOCKSTEP_CACHE to a folder");
}

bool is_cached(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

namespace {

/// Returns the line of the file `proved` for a schedule. The first number is the version of the verifier: if
/// a later version checks more, schedules are verified again.
std::string verification_line(const std::string& graph_hash, const std::string& schedule_hash) {
    return "1 " + graph_hash + ' ' + schedule_hash;
}

}  // namespace

bool is_verified(const std::string& graph_hash, const std::string& schedule_hash) try {
    const std::string wanted = verification_line(graph_hash, schedule_hash);
    const std::filesystem::path path = cache_folder() / "proved";
    if (!is_cached(path)) return false;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line == wanted) return true;
    }
    return false;
} catch (const Error&) {
    return false;
}

void store_verification(const std::string& graph_hash, const std::string& schedule_hash) try {
    constexpr std::uintmax_t max_bytes = 1 << 20;
    if (is_verified(graph_hash, schedule_hash)) return;
    const std::filesystem::path folder = cache_folder(), path = folder / "proved";
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    if (exists(path, ignored) && !is_cached(path)) return;
    const auto size = std::filesystem::file_size(path, ignored);
    const bool anew = !ignored && size > max_bytes;
    std::ofstream file(path, anew ? std::ios::trunc : std::ios::app);
    file << verification_line(graph_hash, schedule_hash) + '\n'
         << std::flush;  // written by a single call, so that lines of concurrent runs do not mix
} catch (const Error&) {
}

}  // namespace lockstep
