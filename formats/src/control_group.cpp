#include "lockstep/formats/control_group.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace lockstep {

namespace {

namespace fs = std::filesystem;

/// Returns the words of a file, or none if the file does not exist.
std::vector<std::string> words_of(const fs::path& file) {
    std::ifstream in(file);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// Returns the number that word i denotes, if there is one.
std::optional<double> number(const std::vector<std::string>& words, std::size_t i) {
    try {
        if (i < words.size()) return std::stod(words[i]);
    } catch (const std::exception&) {  // the word "max" denotes no limit
    }
    return {};
}

/// Returns the folders of the control group that applies to this process for `controller`, and of all its
/// ancestors. In a container that sees only a part of the hierarchy, the path of the group may not exist;
/// then the root folder contains the limits of the container.
std::vector<fs::path> folders(const ControlGroups& groups, const std::string& controller) {
    std::vector<fs::path> found;
    std::ifstream in(groups.membership);
    for (std::string line; std::getline(in, line);) {  // format of a line: number:controllers:path
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string names = line.substr(first + 1, second - first - 1);
        if (!names.empty() && (',' + names + ',').find(',' + controller + ',') == std::string::npos) continue;
        const fs::path root = names.empty() ? groups.root : groups.root / names;
        fs::path group = fs::path(line.substr(second + 1)).relative_path();
        for (; !group.empty(); group = group.parent_path()) found.push_back(root / group);
        found.push_back(root);
        // Version 1 of control groups may mount several controllers in one folder.
        if (!names.empty()) found.push_back(groups.root / controller);
    }
    return found;
}

/// Returns the minimum of the positive limits that limit_of() finds in the folders, if there is any.
std::optional<double> least(const std::vector<fs::path>& folders,
                            const std::function<std::optional<double>(const fs::path&)>& limit_of) {
    std::optional<double> least;
    for (const fs::path& folder : folders) {
        if (const auto limit = limit_of(folder); limit && *limit > 0)
            least = std::min(*limit, least.value_or(*limit));
    }
    return least;
}

}  // namespace

std::optional<std::uint64_t> ControlGroups::memory() const {
    const auto limit = least(folders(*this, "memory"), [](const fs::path& folder) {
        const auto present = number(words_of(folder / "memory.max"), 0);
        return present ? present : number(words_of(folder / "memory.limit_in_bytes"), 0);
    });
    constexpr double none = 0x1p62;  // version 1 writes 2^63 minus one page if there is no limit
    if (!limit || *limit >= none) return {};
    return static_cast<std::uint64_t>(*limit);
}

std::optional<double> ControlGroups::processors() const {
    return least(folders(*this, "cpu"), [](const fs::path& folder) -> std::optional<double> {
        const auto words = words_of(folder / "cpu.max");  // "150000 100000": time quota and period
        auto quota = number(words, 0), period = number(words, 1);
        if (words.empty()) {
            quota = number(words_of(folder / "cpu.cfs_quota_us"), 0);
            period = number(words_of(folder / "cpu.cfs_period_us"), 0);
        }
        if (!quota || !period || *period <= 0) return {};
        return *quota / *period;
    });
}

}  // namespace lockstep
