#include "apps/update/compile.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/version.hpp"

namespace lockstep::update {

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || fs::is_directory(path))
        throw FormatError(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Blanks for comments and for what stands between quotes: what braces mean there is nothing.
std::string code_of(std::string text) {
    const auto blank = [&](std::size_t from, std::size_t to) {
        to = std::min(to, text.size());
        std::fill(text.begin() + static_cast<std::ptrdiff_t>(from),
                  text.begin() + static_cast<std::ptrdiff_t>(to), ' ');
        return to;
    };
    for (std::size_t i = 0; i < text.size();) {
        if (text.compare(i, 2, "//") == 0) {
            i = blank(i, text.find('\n', i));
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            i = blank(i, end == std::string::npos ? end : end + 2);
        } else if (text[i] == '"' || text[i] == '\'') {
            std::size_t end = i + 1;
            while (end < text.size() && text[end] != text[i] && text[end] != '\n')
                end += text[end] == '\\' ? 2 : 1;
            i = blank(i, end + 1);
        } else {
            ++i;
        }
    }
    return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Where `word` stands by itself, from `at` on.
std::size_t find_word(const std::string& code, std::string_view word, std::size_t at) {
    for (; (at = code.find(word, at)) != std::string::npos; ++at) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(code[at - 1])) && (end == code.size() || !is_word(code[end]))) return at;
    }
    return at;
}

/// The structs of the file that have a function `update`, whatever is inside of them.
std::vector<std::string> structs_with_update(const std::string& code) {
    std::vector<std::string> found;
    for (std::size_t at = 0; (at = find_word(code, "struct", at)) != std::string::npos;) {
        const std::size_t open = code.find_first_of("{;", at);
        if (open == std::string::npos) break;
        at += std::string_view("struct").size();
        if (code[open] == ';') continue;
        // The name is the last word before its bases, or before the brace.
        std::size_t last = std::min(code.find(':', at), open);
        while (last > at && !is_word(code[last - 1])) --last;
        std::size_t first = last;
        while (first > at && is_word(code[first - 1])) --first;
        std::size_t end = open + 1;
        for (int depth = 1; end < code.size() && depth > 0; ++end)
            depth += (code[end] == '{') - (code[end] == '}');
        if (find_word(code, "update", open) < end && last > first)
            found.push_back(code.substr(first, last - first));
        at = end;
    }
    return found;
}

/// The file of the shared library that this code is in; empty in a program.
fs::path own_library() {
    Dl_info info;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!dladdr(reinterpret_cast<const void*>(&own_library), &info) || !info.dli_fname) return {};
    const fs::path file = info.dli_fname;
    return file.has_parent_path() && !fs::equivalent(file, program, error) ? fs::absolute(file) : fs::path();
}

/// The folders of the headers: those of the installation that this program, or library, is in, else of its
/// sources.
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

std::string compiler() {
    if (const char* const named = std::getenv("CXX"); named && *named) return named;
    return access(LOCKSTEP_CXX, X_OK) == 0 ? LOCKSTEP_CXX : "c++";
}

/// The CUDA compiler that this program was built with, else nvcc; nothing where there is none.
std::optional<std::string> cuda_compiler() {
    if (access(LOCKSTEP_NVCC, X_OK) == 0) return LOCKSTEP_NVCC;
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (access((folder + "/nvcc").c_str(), X_OK) == 0) return folder + "/nvcc";
    }
    return {};
}

/// What the module is made of. `kind`: "", or "Device" of that for a GPU.
std::string module_text(const Source& source, const std::vector<std::string>& parameters,
                        std::string_view kind, std::string_view header) {
    std::string fields;
    for (const std::string& name : parameters) {
        fields += fmt::format(
            "        if (name == \"{0}\") return p.{0} = static_cast<decltype(p.{0})>(value), true;\n", name);
    }
    return fmt::format(
        "#include \"lockstep/executor/update/{4}\"\n"
        "#include \"{0}\"\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) lockstep::update::{3}Module* "
        "lockstep_update_module() {{\n"
        "    using Parameters = lockstep::update::ParametersOf<{1}>;\n"
        "    return new lockstep::update::{3}ModuleOf<{1}>([]([[maybe_unused]] Parameters& p,\n"
        "            [[maybe_unused]] std::string_view name, [[maybe_unused]] double value) {{\n"
        "{2}"
        "        return false;\n"
        "    }});\n"
        "}}\n",
        fs::absolute(source.path).string(), source.name, fields, kind, header);
}

/// Runs a command, its words to `log`. Returns its exit code, 127 where it is not there.
int run(const std::vector<std::string>& words, const fs::path& log) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child < 0) throw Error(fmt::format("cannot start {}: {}", words[0], std::strerror(errno)));
    if (child == 0) {
        const int out = open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(126);
        execvp(arguments[0], arguments.data());
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The first lines of what a compiler has to say.
std::string first_lines(const std::string& text) {
    constexpr int most = 30;
    std::size_t end = 0;
    for (int line = 0; line < most && end != std::string::npos; ++line) end = text.find('\n', end + 1);
    return end == std::string::npos ? text : text.substr(0, end) + "\n…";
}

void compile(const Source& source, const std::string& text, const std::vector<std::string>& command,
             const char* ending, const fs::path& library) {
    fs::create_directories(library.parent_path());
    const fs::path stem = library.string() + fmt::format(".{}", getpid()), made = stem.string() + ".so",
                   unit = stem.string() + ending, log = stem.string() + ".log";
    struct Remove {
        std::vector<fs::path> files;
        ~Remove() {
            std::error_code error;
            for (const fs::path& file : files) fs::remove(file, error);
        }
    } remove{{made, unit, log}};
    std::ofstream(unit) << text;
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-o", made.string(), unit.string()});
    const int code = run(words, log);
    if (code == 127) {
        throw Error(
            fmt::format("there is no compiler {}, which {} needs; Debian has g++, and CXX names another",
                        words[0], source.path));
    }
    if (code != 0) {
        throw FormatError(
            source.path,
            fmt::format(
                "struct {} does not compile as an update{} (docs/guides/updates.md):\n{}", source.name,
                std::string_view(ending) == ".cu" ? " for a GPU, which runs functions marked LOCKSTEP_HD"
                                                  : "",
                first_lines(text_of(log))));
    }
    fs::rename(made, library);
}

/// Compiled where it is not there yet, and loaded.
template <class Kind>
std::shared_ptr<Kind> loaded(const Source& source, const std::string& text, std::vector<std::string> command,
                             const char* ending, const std::function<void(const std::string&)>& note) {
    for (const std::string& folder : header_folders()) command.push_back("-I" + folder);
    ContentHash hash;
    hash.add(std::string_view(text)), hash.add(std::string_view(text_of(source.path)));
    hash.add(std::string_view(program_version("lockstep")));
    for (const std::string& word : command) hash.add(std::string_view(word));
    const fs::path library = cache_folder() / "updates" / (hash.hex() + ".so");
    if (!is_cached(library)) {
        note(fmt::format("compiling {}{} (once; kept in {})", source.path,
                         std::string_view(ending) == ".cu" ? " for the GPU" : "",
                         library.parent_path().string()));
        compile(source, text, command, ending, library);
    }
    // Of a library that somebody has loaded for himself, what the update calls becomes visible to it.
    Dl_info own;
    if (dladdr(reinterpret_cast<const void*>(&find_update), &own) && own.dli_fname)
        dlopen(own.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Error(fmt::format("{} cannot be loaded: {}", library.string(), dlerror()));
    const auto make = reinterpret_cast<Kind* (*)()>(dlsym(handle, "lockstep_update_module"));
    if (!make) throw Error(fmt::format("{} is no update: {}", library.string(), dlerror()));
    // The library stays as long as its code is wanted.
    return {make(), [handle](Kind* module) {
                delete module;
                dlclose(handle);
            }};
}

}  // namespace

Source find_update(const std::string& given) {
    Source source{given, {}};
    if (const std::size_t colon = given.rfind(':'); colon != std::string::npos && !fs::exists(given))
        source = {given.substr(0, colon), given.substr(colon + 1)};
    const std::vector<std::string> found = structs_with_update(code_of(text_of(source.path)));
    if (found.empty())
        throw FormatError(source.path, "has no struct with a static function update(a, b, edge, parameters)");
    if (source.name.empty()) {
        if (found.size() > 1)
            throw Error(Failure::usage, fmt::format("{} has several updates; say which: --update {}:{}",
                                                    source.path, source.path, found.front()));
        source.name = found.front();
    } else if (std::find(found.begin(), found.end(), source.name) == found.end()) {
        throw FormatError(source.path,
                          fmt::format("has no update {}; it has {}", source.name, found.front()));
    }
    return source;
}

std::shared_ptr<Module> load(const Source& source, const std::vector<std::string>& parameters,
                             const std::function<void(const std::string&)>& note) {
    std::vector<std::string> command{compiler(), "-std=c++20", "-shared", "-fPIC", "-fopenmp", "-w"};
    std::istringstream options(LOCKSTEP_CXX_OPTIONS);
    for (std::string option; options >> option;) command.push_back(option);
    return loaded<Module>(source, module_text(source, parameters, "", "module.hpp"), command, ".cpp", note);
}

std::shared_ptr<DeviceModule> load_for_gpu(const Source& source, const std::vector<std::string>& parameters,
                                           int capability,
                                           const std::function<void(const std::string&)>& note) {
    const std::optional<std::string> nvcc = cuda_compiler();
    if (!nvcc)
        throw Error(Failure::no_device,
                    "an update on a GPU is compiled by nvcc, which is not here; --device cpu "
                    "needs none, and PATH may name it");
    // A function that is not for a GPU would be left out there, with a warning: an update that does nothing.
    // The module has a CUDA runtime of its own, with which its kernels are registered: what its headers define must not be
    // what this program has of the same name.
    return loaded<DeviceModule>(
        source, module_text(source, parameters, "Device", "module.cuh"),
        {*nvcc, "-std=c++20", "-O2", "-shared", "-w", "-Werror=cross-execution-space-call", "-fmad=false",
         "-Xcompiler=-fPIC,-fopenmp,-w,-fvisibility=hidden", fmt::format("-arch=sm_{}", capability)},
        ".cu", note);
}

}  // namespace lockstep::update
