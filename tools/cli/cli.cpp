#include "cli.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

#include "command_line.hpp"
#include "help.hpp"
#include "lockstep/formats/version.hpp"
#include "printable.hpp"
#include "signals.hpp"
#include "stages.hpp"
#include "threads.hpp"

namespace lockstep::cli {

namespace {

std::vector<std::string> arguments;

int fail(const Program& program, const std::string& message, Failure failure) {
    // A single call, since launchers of several processes write their own output between two calls.
    std::cerr << std::nounitbuf << program.name << ": " << message << '\n' << std::flush << std::unitbuf;
    return static_cast<int>(failure);
}

/// Redirects std::cout and std::cerr through a PrintableBuffer until destruction.
class Terminal {
public:
    Terminal() : stdout_(std::cout.rdbuf(&out_)), stderr_(std::cerr.rdbuf(&err_)) {}
    ~Terminal() {
        std::cout.rdbuf(stdout_);
        std::cerr.rdbuf(stderr_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    /// Flushes standard output. Returns `code`, or the code of an error of writing.
    int finish(const Program& program, int code) {
        std::cout.flush();
        if (out_.error() == 0) return code;
        if (out_.error() == EPIPE) return code ? code : 128 + SIGPIPE;
        return fail(program,
                    std::string("standard output could not be written: ") + std::strerror(out_.error()),
                    Failure::output);
    }

private:
    PrintableBuffer out_{STDOUT_FILENO}, err_{STDERR_FILENO};
    std::streambuf *stdout_, *stderr_;
};

/// Returns exit codes 129, 130, 143 and, without a message, 141.
int end_by_signal(const Program& program, int signal) {
    if (signal != SIGPIPE) std::cerr << program.name << ": interrupted\n";
    return 128 + signal;
}

/// The options of every program.
struct CommonOptions {
    bool help = false, help_all = false, version = false, json = false, quiet = false, verbose = false;

    void list(Fields& fields) {
        fields.flag("help", help, "show the main options and exit").with_letter('h');
        fields.flag("help-all", help_all, "show all options and exit");
        fields.flag("version", version,
                    "show the version, the revision and the built-in libraries, and exit");
        fields.flag("json", json, "write the result as JSON");
        fields.flag("quiet", quiet, "write only errors and explicitly requested results").with_letter('q');
        fields.flag("verbose", verbose, "print more about each stage, e.g. its time").with_letter('v');
    }
};

int run_body(const Program& program, const CommonOptions& options,
             const std::function<int(const Common&)>& body) {
    try {
        if (const int threads = omp_get_max_threads(); threads > max_threads)
            throw UsageError(fmt::format("OMP_NUM_THREADS must be 1 to {}, not {}", max_threads, threads));
        Common common{options.json, options.quiet, options.verbose, {}};
        if (!options.quiet) common.listener = [](const std::string& text) { std::cerr << text << '\n'; };
        const int code = body(common);
        std::cout.flush();
        if (options.verbose) std::cerr << stages_text() << '\n';
        return code;
    } catch (const Interrupted& e) {
        return end_by_signal(program, e.signal());
    } catch (const UsageError& e) {
        return fail(program, std::string(e.what()) + " (see " + program.name + " --help)", Failure::usage);
    } catch (const Error& e) {
        return fail(program, e.what(), e.failure());
    } catch (const std::bad_alloc&) {
        return fail(program, "out of memory", Failure::failed);
    } catch (const std::length_error&) {  // an array larger than the address space
        return fail(program, "out of memory", Failure::failed);
    } catch (const std::exception& e) {
        return fail(program, e.what(), Failure::failed);
    }
}

}  // namespace

namespace {

std::atomic<bool> memory_lacks{false};

[[noreturn]] void note_lack() {
    memory_lacks = true;
    throw std::bad_alloc();
}

/// Reports exhausted memory instead of aborting. Some exceptions end in std::terminate: destructors of
/// libraries that allocate memory (such as nlohmann's JSON) throw, and so do parallel regions, from which the
/// exception is not accessible here.
[[noreturn]] void end_without_memory() {
    bool lacks = memory_lacks;
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc&) {
        lacks = true;
    } catch (...) {
        lacks = false;
    }
    if (lacks) std::exit(failed_early(arguments.empty() ? "lockstep" : arguments[0].c_str()));
    std::abort();
}

/// Opens the null device for standard input, output or error if it is closed. Otherwise the next file that is
/// opened would get its number, and printed text would be written to that file.
void open_standard_descriptors() {
    int file = 0;
    while (file >= 0 && file <= STDERR_FILENO) file = open("/dev/null", O_RDWR);
    if (file >= 0) close(file);
}

}  // namespace

std::vector<Section> sections_of(const Fields& fields) {
    std::vector<Section> sections;
    for (const Field& f : fields) {
        if (sections.empty() || sections.back().title != f.section) sections.push_back({f.section, {}});
        add_field(sections.back().options, f);
    }
    return sections;
}

Options options_of(const Program& program) {
    Options all;
    for (const Section& section : program.sections) all.add(section.options);
    return all;
}

int run(int argc, char** argv, const Program& program, const std::vector<std::string>& positional,
        const std::function<int(const Values&, const Common&)>& body,
        const std::function<Program(const Values&)>& about) {
    catch_signals();
    prepare_threads(argv);
    arguments.assign(argv, argv + argc);
    std::set_terminate(end_without_memory);
    std::set_new_handler(note_lack);
    open_standard_descriptors();
    // a closed pipe and a full quota are write errors and must not kill the process
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    Terminal terminal;

    CommonOptions chosen;
    Fields fields;
    chosen.list(fields);
    Options common;
    add_fields(common, fields);
    const Options all = options_of(program).add(common);

    Values values;
    try {
        values = parse_command_line({argv + 1, argv + argc}, program, all, positional);
        take_fields(values, fields);
    } catch (const std::bad_alloc&) {
        return fail(program, "out of memory", Failure::failed);
    } catch (const std::exception& e) {
        return fail(program, std::string(e.what()) + " (see " + program.name + " --help)", Failure::usage);
    }
    // The signal arrived while the program started.
    if (const int signal = pending_signal()) return end_by_signal(program, signal);
    int code = 0;
    if (chosen.help_all || chosen.help)
        code = run_body(program, chosen, [&](const Common&) {
            std::cout << help_page(about ? about(values) : program, common, chosen.help_all, page_width());
            return 0;
        });
    else if (chosen.version)
        std::cout << program_version(program.name) << '\n' << build_description();
    else
        code = run_body(program, chosen, [&](const Common& c) { return body(values, c); });
    return terminal.finish(program, code);
}

void be_silent() {
    std::cout.rdbuf(nullptr);
    std::cerr.rdbuf(nullptr);
}

int failed_early(const char* program) noexcept {
    constexpr const char* text = ": out of memory\n";
    [[maybe_unused]] auto ignored = write(STDERR_FILENO, program, std::strlen(program));
    ignored = write(STDERR_FILENO, text, std::strlen(text));
    return static_cast<int>(Failure::failed);
}

const std::vector<std::string>& command_line() { return arguments; }

namespace {

/// Writes terminal control codes, bypassing the buffer that would make them printable.
void control(const std::string& text) {
    [[maybe_unused]] const auto ignored = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

Progress::Progress(std::string label, EdgeId total, const Common& common)
    : label_(std::move(label)),
      total_(total),
      enabled_(!common.quiet && isatty(STDERR_FILENO)),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

void Progress::update(EdgeId done, const std::string& more) {
    using namespace std::chrono_literals;
    if (!enabled_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - start_ < 1s || now - last_ < 100ms) return;
    last_ = now;
    shown_ = true;
    const double share = total_ ? static_cast<double>(done) / static_cast<double>(total_) : 0;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string line =
        fmt::format("{}: {:.0f} % ({} of {})", label_, 100 * share, group_digits(done), group_digits(total_));
    if (!more.empty()) line += ", " + more;
    if (share > 0) line += fmt::format(", about {:.0f} s left", seconds / share - seconds);
    control("\r" + printable(line) + "\033[K");
}

Progress::~Progress() {
    if (shown_) control("\r\033[K");
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    return text::escaped_json(
        value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_json(const nlohmann::ordered_json& value) { std::cout << json_text(value, 2) << '\n'; }

EdgeId peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<EdgeId>(usage.ru_maxrss) * 1024;
}

}  // namespace lockstep::cli
