#include "insight/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lockstep/formats/error.hpp"

namespace lockstep::insight {

namespace {

using Json = nlohmann::ordered_json;

/// Reads the members of a probe from JSON. Error messages contain the name of the file and the key.
class Reader {
public:
    Reader(const std::string& text, const std::string& path) : path_(path) {
        try {
            root_ = Json::parse(text);
        } catch (const Json::exception& e) {
            throw FormatError(
                path,
                fmt::format("is not JSON: {}; delete it and measure again with lockstep-probe", e.what()));
        }
    }

    const Json& root() const { return root_; }
    [[noreturn]] void refuse(const std::string& key, const std::string& expected) const {
        throw FormatError(path_, fmt::format("a probe's \"{}\" must be {}; measure again with lockstep-probe",
                                             key, expected));
    }
    const Json& at(const Json& object, const std::string& key) const {
        if (!object.is_object() || !object.contains(key)) refuse(key, "there");
        return object.at(key);
    }
    std::string text(const Json& object, const std::string& key) const {
        const Json& value = at(object, key);
        if (!value.is_string()) refuse(key, "text");
        return value.get<std::string>();
    }
    const Json& object(const Json& parent, const std::string& key) const {
        const Json& value = at(parent, key);
        if (!value.is_object()) refuse(key, "an object");
        return value;
    }
    /// Returns the number with this key, which must be finite and not negative.
    double number(const Json& object, const std::string& key) const {
        return number_of(at(object, key), key);
    }
    std::uint64_t whole(const Json& object, const std::string& key) const {
        const Json& value = at(object, key);
        if (!value.is_number_unsigned()) refuse(key, "a whole number of at least 0");
        return value.get<std::uint64_t>();
    }
    std::vector<double> numbers(const Json& object, const std::string& key) const {
        const Json& value = at(object, key);
        if (!value.is_array()) refuse(key, "a list of numbers");
        std::vector<double> all;
        for (const Json& one : value) all.push_back(number_of(one, key));
        return all;
    }
    Curve curve(const Json& object, const std::string& key, const char* x, const char* y) const {
        const Json& value = at(object, key);
        Curve c{numbers(value, x), numbers(value, y)};
        const bool rising = std::adjacent_find(c.x.begin(), c.x.end(), std::greater_equal<>()) == c.x.end();
        if (c.x.empty() || c.x.size() != c.y.size() || !rising || c.x.front() <= 0)
            refuse(key, fmt::format("two lists of equal length, \"{}\" rising from above 0", x));
        for (const double number : c.y) {
            if (number <= 0) refuse(key, "above 0");
        }
        return c;
    }

private:
    double number_of(const Json& value, const std::string& key) const {
        if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
            refuse(key, "a number of at least 0");
        return value.get<double>();
    }

    std::string path_;
    Json root_;
};

Json curve_json(const Curve& curve, const char* x, const char* y) { return {{x, curve.x}, {y, curve.y}}; }
Json by_edges_json(const std::map<std::string, SecondsByEdges>& seconds) {
    Json all = Json::object();
    for (const auto& [name, s] : seconds) all[name] = {{"start", s.start}, {"edge", s.edge}};
    return all;
}

}  // namespace

double Curve::at(double value) const {
    if (value <= x.front()) return y.front();
    if (value >= x.back()) return y.back() * value / x.back();
    const auto i = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), value) - x.begin());
    const double part = std::log(value / x[i - 1]) / std::log(x[i] / x[i - 1]);
    return y[i - 1] * std::pow(y[i] / y[i - 1], part);
}

double Probe::cost(const std::string& name) const { return costs.at(name); }

const DependentUpdate& Probe::update() const {
    return *std::find_if(updates.begin(), updates.end(), [&](const auto& u) { return u.rank == rank; });
}

std::string device_text(const DeviceInfo& device) {
    return device.driver.empty()
               ? fmt::format("{}, {} thread{}", device.name, device.threads, device.threads == 1 ? "" : "s")
               : fmt::format("{}, {}", device.name, device.driver);
}

Json to_json(const Probe& p) {
    Json updates = Json::array();
    for (const DependentUpdate& u : p.updates)
        updates.push_back({{"rank", u.rank}, {"near", u.near}, {"shared", u.shared}, {"locked", u.locked}});
    const DependentUpdate& own = p.update();
    Json json{{"lockstep_probe", Probe::format},
              {"program", p.program},
              {"measured", p.measured},
              {"device", p.device.name},
              {"kind", p.device.kind},
              {"threads", p.device.threads},
              {"driver", p.device.driver},
              {"rank", p.rank},
              {"cache_bytes", p.cache_bytes},
              {"copy_bytes_per_second", p.copy_rate},
              {"seconds",
               {{"barrier", p.barrier},
                {"block_barrier", p.block_barrier},
                {"launch", p.launch},
                {"graph_node", p.graph_node},
                {"update_l2", own.shared},
                {"update_near", own.near},
                {"update_locked", own.locked},
                {"lock", std::max(0.0, own.locked - own.shared)}}},
              {"racing_updates_per_second", 1 / p.cost("racing.edge.near")},
              {"locked_updates_per_second", 1 / p.cost("locked.edge.near")},
              {"atomics_same", curve_json(p.atomics_same, "threads", "per_second")},
              {"atomics_spread", curve_json(p.atomics_spread, "threads", "per_second")},
              {"barrier_by_blocks", curve_json(p.barrier_by_blocks, "blocks", "seconds")},
              {"updates", updates},
              {"phase_round", curve_json(p.phase_round, "edges", "seconds")},
              {"resident_round", curve_json(p.resident_round, "edges", "seconds")},
              {"locked_edge", curve_json(p.locked_edge, "meeting", "seconds")},
              {"costs", p.costs},
              {"build", by_edges_json(p.build)},
              {"load", by_edges_json(p.load)}};
    if (p.factors) json["factors"] = *p.factors;
    return json;
}

Probe probe_from_json(const std::string& text, const std::string& path) {
    const Reader reader(text, path);
    const Json& root = reader.root();
    if (!root.is_object() || !root.contains("lockstep_probe"))
        throw FormatError(path, "is not a probe of Lockstep; make one with lockstep-probe --json");
    const std::uint64_t format = reader.whole(root, "lockstep_probe");
    if (format < 1 || format > Probe::format)
        throw FormatError(
            path, fmt::format(
                      "is a probe of format {}, but this program reads {}; measure again with lockstep-probe",
                      root["lockstep_probe"].dump(), Probe::format));
    Probe p;
    p.program = reader.text(root, "program");
    p.measured = reader.text(root, "measured");
    p.device = {reader.text(root, "kind"), reader.text(root, "device"), reader.whole(root, "threads"),
                reader.text(root, "driver")};
    if (p.device.kind != "cpu" && p.device.kind != "cuda") reader.refuse("kind", "cpu or cuda");
    if (p.device.threads == 0) reader.refuse("threads", "at least 1");
    const std::uint64_t rank = reader.whole(root, "rank");
    if (rank < 1 || rank > 256) reader.refuse("rank", fmt::format("1 to 256, not {}", rank));
    p.rank = static_cast<std::uint32_t>(rank);
    p.cache_bytes = reader.number(root, "cache_bytes");
    p.copy_rate = reader.number(root, "copy_bytes_per_second");
    const Json& seconds = reader.at(root, "seconds");
    p.barrier = reader.number(seconds, "barrier");
    p.block_barrier = reader.number(seconds, "block_barrier");
    p.launch = reader.number(seconds, "launch");
    p.graph_node = reader.number(seconds, "graph_node");
    p.atomics_same = reader.curve(root, "atomics_same", "threads", "per_second");
    p.atomics_spread = reader.curve(root, "atomics_spread", "threads", "per_second");
    p.barrier_by_blocks = reader.curve(root, "barrier_by_blocks", "blocks", "seconds");
    bool own = false;
    for (const Json& u : reader.at(root, "updates")) {
        p.updates.push_back({static_cast<std::uint32_t>(reader.whole(u, "rank")), reader.number(u, "near"),
                             reader.number(u, "shared"), reader.number(u, "locked")});
        own = own || p.updates.back().rank == p.rank;
    }
    if (!own) reader.refuse("updates", "present for the rank of the probe");
    p.phase_round = reader.curve(root, "phase_round", "edges", "seconds");
    p.resident_round = reader.curve(root, "resident_round", "edges", "seconds");
    p.locked_edge = reader.curve(root, "locked_edge", "meeting", "seconds");
    for (const std::string_view name : cost_names)
        p.costs[std::string(name)] = reader.number(reader.at(root, "costs"), std::string(name));
    const auto by_edges = [&](const char* key, std::map<std::string, SecondsByEdges>& times) {
        const Json& all = reader.object(root, key);
        for (const auto& [name, value] : all.items()) {
            if (value.is_object())
                times[name] = {reader.number(value, "start"), reader.number(value, "edge")};
            else  // in format 1, the value is a number: the seconds per edge
                times[name] = {0, reader.number(all, name)};
        }
    };
    by_edges("build", p.build);
    if (root.contains("load")) by_edges("load", p.load);
    if (!root.contains("factors")) return p;
    p.factors.emplace();
    for (const auto& [strategy, terms] : reader.object(root, "factors").items()) {
        std::map<std::string, double>& factors = (*p.factors)[strategy];
        for (const auto& [term, ignored] : reader.object(root["factors"], strategy).items())
            factors[term] = reader.number(terms, term);
    }
    return p;
}

}  // namespace lockstep::insight
