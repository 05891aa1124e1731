// Checked calls of HDF5: sessions exclude each other, results are checked, and IDs close themselves.
#pragma once

#define H5_USE_110_API 1
#include <hdf5.h>

#include <concepts>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/formats/error.hpp"

namespace lockstep::hdf5 {

/// Description of the fault of a file, without its path, which `reading` and `writing` add.
class Failed : public Error {
public:
    using Error::Error;
};

/// Thrown when HDF5 itself ran out of memory.
struct OutOfMemory : std::bad_alloc {};

/// Turns off HDF5's error printing on this thread. The destructor restores the previous setting, except
/// during an exception.
class Quiet {
public:
    Quiet();
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

private:
    int exceptions_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

/// Guard for calls of HDF5: holds the lock of the library, and turns its error printing and its plugins off.
class Session {
public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    /// recursive, since a commit reads the file that it is about to replace.
    std::unique_lock<std::recursive_mutex> alone_;
    Quiet quiet_;
    unsigned plugins_ = 0;
};

/// Throws std::bad_alloc unless HDF5 has enough free memory until the next call of this function. HDF5 does
/// not survive every failed allocation.
void require_memory();

/// Returns `result` if it is not negative. Otherwise throws Failed with `what` and HDF5's innermost message,
/// or OutOfMemory if HDF5 reports that it ran out of memory.
template <class Result>
Result check(Result result, std::string_view what);
[[noreturn]] void fail(std::string_view what);  ///< throws like check, unconditionally

/// An HDF5 ID, closed by the function for its type.
class Handle {
public:
    Handle() = default;
    /// Takes ownership of an ID. Throws Failed if the ID is negative, with a message in up to three parts.
    Handle(hid_t id, herr_t (*closer)(hid_t), std::string_view what, std::string_view more = {},
           std::string_view end = {})
        : id_(id), close_(closer) {
        if (id < 0) fail(std::string(what).append(more).append(end));
    }
    /// Deleted: building the message before the call could run out of memory, lose the ID and leave the file
    /// open.
    template <std::same_as<std::string> Text>
    Handle(hid_t, herr_t (*)(hid_t), Text&&) = delete;
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    hid_t get() const noexcept { return id_; }
    /// Closes the ID now and checks the result.
    void close(std::string_view what) {
        if (id_ >= 0) check(close_(std::exchange(id_, -1)), what);
    }

private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// An open HDF5 file and the registration of its file driver. The registration ends after the file is closed:
/// H5Fclose calls the driver once more after it has released the file's own reference to the driver.
class File {
public:
    File() = default;
    File(Handle driver, Handle file) : driver_(std::move(driver)), file_(std::move(file)) {}
    hid_t get() const noexcept { return file_.get(); }
    /// Closes the file now and throws Failed with `what` when that fails.
    void close(std::string_view what) { file_.close(what); }

private:
    Handle driver_, file_;  // destroyed in reverse order
};

}  // namespace lockstep::hdf5
