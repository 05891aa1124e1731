// The user's cache: what was measured or proved once.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lockstep {

/// $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else .cache/lockstep in $HOME or in the user's home folder.
/// Nothing where none of these is known.
std::optional<std::filesystem::path> known_cache_folder();
/// The same. Throws Error (failed) where there is none.
std::filesystem::path cache_folder();

/// Whether there is such a file of the cache: a regular one, since a FIFO would wait for a writer.
bool is_cached(const std::filesystem::path& path);

/// Schedules that were proved, by the hashes of their graph and of their arrays: lines of `proved` in the
/// cache folder, begun anew when there are many. A folder that cannot be read or written forgets.
bool was_proved(const std::string& graph_hash, const std::string& schedule_hash);
void remember_proof(const std::string& graph_hash, const std::string& schedule_hash);

}  // namespace lockstep
