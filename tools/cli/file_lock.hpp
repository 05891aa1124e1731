// A lock that programs on one machine share through a file.
#pragma once

#include <string>

namespace lockstep::cli {

/// Waits for the exclusive lock of `path`, which is created where it lacks; held until destruction. Throws
/// OutputError.
class FileLock {
public:
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_;
};

}  // namespace lockstep::cli
