// The user's cache folder: results of measurements and verifications that were done once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lockstep {

/// Returns $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else .cache/lockstep in $HOME or in the user's
/// home folder. Returns std::nullopt if none of these is known.
std::optional<std::filesystem::path> known_cache_folder();
/// Returns the same folder as known_cache_folder(). Throws Error (failed) if there is none.
std::filesystem::path cache_folder();

/// Returns true if `path` is a regular file. Other files are not used as cache, since opening a FIFO would
/// wait for a writer.
bool is_cached(const std::filesystem::path& path);

/// The next two functions look up and store verified schedules, identified by the hash of their graph and the
/// hash of their arrays. The cache is the file `proved` in the cache folder, one line per schedule; the file
/// is started again when it exceeds 1 MiB. A folder that cannot be read or written counts as empty.
bool was_proved(const std::string& graph_hash, const std::string& schedule_hash);
void remember_proof(const std::string& graph_hash, const std::string& schedule_hash);

}  // namespace lockstep
