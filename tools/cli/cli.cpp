#include "cli.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <new>
#include <sstream>

#include "lockstep/formats/version.hpp"

namespace lockstep::cli {
namespace po = boost::program_options;

namespace {

std::atomic<int> signal_received{0};
std::vector<std::string> arguments;

extern "C" void on_signal(int signal) {
    // A second signal means that the person will not wait for a safe place.
    if (signal_received.exchange(signal) != 0) _exit(128 + signal);
}

int fail(const Program& program, const std::string& message, Failure failure) {
    std::cerr << program.name << ": " << message << '\n';
    return static_cast<int>(failure);
}

/// Flushes stdout and says whether everything that was printed has arrived.
bool stdout_arrived() { return static_cast<bool>(std::cout.flush()) && std::fflush(stdout) == 0; }

}  // namespace

int run(int argc, char** argv, const Program& program, const Options& options,
        const std::vector<std::string>& positional,
        const std::function<int(const Values&, const Common&)>& body) {
    arguments.assign(argv, argv + argc);
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe and a full quota are errors of a write, not deaths
    std::signal(SIGXFSZ, SIG_IGN);

    Options common_options("Common options");
    // clang-format off
    common_options.add_options()
        ("help,h", "show this text and exit")
        ("version", "show version, revision and the libraries built in, and exit")
        ("json", "write the result as JSON")
        ("quiet,q", "write nothing but results and errors")
        ("verbose,v", "say more about each stage");
    // clang-format on
    Options all(program.usage);
    all.add(options).add(common_options);

    try {
        po::positional_options_description places;
        for (std::size_t i = 0; i < positional.size(); ++i) {
            places.add(positional[i].c_str(), i + 1 == positional.size() ? -1 : 1);
        }
        // Guessing of abbreviated options would make every new option a breaking change.
        const int style = po::command_line_style::unix_style ^ po::command_line_style::allow_guessing;
        Values values;
        po::store(po::command_line_parser(argc, argv).options(all).positional(places).style(style).run(),
                  values);
        if (values.count("help")) {
            std::cout << "Usage: " << program.usage << "\n\n"
                      << program.summary << "\n\n"
                      << options << '\n'
                      << common_options;
            if (!program.examples.empty()) std::cout << "\nExamples:\n" << program.examples;
            return stdout_arrived() ? 0 : static_cast<int>(Failure::output);
        }
        if (values.count("version")) {
            std::cout << program_version(program.name) << '\n' << build_description();
            return stdout_arrived() ? 0 : static_cast<int>(Failure::output);
        }
        po::notify(values);
        const Common common{values.count("json") > 0, values.count("quiet") > 0, values.count("verbose") > 0};
        const int code = body(values, common);
        if (!stdout_arrived()) return fail(program, "standard output could not be written", Failure::output);
        return code;
    } catch (const Interrupted& e) {
        std::cerr << program.name << ": interrupted\n";
        return 128 + e.signal();
    } catch (const po::error& e) {
        return fail(program, std::string(e.what()) + " (see " + program.name + " --help)", Failure::usage);
    } catch (const UsageError& e) {
        return fail(program, std::string(e.what()) + " (see " + program.name + " --help)", Failure::usage);
    } catch (const Error& e) {
        return fail(program, e.what(), e.failure());
    } catch (const std::bad_alloc&) {
        return fail(program, "out of memory", Failure::failed);
    } catch (const std::exception& e) {
        return fail(program, e.what(), Failure::failed);
    }
}

int pending_signal() noexcept { return signal_received.load(); }

void check_signal() {
    if (const int signal = pending_signal()) throw Interrupted(signal);
}

const std::vector<std::string>& command_line() { return arguments; }

std::string program_version(const std::string& name) {
    return fmt::format("{} {} (revision {})", name, version(), revision());
}

Progress::Progress(std::string label, EdgeId total, const Common& common)
    : label_(std::move(label)),
      total_(total),
      enabled_(!common.quiet && isatty(STDERR_FILENO)),
      start_(std::chrono::steady_clock::now()),
      last_(start_) {}

void Progress::update(EdgeId done) {
    using namespace std::chrono_literals;
    if (!enabled_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - start_ < 1s || now - last_ < 100ms) return;
    last_ = now;
    shown_ = true;
    const double percent = total_ ? 100.0 * static_cast<double>(done) / static_cast<double>(total_) : 0;
    std::cerr << fmt::format("\r{}: {:3.0f} % ({} of {})\033[K", label_, percent, grouped(done),
                             grouped(total_));
}

Progress::~Progress() {
    if (shown_) std::cerr << "\r\033[K";
}

void note(const Common& common, const std::string& text) {
    if (!common.quiet) std::cerr << text << '\n';
}

void print_json(const nlohmann::ordered_json& value) {
    std::cout << value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

std::string grouped(EdgeId value) {
    std::string digits = std::to_string(value);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3)
        digits.insert(static_cast<std::size_t>(i), ",");
    return digits;
}

std::string bytes(double value) {
    const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    while (value >= 1000 && unit < 5) value /= 1000, ++unit;
    return fmt::format("{:.{}f} {}", value, unit == 0 ? 0 : 1, units[unit]);
}

std::string duration(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.1f} µs", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
    return fmt::format("{:.2f} s", seconds);
}

EdgeId size_of(const std::string& option, const std::string& word) {
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const std::string unit(end, static_cast<const char*>(word.data() + word.size()));
    double scale = 0;
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
             {"", 1}, {"K", 1e3}, {"KB", 1e3}, {"M", 1e6}, {"MB", 1e6}, {"G", 1e9}, {"GB", 1e9}, {"T", 1e12}, {"TB", 1e12}}) {
        if (unit == name) scale = value;
    }
    const double bytes = number * scale;
    if (error != std::errc() || !(bytes >= 1 && bytes < 1e18)) {
        throw UsageError(fmt::format("--{} {}: expected a size such as 8G or 512M", option, word));
    }
    return static_cast<EdgeId>(bytes);
}

EdgeId peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<EdgeId>(usage.ru_maxrss) * 1024;
}

}  // namespace lockstep::cli
