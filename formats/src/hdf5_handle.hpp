// The calls of HDF5: one conversation at a time, results that are checked, ids that close themselves.
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

/// What is wrong with a file, without its path: `reading` and `writing` add that.
class Failed : public Error {
public:
    using Error::Error;
};

/// HDF5's own lack of memory.
struct OutOfMemory : std::bad_alloc {};

/// HDF5 prints nothing on this thread. What was set before is put back at the end, unless by an error.
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

/// The scope of a conversation with HDF5: one at a time, quiet, no plugins.
class Session {
public:
    Session();
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

private:
    std::unique_lock<std::recursive_mutex> alone_;  ///< a commit looks at the file that it replaces
    Quiet quiet_;
    unsigned plugins_ = 0;
};

/// Throws std::bad_alloc unless there is room for what HDF5 may need until it is asked for again: it does
/// not survive every allocation that fails.
void require_memory();

/// Throws Failed with `what` and HDF5's innermost message when `result` is negative; OutOfMemory where
/// HDF5 says that it had no memory.
template <class Result>
Result check(Result result, std::string_view what);
[[noreturn]] void fail(std::string_view what);  ///< the same, unconditionally

/// An HDF5 id, closed with its own function.
class Handle {
public:
    Handle() = default;
    /// Throws Failed where there is no id, naming what is wrong in up to three parts.
    Handle(hid_t id, herr_t (*closer)(hid_t), std::string_view what, std::string_view more = {},
           std::string_view end = {})
        : id_(id), close_(closer) {
        if (id < 0) fail(std::string(what).append(more).append(end));
    }
    /// Parts that were put together before would lose the id where memory lacks, and the file would stay
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
    /// Closes now, checked.
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
