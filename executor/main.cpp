// lockstep-execute: runs an application on a schedule file under one strategy.
#include <fmt/format.h>

#include <map>

#include "apps/frame/application.hpp"
#include "list_strategies.hpp"

using namespace lockstep;

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
    return cli::run(argc, argv,
                    {"lockstep-execute", "lockstep-execute FILE.h5 [--app NAME] --strategy NAME [options]",
                     "Runs an application on a schedule file, on the GPU or the CPU.", examples},
                    execute_options(), {"file"}, [](const cli::Values& values, const cli::Common& common) {
                        if (values.count("strategies"))
                            return list_strategies(
                                values["app"].defaulted()
                                    ? ""
                                    : find_application(values["app"].as<std::string>()).facts().strategies,
                                common);
                        Request request;
                        const Application& application = read_request(values, request);
                        return execute(application, request, common);
                    });
} catch (...) {
    return lockstep::cli::failed_early(argv[0]);
}
