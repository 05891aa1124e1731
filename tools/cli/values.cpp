#include "values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "names.hpp"

namespace lockstep::cli {
namespace po = boost::program_options;

void refuse_value(const std::string& value, const std::string& expected) {
    po::error_with_option_name error("%canonical_option% must be " + expected + ", not %value%");
    error.set_substitute("value", value.empty() ? "nothing" : value);
    throw error;
}

std::string one_text(const boost::any& store, const std::vector<std::string>& tokens) {
    po::validators::check_first_occurrence(store);
    return po::validators::get_single_string(tokens, true);
}

std::string Words::find(const std::string& text) const {
    constexpr std::size_t many = 30, few = 3;  // numbers of names that a message lists
    const auto found = std::find(known_.begin(), known_.end(), lower(text));
    if (found != known_.end()) return *found;
    if (known_.empty()) return text;
    if (known_.size() > many)
        refuse_value(text + did_you_mean(text, known_),
                     fmt::format("one of {} names, such as {}", known_.size(),
                                 fmt::join(nearest(text, known_, few), ", ")));
    refuse_value(text + did_you_mean(text, known_),
                 (known_.size() > 1 ? "one of " : "") + fmt::format("{}", fmt::join(known_, ", ")));
}

Word::Word(std::vector<std::string> known) : typed_value(nullptr), Words(std::move(known)) {
    const std::string all = fmt::format("{}", fmt::join(this->known(), "|"));
    value_name(!all.empty() && all.size() <= 44 ? all : "NAME");
}

void Word::xparse(boost::any& store, const std::vector<std::string>& tokens) const {
    const std::string text = one_text(store, tokens);
    store = find(lower(text) == "gpu" && std::ranges::count(known(), "cuda") ? "cuda" : text);
}

List::List(std::vector<std::string> known) : typed_value(nullptr), Words(std::move(known)) {
    value_name("NAMES");
}

void List::xparse(boost::any& store, const std::vector<std::string>& tokens) const {
    auto* words = boost::any_cast<std::vector<std::string>>(&store);
    if (!words) {
        store = std::vector<std::string>{};
        words = boost::any_cast<std::vector<std::string>>(&store);
    }
    const std::string text = po::validators::get_single_string(tokens, true);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::string name = text.substr(begin, end - begin);
        name.erase(0, name.find_first_not_of(" \t"));
        name.erase(name.find_last_not_of(" \t") + 1);
        words->push_back(find(name));
        begin = end + 1;
    }
}

}  // namespace lockstep::cli
