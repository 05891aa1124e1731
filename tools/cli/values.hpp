// The types of options: numbers within bounds, words of a list, lists of words. An invalid value is refused
// when the command line is parsed, with a message that names the option and the values it accepts.
#pragma once

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/formats/numbers.hpp"

namespace lockstep::cli {

using Options = boost::program_options::options_description;
using Values = boost::program_options::variables_map;

/// Maximum number of threads of a program: OpenMP's runtime fails with larger teams on most machines.
inline constexpr int max_threads = 1024;

/// Throws the error for an invalid value of an option: "--sweeps takes 0 to 9, not -1".
[[noreturn]] void refuse_value(const std::string& value, const std::string& expected);
/// Returns the text of an option that may be given only once.
std::string one_text(const boost::any& store, const std::vector<std::string>& tokens);

using lockstep::parse_number;

/// A number from `low` to `high`.
template <class T>
class Number : public boost::program_options::typed_value<T> {
public:
    Number(T low, T high) : boost::program_options::typed_value<T>(nullptr), low_(low), high_(high) {
        this->value_name("N");
    }
    void xparse(boost::any& store, const std::vector<std::string>& tokens) const override {
        const std::string text = one_text(store, tokens);
        const std::optional<T> value = parse_number(text, low_, high_);
        if (!value) refuse_value(text, fmt::format("{} to {}", low_, high_));
        store = *value;
    }

private:
    T low_, high_;
};

/// The words that an option accepts, in any case; any word if `known` is empty.
class Words {
public:
    explicit Words(std::vector<std::string> known) : known_(std::move(known)) {}
    const std::vector<std::string>& known() const { return known_; }

protected:
    std::string find(const std::string& text) const;

private:
    std::vector<std::string> known_;
};

/// The value of an option that accepts one of the given words. The word gpu is stored as cuda.
class Word : public boost::program_options::typed_value<std::string>, public Words {
public:
    explicit Word(std::vector<std::string> known);
    void xparse(boost::any& store, const std::vector<std::string>& tokens) const override;
};

/// A list of words separated by commas and optional blanks; an option that is repeated appends to the list.
class List : public boost::program_options::typed_value<std::vector<std::string>>, public Words {
public:
    explicit List(std::vector<std::string> known);
    void xparse(boost::any& store, const std::vector<std::string>& tokens) const override;
};

}  // namespace lockstep::cli
