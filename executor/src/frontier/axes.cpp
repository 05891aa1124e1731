#include "lockstep/executor/frontier/axes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

namespace lockstep::frontier {

namespace {

constexpr std::array actives{"scan", "list", "lists", "marks"};
constexpr std::array directions{"push", "pull", "adaptive"};
constexpr std::array combines{"lanes", "atomics"};
constexpr std::array appends{"thread", "warp", "block"};
constexpr std::array filters{"none", "append", "batch", "online", "ballot", "strided", "jit"};
constexpr std::array loops{"host", "outlined", "fused", "all"};
constexpr std::array priorities{"none", "near-far", "delta"};

constexpr std::array<std::pair<const char*, const char*>, 13> options{{
    {"active",
     "how a round finds its active vertices: scan (of all vertices), list, lists (three by degree, one "
     "kernel each), marks (three arrays of flags)"},
    {"direction",
     "push, pull, or adaptive[:SHARE]: pull while the active vertices have more than this fraction of the "
     "arcs (never with --priority)"},
    {"balance",
     "workers that process a vertex's arcs, by its degree: serial, sub-warp:N or fine for low degrees, warp "
     "and block for high degrees; several are joined with +"},
    {"small",
     "minimum degree of a vertex that a warp processes, if --balance also has workers for lower degrees"},
    {"large",
     "minimum degree of a vertex that a block processes, if --balance also has workers for lower degrees"},
    {"defer",
     "vertices of a larger degree are deferred to a later step of the round, in which all blocks share their "
     "arcs; 0 = no vertices"},
    {"combine",
     "how the values that a group of threads pulls for a vertex are combined: lanes (one thread writes the "
     "result), atomics"},
    {"append", "threads that share one atomic operation to append to a list: thread, warp, block"},
    {"filter",
     "how the list of the next round is made: none, append, batch, online, ballot, strided, jit[:N] (online, "
     "or ballot if a thread finds more than N vertices)"},
    {"loop",
     "kernel launches: host (one per step), outlined (one, in a single direction); bfs, sssp, kcore, cc "
     "also fused (one per change of direction), all (one)"},
    {"priority", "sssp: method that processes smaller distances first: none, near-far, delta"},
    {"delta", "sssp: width of the buckets of --priority; 0 = chosen by the weights and the degrees"},
    {"chunk", "vertices claimed at a time from a work queue; 0 = static distribution"},
}};

[[noreturn]] void refuse(std::string_view option, const std::string& value, const std::string& expected) {
    throw Error(Failure::usage, "--" + std::string(option) + " must be " + expected + ", not " + value);
}

template <class Enum, std::size_t N>
Enum word(const std::array<const char*, N>& words, std::string_view option, const std::string& value) {
    const auto found = std::find(words.begin(), words.end(), value);
    if (found != words.end()) return static_cast<Enum>(found - words.begin());
    std::string known;
    for (const char* w : words) known += (known.empty() ? "" : ", ") + std::string(w);
    refuse(option, value, known);
}
template <std::size_t N>
const char* name(const std::array<const char*, N>& words, auto value) {
    return words[static_cast<std::size_t>(value)];
}

template <class T>
std::optional<T> number(std::string_view text) {
    T value{};
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Splits "word:rest" at the colon. The rest is empty if there is no colon.
std::pair<std::string, std::string> parts(const std::string& value) {
    const std::size_t colon = value.find(':');
    if (colon == std::string::npos) return {value, ""};
    return {value.substr(0, colon), value.substr(colon + 1)};
}

Balance balance_of(const std::string& value) {
    const auto wrong = [&] {
        refuse("balance", value,
               "one of serial, sub-warp:2 to 16, fine, and warp and block, several of them with +");
    };
    Balance balance;
    balance.lanes = 0;
    std::istringstream words(value);
    for (std::string part; std::getline(words, part, '+');) {
        const auto [kind, lanes] = parts(part);
        const bool few = kind == "serial" || kind == "sub-warp" || kind == "fine";
        if (few && (balance.lanes || balance.fine)) wrong();
        if (kind == "serial") {
            balance.lanes = 1;
        } else if (kind == "sub-warp") {
            const auto count = lanes.empty() ? std::optional(8) : number<int>(lanes);
            if (!count || (*count != 2 && *count != 4 && *count != 8 && *count != 16)) wrong();
            balance.lanes = *count;
        } else if (kind == "fine") {
            balance.fine = true;
        } else if (kind == "warp" && !balance.warp) {
            balance.warp = true;
        } else if (kind == "block" && !balance.block) {
            balance.block = true;
        } else {
            wrong();
        }
        if (!lanes.empty() && kind != "sub-warp") wrong();
    }
    if (balance == Balance{.lanes = 0}) wrong();
    return balance;
}

std::string text_of(const Balance& balance) {
    std::string text = balance.lanes == 1  ? "serial"
                       : balance.lanes > 1 ? "sub-warp:" + std::to_string(balance.lanes)
                       : balance.fine      ? "fine"
                                           : "";
    for (const auto& [has, name] : {std::pair(balance.warp, "warp"), std::pair(balance.block, "block")}) {
        if (has) text += (text.empty() ? "" : "+") + std::string(name);
    }
    return text;
}

std::string text_of(double value) {
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace

std::span<const std::pair<const char*, const char*>> axis_options() { return options; }

void set_axis(Axes& axes, std::string_view option, const std::string& value) {
    const auto [kind, rest] = parts(value);
    const auto whole = [&]<class T>(T& place, T least, T largest) {
        const auto n = number<T>(value);
        if (!n || *n < least || *n > largest)
            refuse(option, value, std::to_string(least) + " to " + std::to_string(largest));
        place = *n;
    };
    constexpr EdgeId most = EdgeId{1} << 40;
    if (option == "active") {
        axes.active = word<ActiveSetForm>(actives, option, value);
    } else if (option == "direction") {
        axes.direction = word<Direction>(directions, option, kind);
        if (!rest.empty()) {
            const auto share = number<double>(rest);
            if (axes.direction != Direction::adaptive || !share || !(*share >= 0 && *share <= 1))
                refuse(option, value, "push, pull, adaptive or adaptive:SHARE, a share from 0 to 1");
            axes.share = *share;
        }
    } else if (option == "balance") {
        axes.balance = balance_of(value);
    } else if (option == "small") {
        whole(axes.small, EdgeId{0}, most);
    } else if (option == "large") {
        whole(axes.large, EdgeId{0}, most);
    } else if (option == "chunk") {
        whole(axes.chunk, std::uint32_t{0}, std::uint32_t{1} << 20);
    } else if (option == "defer") {
        whole(axes.defer, EdgeId{0}, most);
    } else if (option == "combine") {
        axes.combine = word<CombineMethod>(combines, option, value);
    } else if (option == "append") {
        axes.append = word<Append>(appends, option, value);
    } else if (option == "filter") {
        axes.filter = word<Filter>(filters, option, kind);
        if (!rest.empty()) {
            const auto bin = number<std::uint32_t>(rest);
            if (axes.filter != Filter::jit || !bin || *bin < 1 || *bin > 1024)
                refuse(option, value, "jit or jit:N with N from 1 to 1024, or a word without a number");
            axes.bin = *bin;
        }
    } else if (option == "loop") {
        axes.loop = word<Loop>(loops, option, value);
    } else if (option == "priority") {
        axes.priority = word<Priority>(priorities, option, value);
    } else if (option == "delta") {
        const auto delta = number<double>(value);
        if (!delta || !(*delta >= 0 && *delta <= 1e30)) refuse(option, value, "0 to 1e30");
        axes.delta = *delta;
    } else {
        throw Error(Failure::usage, "there is no option --" + std::string(option) + " of a frontier");
    }
}

std::string to_string(const Axes& a) {
    std::string text =
        std::string("--active ") + name(actives, a.active) + " --direction " + name(directions, a.direction);
    if (a.direction == Direction::adaptive) text += ":" + text_of(a.share);
    text += " --balance " + text_of(a.balance);
    if (a.balance.warp) text += " --small " + std::to_string(a.small);
    if (a.balance.block) text += " --large " + std::to_string(a.large);
    if (a.chunk) text += " --chunk " + std::to_string(a.chunk);
    if (a.defer) text += " --defer " + std::to_string(a.defer);
    if (a.combine != CombineMethod::lanes) text += std::string(" --combine ") + name(combines, a.combine);
    text += std::string(" --append ") + name(appends, a.append) + " --filter " + name(filters, a.filter);
    if (a.filter == Filter::jit) text += ":" + std::to_string(a.bin);
    text += std::string(" --loop ") + name(loops, a.loop);
    if (a.priority != Priority::none)
        text += std::string(" --priority ") + name(priorities, a.priority) + " --delta " + text_of(a.delta);
    return text;
}

void set_axes(Axes& axes, std::string_view options) {
    std::istringstream words{std::string(options)};
    for (std::string option, value; words >> option >> value;) set_axis(axes, option.substr(2), value);
}

Axes preset_axes(const char* preset, bool by_priority) {
    Axes axes;
    if (preset) set_axes(axes, preset);
    if (!by_priority) axes.priority = Priority::none;
    return axes;
}

std::string why_not(const Axes& a, bool by_priority) {
    if (a.in_lists() && a.filter == Filter::none)
        return std::string("--active ") + name(actives, a.active) +
               " needs a filter that makes the list: append, batch, online, ballot, strided or jit";
    if (a.active == ActiveSetForm::lists &&
        !(a.balance.warp && a.balance.block && a.balance.lanes && !a.balance.fine))
        return "--active lists has one list per degree class (few arcs, warp, block); give --balance "
               "serial+warp+block or sub-warp:N+warp+block";
    if (a.active == ActiveSetForm::lists && a.append == Append::block)
        return "--active lists: a block appends to one list; give --append thread or warp";
    if (a.combine == CombineMethod::atomics && !a.pulls())
        return "--combine applies only to pull; give --direction pull or adaptive";
    if (!a.in_lists() && a.filter != Filter::none)
        return std::string("--filter ") + name(filters, a.filter) + " makes a list, which --active " +
               name(actives, a.active) + " does not read; give --filter none";
    if (a.loop == Loop::outlined && a.direction == Direction::adaptive)
        return "--loop outlined is one kernel launch in a single direction; give --direction push or pull, "
               "or --loop fused or all";
    if (a.balance.warp && a.balance.block && a.small > a.large) return "--small is larger than --large";
    if (a.priority != Priority::none && !by_priority)
        return "--priority applies only to applications that can process better values first, such as sssp";
    if (a.priority != Priority::none && !a.in_lists())
        return "--priority stores lists of the vertices that are processed first; give --active list";
    return {};
}

const char* name_of(Filter filter) { return name(filters, filter); }

}  // namespace lockstep::frontier
