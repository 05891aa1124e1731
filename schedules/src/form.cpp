#include "lockstep/schedules/form.hpp"

#include <algorithm>

#include "lockstep/schedules/builders.hpp"

namespace lockstep {

std::string departure(const Graph& graph, const Schedule& s, const Form& form) {
    struct Part {
        std::uint32_t bit;
        std::string name;
        bool there, trivial = false;  // trivial: the array is empty even if it is complete
    };
    std::vector<Part> parts{
        {Form::edges, "order of the edges", !s.order.empty(), graph.edges() == 0},
        {Form::residents, "residents", !s.resident_offsets.empty() || !s.residents.empty()},
        {Form::row_order, "order of the rows", !s.row_order.empty(), graph.rows == 0},
        {Form::col_order, "order of the columns", !s.col_order.empty(), graph.cols == 0},
        {Form::row_parts, "parts of the rows", !s.row_parts.empty()},
        {Form::col_parts, "parts of the columns", !s.col_parts.empty()},
        {Form::locked, "edges under locks", s.locked > 0}};
    for (const Level level : all_levels)
        parts.push_back(
            {1U << static_cast<unsigned>(level), std::string(to_string(level)) + " level", s.has(level)});
    for (const Part& part : parts) {
        if (form.has & part.bit && !part.there && !part.trivial) return "lacks its " + part.name;
        if (!((form.has | form.may_have) & part.bit) && part.there) return "must not have " + part.name;
    }
    return {};
}

const Form* form_of(const std::string& name, Ends ends) {
    const auto all = builders();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Builder& builder) { return name == builder.name; });
    return found == all.end() ? nullptr : &found->form_for(ends);
}

}  // namespace lockstep
