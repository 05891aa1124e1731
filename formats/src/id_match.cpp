#include "lockstep/formats/id_match.hpp"

#include <algorithm>
#include <string>

namespace lockstep {

namespace {

template <class Id, class Read>
std::vector<Id> all_of(const IdMap& one, const IdMap& other, Read read) {
    std::vector<Id> ids;
    ids.reserve(std::size_t{one.size()} + other.size());
    for (const IdMap* map : {&one, &other}) {
        for (VertexId v = 0; v < map->size(); ++v) ids.push_back(read(map->name(v)));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

bool are_strings(const IdMap& map) { return std::holds_alternative<StringIds>(map.ids()); }

}  // namespace

std::vector<std::optional<VertexId>> match_ids(const IdMap& from, const IdMap& to) {
    std::vector<std::optional<VertexId>> found(from.size());
    for (VertexId v = 0; v < from.size(); ++v) found[v] = to.find(from.name(v));
    return found;
}

IdMap merge_ids(const IdMap& one, const IdMap& other) {
    if (one.size() == 0 || other.size() == 0) return one.size() ? one : other;
    if (are_strings(one) || are_strings(other)) {
        StringIds strings;
        for (const std::string& id : all_of<std::string>(one, other, [](std::string name) { return name; }))
            strings.push(id);
        return strings;
    }
    return make_integer_ids(
        all_of<std::int64_t>(one, other, [](const std::string& name) { return *canonical_integer(name); }));
}

}  // namespace lockstep
