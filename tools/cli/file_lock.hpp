// A file lock that serializes programs on one machine.
#pragma once

#include <string>

#include "cli.hpp"

namespace lockstep::cli {

/// An exclusive lock on the file `path`, held until destruction. The constructor creates the file if it does
/// not exist, and prints a note if it has to wait. On a file system without locks it does not wait. Throws
/// OutputError, and Interrupted.
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

/// A lock for programs that read a file and then replace it. It uses a separate file in the same folder,
/// since HDF5 has a lock of its own on the file that it reads.
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
