// Preloaded into a program under test: the call number FAILING_CALL (from 1) of FAILING_FUNCTION, close or
// read, on a file of the folder FAILING_FOLDER fails with EIO.
#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool fails(const char* function, int file) {
    static std::atomic<int> calls{0};
    const char* const wanted = std::getenv("FAILING_FUNCTION");
    const char* const folder = std::getenv("FAILING_FOLDER");
    const char* const call = std::getenv("FAILING_CALL");
    if (!wanted || !folder || !call || std::strcmp(wanted, function) != 0) return false;
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return false;
    path[length] = '\0';
    return std::strncmp(path, folder, std::strlen(folder)) == 0 && ++calls == std::atoi(call);
}

}  // namespace

extern "C" int close(int file) {
    static const auto real = reinterpret_cast<int (*)(int)>(dlsym(RTLD_NEXT, "close"));
    const bool failing = fails("close", file);
    const int result = real(file);  // Linux closes the file, whatever close() says
    if (!failing) return result;
    errno = EIO;
    return -1;
}

extern "C" ssize_t read(int file, void* data, size_t size) {
    static const auto real = reinterpret_cast<ssize_t (*)(int, void*, size_t)>(dlsym(RTLD_NEXT, "read"));
    if (!fails("read", file)) return real(file, data, size);
    errno = EIO;
    return -1;
}

extern "C" ssize_t pread(int file, void* data, size_t size, off_t at) {
    static const auto real =
        reinterpret_cast<ssize_t (*)(int, void*, size_t, off_t)>(dlsym(RTLD_NEXT, "pread"));
    if (!fails("read", file)) return real(file, data, size, at);
    errno = EIO;
    return -1;
}

extern "C" ssize_t pread64(int file, void* data, size_t size, off_t at) {
    return pread(file, data, size, at);
}
