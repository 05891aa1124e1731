#include "apps/update/compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "apps/update/command.hpp"
#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/version.hpp"

namespace lockstep::update {

namespace {

namespace fs = std::filesystem;

/// Returns the path of the shared library that contains this function; an empty path if it is linked into the
/// program itself.
fs::path own_library() {
    Dl_info info;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!dladdr(reinterpret_cast<const void*>(&own_library), &info) || !info.dli_fname) return {};
    const fs::path file = info.dli_fname;
    return file.has_parent_path() && !fs::equivalent(file, program, error) ? fs::absolute(file) : fs::path();
}

/// Returns the folders with Lockstep's headers: those of the installation to which this program or library
/// belongs, or otherwise those of the source tree.
std::vector<std::string> header_folders() {
    std::error_code error;
    const fs::path library = own_library(),
                   own = library.empty() ? fs::read_symlink("/proc/self/exe", error) : library;
    const fs::path installed = own.parent_path().parent_path() / "include";
    if (fs::exists(installed / "lockstep/executor/update/module.hpp", error)) return {installed.string()};
    std::vector<std::string> folders;
    std::istringstream list(LOCKSTEP_HEADERS);
    for (std::string folder; std::getline(list, folder, ':');) folders.push_back(folder);
    return folders;
}

/// A compiler with its options, and the properties of the files that it compiles.
struct Compiler {
    std::vector<std::string> command;
    const char* ending;  ///< suffix of the source file: ".cpp" or ".cu"
    const char* remark;  ///< text for error messages, which follows the words "an update"
};

/// Returns the command of the C++ compiler. It is the value of $CXX, divided into words because it may have
/// options ("g++ -O1"); otherwise the compiler that built this program, if it exists; otherwise c++.
std::vector<std::string> compiler() {
    const char* const named = std::getenv("CXX");
    if (!named || !*named) return {access(LOCKSTEP_CXX, X_OK) == 0 ? LOCKSTEP_CXX : "c++"};
    if (access(named, X_OK) == 0) return {named};  // $CXX is a path, which may contain blanks
    std::istringstream text(named);
    const std::vector<std::string> command(std::istream_iterator<std::string>(text), {});
    return command.empty() ? std::vector<std::string>{"c++"} : command;
}

/// Returns the file that a shell would run for this name; nullopt if there is none.
std::optional<fs::path> program(const std::string& name) {
    if (name.find('/') != std::string::npos)
        return access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (fs::path file = fs::path(folder) / name; access(file.c_str(), X_OK) == 0) return file;
    }
    return {};
}

/// Returns the C++ text of a module that includes the user's file. `kind` is "" for a CPU, and "Device" for a
/// GPU.
std::string module_text(const Source& source, std::string_view kind) {
    std::string names;
    if (kind.empty()) {
        // if a macro has this name, there is no field of the name
        for (const std::string& name : identifiers(source))
            names += fmt::format(
                "#ifndef {0}\n        if constexpr (requires {{ fields.add(\"{0}\", &S::{0}); }}) "
                "fields.add(\"{0}\", &S::{0});\n#endif\n",
                name);
        names = fmt::format(
            "struct LockstepNames {{\n    template <class S>\n"
            "    static void list([[maybe_unused]] lockstep::update::Fields<S>& fields) {{\n{}"
            "    }}\n}};\n",
            names);
    }
    return fmt::format(
        "#include \"lockstep/executor/update/module.{}\"\n#include \"{}\"\n{}"
        "extern \"C\" __attribute__((visibility(\"default\"))) lockstep::update::{}Module* "
        "lockstep_update_module() {{\n    return new lockstep::update::{}ModuleOf<{}{}>;\n}}\n",
        kind.empty() ? "hpp" : "cuh", fs::absolute(source.path).string(), names, kind, kind, source.name,
        kind.empty() ? ", LockstepNames" : "");
}

/// Returns the first 30 lines of a compiler's output.
std::string first_lines(const std::string& text) {
    constexpr int most = 30;
    std::size_t end = 0;
    for (int line = 0; line < most && end != std::string::npos; ++line) end = text.find('\n', end + 1);
    return end == std::string::npos ? text : text.substr(0, end) + "\n…";
}

/// A temporary folder for the files of one compilation. The destructor removes it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (fs::temp_directory_path() / "lockstep-update-XXXXXX").string();
        if (!mkdtemp(name.data())) throw OutputError(name, std::strerror(errno));
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path operator/(const char* name) const { return path_ / name; }

private:
    fs::path path_;
};

/// Returns the files to the right of the colon in a rule of make, as compilers write it with the option -MD.
std::vector<std::string> files_of_rule(const std::string& text) {
    std::vector<std::string> files(1);
    for (std::size_t i = text.find(':') + 1; i < text.size(); ++i) {
        const char next = i + 1 < text.size() ? text[i + 1] : '\n';
        if (text[i] == '\\' && next == '\n')
            ++i;
        else if ((text[i] == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
                 (text[i] == '$' && next == '$'))
            files.back() += text[++i];
        else if (text[i] != ' ' && text[i] != '\n')
            files.back() += text[i];
        else if (!files.back().empty())
            files.emplace_back();
    }
    if (files.back().empty()) files.pop_back();
    return files;
}

/// The cache of compiled libraries for one source text and one compiler command. Their hash is KEY. The file
/// KEY.files lists all files that the compiler read. The name of a library is the hash of KEY and of the
/// contents of these files. The last bytes of a library are the checksum of all bytes before them.
class Cache {
public:
    Cache(const std::string& text, const Compiler& compiler) : folder_(cache_folder() / "updates") {
        hash_.push_back(text), hash_.emplace_back(program_version("lockstep"));
        hash_.insert(hash_.end(), compiler.command.begin(), compiler.command.end());
        // The size and the time of the compiler's file are part of the hash, so that a new compiler version
        // compiles again.
        if (const auto file = program(compiler.command[0])) {
            std::error_code none;
            hash_.push_back(fmt::format("{} {}", fs::file_size(*file, none),
                                        fs::last_write_time(*file, none).time_since_epoch().count()));
        }
        list_ = folder_ / (hex({}) + ".files");
    }
    const fs::path& folder() const { return folder_; }

    /// Returns the library for the current contents of the files; nullopt if it is not in the cache, or if
    /// its checksum is wrong.
    std::optional<fs::path> find() const try {
        if (!is_cached(list_)) return {};
        std::istringstream lines(text_of(list_));
        std::vector<std::string> files;
        for (std::string line; std::getline(lines, line);) files.push_back(line);
        fs::path library = folder_ / (hex(files) + ".so");
        if (!is_cached(library)) return {};
        const std::string bytes = text_of(library);
        const std::size_t size = bytes.size() - std::min(bytes.size(), sizeof(Digest));
        const Digest sum = checksum(bytes.substr(0, size));
        if (std::memcmp(bytes.data() + size, &sum, bytes.size() - size) != 0 || size == 0) return {};
        return library;
    } catch (const FormatError&) {  // a file of the list no longer exists
        return {};
    }

    /// Stores a compiled library with its checksum in the cache, and returns its path there. `files` are the
    /// files that the compiler read. If one of them has changed since `begun`, the library may not match its
    /// contents, so the next run compiles again. Throws OutputError.
    fs::path keep(const fs::path& made, const std::vector<std::string>& files,
                  fs::file_time_type begun) const {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) throw OutputError(folder_.string(), error.message());
        fs::path library = folder_ / (hex(files) + ".so");
        std::string bytes = text_of(made);
        const Digest sum = checksum(bytes);
        bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
        write(library, bytes);
        std::string lines;
        for (const std::string& file : files) lines += file + '\n';
        const bool changed = std::any_of(files.begin(), files.end(), [&](const std::string& file) {
            return fs::last_write_time(file, error) > begun;
        });
        // the library may have been compiled from other contents, so the next run compiles again
        if (changed)
            fs::remove(list_, error);
        else
            write(list_, lines);
        return library;
    }

private:
    static Digest checksum(const std::string& bytes) { return digest(std::as_bytes(std::span(bytes))); }
    static void write(const fs::path& path, const std::string& bytes) {
        AtomicFile file(path);
        if (const int error = file.write(0, bytes.data(), bytes.size()))
            throw OutputError(path.string(), std::strerror(error));
        file.commit();
    }
    std::string hex(const std::vector<std::string>& files) const {
        ContentHash hash;
        for (const std::string& part : hash_) hash.add(std::string_view(part));
        for (const std::string& file : files) {
            hash.add(std::string_view(file)), hash.add(std::string_view(text_of(file)));
        }
        return hash.hex();
    }

    fs::path folder_, list_;
    std::vector<std::string> hash_;
};

/// Compiles the text in a temporary folder. Returns the files that the compiler read, except the text itself.
std::vector<std::string> compile(const Source& source, const std::string& text, const Compiler& compiler,
                                 const TemporaryFolder& folder, const std::function<void()>& check) {
    const fs::path unit = folder / (std::string("update") + compiler.ending).c_str(),
                   made = folder / "update.so", rule = folder / "update.d";
    std::ofstream file(unit);
    if (!(file << text << std::flush))
        throw OutputError(unit.string(), fmt::format("cannot be written: {}", std::strerror(errno)));
    std::vector<std::string> command = compiler.command;
    command.insert(command.end(),
                   {"-MD", "-MF", rule.string(), "-MT", "update", "-o", made.string(), unit.string()});
    const std::optional<CommandResult> ran = run_command(command, check);
    if (!ran)
        throw Error(fmt::format(
            "there is no compiler {}, which {} needs; install g++, or set CXX to another compiler",
            command[0], source.path));
    if (ran->code != 0 && ran->printed.find(std::strerror(ENOSPC)) != std::string::npos)
        throw OutputError(made.string(), fmt::format("{}, which the compiler of {} needs",
                                                     std::strerror(ENOSPC), source.path));
    if (ran->code != 0)
        throw FormatError(
            source.path,
            fmt::format("struct {} does not compile as an update{} (docs/guides/updates.md):\n{}",
                        source.name, compiler.remark, first_lines(ran->printed)));
    std::vector<std::string> files = files_of_rule(text_of(rule));
    std::erase(files, unit.string());
    return files;
}

/// Opens a compiled library, and makes its module. Throws Error if this fails.
template <class Kind>
std::shared_ptr<Kind> open(const fs::path& library) {
    // The update calls functions of the library that contains this code. If that library was loaded with
    // RTLD_LOCAL, its symbols must be made global first.
    Dl_info own;
    if (dladdr(reinterpret_cast<const void*>(&load), &own) && own.dli_fname)
        dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Error(fmt::format("{} cannot be loaded: {}", library.string(), dlerror()));
    const auto make = reinterpret_cast<Kind* (*)()>(dlsym(handle, "lockstep_update_module"));
    if (!make) throw Error(fmt::format("{} is not an update: {}", library.string(), dlerror()));
    return {make(), [handle](Kind* module) {  // the module keeps the library loaded
                delete module;
                dlclose(handle);
            }};
}

/// Returns the module of an update: from the cache, or after compiling it.
template <class Kind>
std::shared_ptr<Kind> loaded(const Source& source, const std::string& text, Compiler compiler,
                             const CompileCallbacks& callbacks) {
    for (const std::string& folder : header_folders()) compiler.command.push_back("-I" + folder);
    const Cache cache(text, compiler);
    if (const std::optional<fs::path> library = cache.find()) return open<Kind>(*library);
    callbacks.note(fmt::format("compiling {}{} (once; stored in {})", source.path, compiler.remark,
                               cache.folder().string()));
    const TemporaryFolder folder;
    std::ofstream(folder / "begun").close();
    const fs::file_time_type begun = fs::last_write_time(folder / "begun");
    const std::vector<std::string> files = compile(source, text, compiler, folder, callbacks.check);
    fs::path library = folder / "update.so";
    try {
        library = cache.keep(library, files, begun);
    } catch (const OutputError& e) {
        callbacks.note(
            fmt::format("the compiled update cannot be stored, so the next run compiles it again: {}; set "
                        "LOCKSTEP_CACHE to another folder",
                        e.what()));
    }
    return open<Kind>(library);
}

}  // namespace

std::shared_ptr<Module> load(const Source& source, const CompileCallbacks& callbacks) {
    Compiler own{compiler(), ".cpp", ""};
    own.command.insert(own.command.end(), {"-std=c++20", "-shared", "-fPIC", "-fopenmp", "-w"});
    std::istringstream options(LOCKSTEP_CXX_OPTIONS);
    for (std::string option; options >> option;) own.command.push_back(option);
    return loaded<Module>(source, module_text(source, ""), own, callbacks);
}

std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, int capability,
                                           const CompileCallbacks& callbacks) {
    const std::string nvcc = access(LOCKSTEP_NVCC, X_OK) == 0 ? LOCKSTEP_NVCC : "nvcc";
    if (!program(nvcc))
        throw Error(Failure::no_device,
                    "an update on a GPU needs the compiler nvcc, which was not found; add its folder to "
                    "PATH, or use --device cpu");
    // nvcc would omit a call to a function that is not marked for the GPU, with only a warning, and the
    // update would do nothing; the first option makes this an error. The module has its own CUDA runtime, in
    // which its kernels are registered, so its symbols are hidden from this program.
    const Compiler own{
        {nvcc, "-std=c++20", "-O2", "-shared", "-w", "-Werror=cross-execution-space-call", "-fmad=false",
         "-Xcompiler=-fPIC,-fopenmp,-w,-fvisibility=hidden", fmt::format("-arch=sm_{}", capability)},
        ".cu",
        " for a GPU, which runs functions marked LOCKSTEP_HD"};
    return loaded<DeviceModule>(source, module_text(source, "Device"), own, callbacks);
}

}  // namespace lockstep::update
