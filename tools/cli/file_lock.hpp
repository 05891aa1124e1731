// A lock that programs on one machine share through a file.
#pragma once

#include <string>

#include "cli.hpp"

namespace lockstep::cli {

/// Waits for the exclusive lock of `path`, which is created where it lacks, and says that it waits; held
/// until destruction. A file system without locks has none to wait for. Throws OutputError, and Interrupted.
class FileLock {
public:
    FileLock(const std::string& path, const Common& common);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    bool locks(const std::string& path, int how) const;
    int file_ = -1;
};

/// The lock of those that read a file and then put another one in its place. It is beside the file, since
/// HDF5 has its own on what it reads.
class ReplacementLock {
public:
    ReplacementLock(const std::string& path, const Common& common);
    ~ReplacementLock();
    ReplacementLock(const ReplacementLock&) = delete;
    ReplacementLock& operator=(const ReplacementLock&) = delete;

private:
    std::string beside_;
    FileLock lock_;
};

}  // namespace lockstep::cli
