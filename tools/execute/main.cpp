// The program lockstep-execute, which runs an application on a graph under one strategy.
#include <optional>

#include "command.hpp"
#include "execute.hpp"
#include "list_strategies.hpp"
#include "ranks/start.hpp"

using namespace lockstep;

namespace {

int run(const cli::Values& values, const cli::Common& common) {
    Request request;
    const std::unique_ptr<Application> application = read_request(values, common, request);
    if (!ranks().first()) request.record.reset(), request.output.reset(), request.lock.reset();
    const int code = execute(*application, request, common);
    ranks().barrier();
    return code;
}

/// Executes a run in each of several MPI processes. If one process fails, all processes end, and only the
/// first process prints the reason.
int run_together(const cli::Values& values, const cli::Common& common) {
    if (ranks().count() == 1) return run(values, common);
    const auto fail_all = [](int code, const std::string& message) { ranks().fail(code, message); };
    try {
        return run(values, common);
    } catch (const RankFailure& e) {
        if (e.exit_code() > 128) throw cli::Interrupted(e.exit_code() - 128);
        throw;
    } catch (const cli::Interrupted& e) {
        fail_all(128 + e.signal(), e.what());
        throw;
    } catch (const Error& e) {
        fail_all(static_cast<int>(e.failure()), e.what());
        throw;
    } catch (const std::bad_alloc&) {
        fail_all(static_cast<int>(Failure::failed), "out of memory");
        throw;
    } catch (const std::exception& e) {
        fail_all(static_cast<int>(Failure::failed), e.what());
        throw;
    }
}

}  // namespace

int lockstep::cli::run_program(int argc, char** argv) {
    // This object is destroyed after the first process has printed its messages, because mpirun kills the
    // first process as soon as another one has ended.
    std::optional<StartedRanks> started;
    const auto given_app = [](const cli::Values& values) {
        ExecuteOptions options;
        return options.take(values).is_given("app") ? options.app : nullptr;
    };
    return run(
        argc, argv, execute_program(), {"file"},
        [&](const cli::Values& values, const cli::Common& common) {
            if (values.count("strategies")) {
                const Spec* const app = given_app(values);
                return list_strategies(app ? app->strategies : "", common);
            }
            started.emplace();
            if (!ranks().first()) cli::be_silent();
            return run_together(values, common);
        },
        [&](const cli::Values& values) { return execute_program(given_app(values)); });
}
