// A library that is preloaded into a program under test and makes its calls fail. Environment variables:
//
//     FAILING_FUNCTION  open, read, write, fsync, rename, close, malloc or pthread_create; includes functions
//                       that do the same under other names (write: also posix_fallocate)
//     FAILING_CALL      number of the call that fails, from 1, counted within main
//     FAILING_ERROR     its error number; default: EIO, ENOMEM for malloc, EAGAIN for pthread_create
//     FAILING_ON        1: all later calls fail, too
//     FAILING_FOLDER    only calls on files below this folder are counted
//     FAILING_REPORT    file to write, with 64-bit numbers: the number of failed calls, whether libhdf5 or
//                       libarchive made the first of them, and the number of calls of each kind in the order
//                       above
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

enum Kind { of_open, of_read, of_write, of_fsync, of_rename, of_close, of_malloc, of_pthread_create, kinds };
constexpr const char* names[] = {"open",   "read",  "write",  "fsync",
                                 "rename", "close", "malloc", "pthread_create"};

struct Report {
    std::atomic<std::uint64_t> failed, in_library, calls[kinds];
};

Report unread{};
Report* report = &unread;
const char* folder = nullptr;
int failing = kinds;
std::uint64_t call = 0;
int error = 0;
bool all_from_there = false;
std::atomic<bool> active{false};
thread_local bool inside __attribute__((tls_model("initial-exec"))) = false;

/// Returns the original function of this name, which this library replaces.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void set_up() {
    folder = std::getenv("FAILING_FOLDER");
    if (const char* const function = std::getenv("FAILING_FUNCTION")) {
        for (failing = 0; failing < kinds && std::strcmp(function, names[failing]) != 0;) ++failing;
    }
    const char* const number = std::getenv("FAILING_CALL");
    const char* const wanted_error = std::getenv("FAILING_ERROR");
    call = number ? std::strtoull(number, nullptr, 10) : 0;
    all_from_there = std::getenv("FAILING_ON") != nullptr;
    error = failing == of_malloc ? ENOMEM : failing == of_pthread_create ? EAGAIN : EIO;
    if (wanted_error) error = std::atoi(wanted_error);
    if (const char* const path = std::getenv("FAILING_REPORT")) {
        const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file >= 0 && ftruncate(file, sizeof(Report)) == 0) {
            void* place = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            if (place != MAP_FAILED) report = static_cast<Report*>(place);
        }
        close(file);
    }
    void* frame[1];
    backtrace(frame, 1);  // loads the library of backtrace now
}

bool called_by_library() {
    void* frames[64];
    const int count = backtrace(frames, 64);
    for (int i = 0; i < count; ++i) {
        Dl_info info{};
        if (dladdr(frames[i], &info) != 0 && info.dli_fname &&
            (std::strstr(info.dli_fname, "libhdf5") || std::strstr(info.dli_fname, "libarchive")))
            return true;
    }
    return false;
}

/// Counts a call. Returns true, and sets errno, if it must fail.
bool fails(Kind kind) {
    if (!active || inside) return false;
    const std::uint64_t number = ++report->calls[kind];
    if (kind != failing || call == 0 || (all_from_there ? number < call : number != call)) return false;
    inside = true;
    if (report->failed++ == 0) report->in_library = called_by_library();
    inside = false;
    errno = error;
    return true;
}

bool is_below_folder(const char* path) {
    if (!folder) return true;
    char absolute[8192];
    if (path[0] != '/') {
        char here[4096];
        if (!getcwd(here, sizeof here)) return false;
        std::snprintf(absolute, sizeof absolute, "%s/%s", here, path);
        path = absolute;
    }
    return std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool fails(Kind kind, const char* path) { return active && is_below_folder(path) && fails(kind); }

bool fails(Kind kind, int file) {
    if (!active || inside) return false;
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = '\0';
    return path[0] == '/' && is_below_folder(path) && fails(kind);  // excludes "pipe:[1]" and the like
}

int (*real_main)(int, char**, char**) = nullptr;

int watched_main(int count, char** words, char** environment) {
    active = true;
    const int code = real_main(count, words, environment);
    active = false;
    return code;
}

// Memory for dlsym, which may allocate before it has found the real functions
char first_memory[1 << 16];
std::size_t first_used = 0;
void* first(std::size_t size) {
    const std::size_t at = first_used;
    first_used += (size + 63) / 64 * 64;
    return first_used <= sizeof first_memory ? first_memory + at : nullptr;
}
bool is_first(const void* place) {
    return place >= first_memory && place < first_memory + sizeof first_memory;
}

/// A function of the allocator that this library replaces.
template <class Function>
struct Allocator {
    const char* name;
    Function* real = nullptr;
    bool searching = false;
    bool ready() {
        if (!real && !searching) {
            searching = true;
            real = next<Function>(name);
            searching = false;
        }
        return real != nullptr;
    }
};
constinit Allocator<void*(std::size_t)> real_malloc{"malloc"};
constinit Allocator<void*(std::size_t, std::size_t)> real_calloc{"calloc"}, real_aligned{"aligned_alloc"};
constinit Allocator<void*(void*, std::size_t)> real_realloc{"realloc"};
constinit Allocator<int(void**, std::size_t, std::size_t)> real_posix{"posix_memalign"};
constinit Allocator<void(void*)> real_free{"free"};

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(),
                      void (*fini)(), void (*rtld_fini)(), void* stack) {
    set_up();
    real_main = main;
    return next<decltype(__libc_start_main)>("__libc_start_main")(watched_main, count, words, init, fini,
                                                                  rtld_fini, stack);
}

// The third argument of open exists only if there is a mode.
#define LOCKSTEP_OPEN(name)                                                  \
    int name(const char* path, int flags, ...) {                             \
        static const auto real = next<int(const char*, int, mode_t)>(#name); \
        va_list more;                                                        \
        va_start(more, flags);                                               \
        const mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0;    \
        va_end(more);                                                        \
        return fails(of_open, path) ? -1 : real(path, flags, mode);          \
    }
LOCKSTEP_OPEN(open)
LOCKSTEP_OPEN(open64)

#define LOCKSTEP_FOPEN(name)                                                   \
    FILE* name(const char* path, const char* mode) {                           \
        static const auto real = next<FILE*(const char*, const char*)>(#name); \
        return fails(of_open, path) ? nullptr : real(path, mode);              \
    }
LOCKSTEP_FOPEN(fopen)
LOCKSTEP_FOPEN(fopen64)

#define LOCKSTEP_TRANSFER(kind, name, data_type)                               \
    ssize_t name(int file, data_type data, size_t size) {                      \
        static const auto real = next<ssize_t(int, data_type, size_t)>(#name); \
        return fails(kind, file) ? -1 : real(file, data, size);                \
    }
LOCKSTEP_TRANSFER(of_read, read, void*)
LOCKSTEP_TRANSFER(of_write, write, const void*)

#define LOCKSTEP_TRANSFER_AT(kind, name, data_type)                                   \
    ssize_t name(int file, data_type data, size_t size, off_t at) {                   \
        static const auto real = next<ssize_t(int, data_type, size_t, off_t)>(#name); \
        return fails(kind, file) ? -1 : real(file, data, size, at);                   \
    }
LOCKSTEP_TRANSFER_AT(of_read, pread, void*)
LOCKSTEP_TRANSFER_AT(of_read, pread64, void*)
LOCKSTEP_TRANSFER_AT(of_write, pwrite, const void*)
LOCKSTEP_TRANSFER_AT(of_write, pwrite64, const void*)

ssize_t writev(int file, const iovec* parts, int count) {
    static const auto real = next<ssize_t(int, const iovec*, int)>("writev");
    return fails(of_write, file) ? -1 : real(file, parts, count);
}

int posix_fallocate(int file, off_t begin, off_t length) {
    static const auto real = next<int(int, off_t, off_t)>("posix_fallocate");
    return fails(of_write, file) ? error : real(file, begin, length);
}

int fsync(int file) {
    static const auto real = next<int(int)>("fsync");
    return fails(of_fsync, file) ? -1 : real(file);
}

int rename(const char* from, const char* to) {
    static const auto real = next<int(const char*, const char*)>("rename");
    return fails(of_rename, to) ? -1 : real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned how) {
    static const auto real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
    return fails(of_rename, to) ? -1 : real(from_folder, from, to_folder, to, how);
}

int close(int file) {
    static const auto real = next<int(int)>("close");
    const bool failed = fails(of_close, file);
    const int result = real(file);  // Linux closes the file even if close() fails
    if (!failed) return result;
    errno = error;
    return -1;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
    static const auto real =
        next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    return fails(of_pthread_create) ? error : real(thread, attributes, body, argument);
}

void* malloc(std::size_t size) {
    if (!real_malloc.ready()) return first(size);
    return fails(of_malloc) ? nullptr : real_malloc.real(size);
}
void* calloc(std::size_t count, std::size_t size) {
    if (!real_calloc.ready()) return first(count * size);
    return fails(of_malloc) ? nullptr : real_calloc.real(count, size);
}
void* realloc(void* old, std::size_t size) {
    if (!real_realloc.ready() || is_first(old)) {
        void* place = malloc(size);
        if (old && place) std::memcpy(place, old, size);
        return place;
    }
    return fails(of_malloc) ? nullptr : real_realloc.real(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
    real_aligned.ready();
    return fails(of_malloc) ? nullptr : real_aligned.real(alignment, size);
}
int posix_memalign(void** place, std::size_t alignment, std::size_t size) {
    real_posix.ready();
    return fails(of_malloc) ? error : real_posix.real(place, alignment, size);
}
void free(void* place) {
    if (!is_first(place) && real_free.ready()) real_free.real(place);
}

}  // extern "C"

// These operators call malloc, so that allocations are counted. Those of jemalloc would not call it.
[[noreturn]] static void lacks_memory() {
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}
void* operator new(std::size_t size) {
    if (void* place = malloc(size ? size : 1)) return place;
    lacks_memory();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return malloc(size ? size : 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    void* place = nullptr;
    // posix_memalign requires an alignment of at least the size of a pointer.
    const std::size_t multiple = std::max(static_cast<std::size_t>(alignment), sizeof place);
    if (posix_memalign(&place, multiple, size ? size : 1) == 0) return place;
    lacks_memory();
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return malloc(size ? size : 1); }
void* operator new[](std::size_t size, std::align_val_t alignment) { return operator new(size, alignment); }
