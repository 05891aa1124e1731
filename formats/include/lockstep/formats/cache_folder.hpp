// The user's cache folder, which stores results of measurements and verifications, so that later runs need
// not repeat them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lockstep {

/// Returns $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else .cache/lockstep in $HOME or in the user's
/// home folder. Returns std::nullopt if none of these is known.
std::optional<std::filesystem::path> known_cache_folder();
/// Returns the cache folder, like known_cache_folder(). Throws Error (failed) if it is not known.
std::filesystem::path cache_folder();

/// Returns true if `path` is a regular file. Other files are not used as cache, since opening a FIFO would
/// wait for a writer.
bool is_cached(const std::filesystem::path& path);

/// Returns whether an earlier run has verified the schedule with these hashes, according to the file `proved`
/// in the cache folder. Returns false if the folder cannot be read.
bool is_verified(const std::string& graph_hash, const std::string& schedule_hash);
/// Stores that the schedule with these hashes was verified, as one line of the file `proved`. The file is
/// started again when it exceeds 1 MiB. Does nothing if the folder cannot be written.
void store_verification(const std::string& graph_hash, const std::string& schedule_hash);

}  // namespace lockstep
