// lockstep-execute: runs an application on a schedule file under one strategy.
#include <fmt/format.h>

#include <map>
#include <optional>

#include "apps/frame/application.hpp"
#include "list_strategies.hpp"
#include "ranks/start.hpp"

using namespace lockstep;

namespace {

int run(const cli::Values& values, const cli::Common& common) {
    Request request;
    const Application& application = read_request(values, request);
    if (!ranks().first()) request.record.reset(), request.output.reset(), request.lock.reset();
    const int code = execute(application, request, common);
    ranks().meet();
    return code;
}

/// The same as one of several processes: where one fails, all end, and the first alone says why.
int run_together(const cli::Values& values, const cli::Common& common) {
    if (ranks().count() == 1) return run(values, common);
    const auto told = [](int code, const std::string& message) { ranks().fail(code, message); };
    try {
        return run(values, common);
    } catch (const RankFailure& e) {
        if (e.exit_code() > 128) throw cli::Interrupted(e.exit_code() - 128);
        throw;
    } catch (const cli::Interrupted& e) {
        told(128 + e.signal(), e.what());
        throw;
    } catch (const Error& e) {
        told(static_cast<int>(e.failure()), e.what());
        throw;
    } catch (const std::bad_alloc&) {
        told(static_cast<int>(Failure::failed), "out of memory");
        throw;
    } catch (const std::exception& e) {
        told(static_cast<int>(Failure::failed), e.what());
        throw;
    }
}

}  // namespace

int main(int argc, char** argv) try {
    std::string examples =
        "  lockstep-execute ratings.h5 --strategy agm-e --rank 32 --sweeps 20 --test-fraction 0.1 --model "
        "model.h5\n"
        "  lockstep-execute web.h5 --app pagerank --strategy auto --output ranks.txt --top 10\n";
    std::map<std::string_view, std::string> runners;  // of a part of the strategy table: applications
    for (const Application* app : applications()) {
        std::string& names = runners[app->facts().strategies];
        names += (names.empty() ? "" : ", ") + std::string(app->facts().name);
    }
    for (const Application* app : applications()) {
        const auto names = runners.extract(app->facts().strategies);
        if (!names) continue;  // an earlier application has them, too
        examples += fmt::format("\nStrategies of {}:\n", names.mapped());
        for (const Strategy& s : strategies(app->facts().strategies))
            examples += fmt::format("  {:<15} {}\n", s.name, s.summary);
    }
    // Until the first process has said what there is to say: mpirun ends it when another one has ended.
    std::optional<StartedRanks> started;
    return cli::run(argc, argv,
                    {"lockstep-execute", "lockstep-execute FILE.h5 [--app NAME] [--strategy NAME] [options]",
                     "Runs an application on a schedule file, on the GPU or the CPU.", examples},
                    execute_options(), {"file"}, [&](const cli::Values& values, const cli::Common& common) {
                        if (values.count("strategies"))
                            return list_strategies(
                                values["app"].defaulted()
                                    ? ""
                                    : find_application(values["app"].as<std::string>()).facts().strategies,
                                common);
                        started.emplace();
                        if (!ranks().first()) cli::be_silent();
                        return run_together(values, common);
                    });
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
