// Checked calls of the HDF5 library: a session holds a lock on the library, results of calls are checked, and
// IDs are closed automatically.
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

/// An error in a file. Its text has no path; reading() and writing() add the path.
class Hdf5Error : public Error {
public:
    using Error::Error;
};

/// Thrown if the HDF5 library itself has run out of memory.
struct OutOfMemory : std::bad_alloc {};

/// Turns off the printing of errors by HDF5 on this thread. The destructor restores the previous setting,
/// unless an exception is in flight.
class Hdf5ErrorSilencer {
public:
    Hdf5ErrorSilencer();
    ~Hdf5ErrorSilencer();
    Hdf5ErrorSilencer(const Hdf5ErrorSilencer&) = delete;
    Hdf5ErrorSilencer& operator=(const Hdf5ErrorSilencer&) = delete;

private:
    int exceptions_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

/// A scope in which HDF5 is called. It holds the lock of the library, and turns off its printing of errors
/// and its plugins.
class Session {
public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    /// Recursive, because a commit may read the file that it is about to replace, in a session of its own.
    std::unique_lock<std::recursive_mutex> alone_;
    Hdf5ErrorSilencer quiet_;
    unsigned plugins_ = 0;
};

/// Throws std::bad_alloc unless enough memory is free for HDF5 until the next call of this function. This is
/// necessary because HDF5 crashes after some failed allocations.
void require_memory();

/// Returns `result` if it is not negative. Otherwise throws Hdf5Error, with `what` and HDF5's innermost
/// message as text, or OutOfMemory if HDF5 has run out of memory.
template <class Result>
Result check(Result result, std::string_view what);
[[noreturn]] void fail(std::string_view what);  ///< throws like check(), in every case

/// An HDF5 ID, which the destructor closes with the function for its type.
class Handle {
public:
    Handle() = default;
    /// Takes ownership of `id`. Throws Hdf5Error if `id` is negative. The message is the concatenation of the
    /// three texts.
    Handle(hid_t id, herr_t (*closer)(hid_t), std::string_view what, std::string_view more = {},
           std::string_view end = {})
        : id_(id), close_(closer) {
        if (id < 0) fail(std::string(what).append(more).append(end));
    }
    /// Deleted, so that callers do not concatenate the message before the call: if that ran out of memory,
    /// the ID would be lost and the file stay open.
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
    /// Closes the ID and checks the result.
    void close(std::string_view what) {
        if (id_ >= 0) check(close_(std::exchange(id_, -1)), what);
    }

private:
    hid_t id_ = -1;
    herr_t (*close_)(hid_t) = nullptr;
};

/// An open HDF5 file, and the registration of the driver that it uses. The registration must end after the
/// file is closed, because H5Fclose calls the driver even after it has released its own reference to the
/// driver.
class File {
public:
    File() = default;
    File(Handle driver, Handle file) : driver_(std::move(driver)), file_(std::move(file)) {}
    hid_t get() const noexcept { return file_.get(); }
    /// Closes the file. Throws Hdf5Error with `what` if this fails.
    void close(std::string_view what) { file_.close(what); }

private:
    Handle driver_, file_;  // destroyed in reverse order, i.e. the file first
};

}  // namespace lockstep::hdf5
