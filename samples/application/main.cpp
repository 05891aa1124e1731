// Runs the example application on a graph file with every strategy for traversals, and verifies each result:
//     lockstep_example FILE
#include <cstdio>

#include "execute.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

const Spec& widest_spec();

}  // namespace lockstep

using namespace lockstep;

int main(int argc, char** argv) try {
    if (argc != 2) return 2;
    int runs = 0;
    for (const Strategy& strategy : strategies(widest_spec().strategies)) {
        // the schedule of this strategy has no weights
        if (std::string_view(strategy.name) == "hubs") continue;
        const std::unique_ptr<Application> application = widest_spec().make(widest_spec());
        Fields fields;
        application->list(fields, fields);
        for (Field& field : fields)
            if (field.name == "verify") *std::get<Field::Flag>(field.kind).value = field.is_given = true;
        Request request;
        request.file = argv[1];
        request.strategy = strategy.name;
        application->settle(fields, request, 2);
        execute(*application, request, {});
        ++runs;
    }
    std::printf("%d strategies\n", runs);
} catch (const std::exception& e) {
    std::fprintf(stderr, "lockstep_example: %s\n", e.what());
    return 1;
}
