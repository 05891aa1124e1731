// The parameters of an application or a program, as a list of fields. A field has a name, the variable that
// stores the value, a range or a list of words, and a help text. The command-line options, the options of the
// library and the parameters in run records are generated from this list.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace lockstep {

/// A kind of output file, and how an existing file of this kind is recognised.
struct OutputKind {
    const char* name;       ///< name of the kind in messages, such as "a model"
    const char* hdf5 = "";  ///< name of the HDF5 format (schema.hpp); empty for text files
    /// Text near the beginning of every text file of this kind. If it is empty, no existing text file is
    /// recognised as this kind.
    std::string_view mark{};
    bool appended = false;
};

/// A parameter. It refers to a variable of its application: either `value`, whose initial value is the
/// default, or `maybe`, which stays empty if the user does not give the parameter.
struct Field {
    template <class T>
    struct Number {
        T least, most;
        T* value;
        std::optional<T>* maybe;
    };
    struct Word {
        std::vector<std::string> words;
        std::function<void(std::size_t)> keep;             ///< stores the meaning of a word, by its index
        std::function<std::optional<std::size_t>()> kept;  ///< returns the index of the word that is stored
    };
    struct Text {
        std::string* value;
        std::optional<std::string>* maybe;
    };
    /// A parameter that may be given several times.
    struct Texts {
        std::vector<std::string>* value;
    };
    /// A list separated by commas, of these words, or of any words if there are none. It may be given several
    /// times.
    struct List {
        std::vector<std::string> words;
        std::vector<std::string>* value;
    };
    struct Flag {
        bool* value;
    };

    std::string name;  ///< name as in the option: "rank"
    std::string help;
    std::variant<Number<int>, Number<std::uint32_t>, Number<std::uint64_t>, Number<double>, Word, Text, Texts,
                 List, Flag>
        kind;
    std::string section = {};  ///< title of the section of the help
    std::string unit =
        {};           ///< placeholder of the value in the help, such as "FILE"; if empty, that of its kind
    char letter = 0;  ///< one-letter abbreviation of the name; 0: none
    std::string shown_default =
        {};  ///< default as printed in the help; if empty, the help prints the value of the variable
    bool takes_many = false;  ///< whether one option takes all words up to the next option
    bool is_recorded = false;
    bool is_given = false;
    bool is_for_gpu = false;
    bool is_input = false;
    std::optional<OutputKind> output = {};

    /// The next four functions set a one-letter abbreviation of the name, the placeholder of the value or
    /// another text for the default in the help, or let one option take all words up to the next one.
    Field& with_letter(char of_name) { return letter = of_name, *this; }
    Field& with_unit(std::string text) { return unit = std::move(text), *this; }
    Field& with_default(std::string text) { return shown_default = std::move(text), *this; }
    Field& with_many() { return takes_many = true, *this; }
    /// The next three functions mark a parameter that a CPU ignores, that names an input file, or that names
    /// an output file.
    Field& for_gpu() { return is_for_gpu = true, *this; }
    Field& reads() { return is_input = true, *this; }
    Field& writes(OutputKind kind_of_file) { return output = kind_of_file, *this; }
    /// Adds the parameter to run records, as text. Its key is the name with underscores instead of hyphens.
    Field& recorded() { return is_recorded = true, *this; }

    /// Returns the current value as text; "" if there is none.
    std::string text() const;
};

/// The parameters of an application or a program, in the order of the help. The variables to which they refer
/// must outlive this object.
class Fields {
public:
    /// Adds a number in the range [least, most]. The second overload is for a parameter without a default.
    template <class T>
    Field& number(const char* name, T& value, std::type_identity_t<T> least, std::type_identity_t<T> most,
                  std::string help) {
        return add(name, std::move(help), Field::Number<T>{least, most, &value, nullptr});
    }
    template <class T>
    Field& number(const char* name, std::optional<T>& maybe, std::type_identity_t<T> least,
                  std::type_identity_t<T> most, std::string help) {
        return add(name, std::move(help), Field::Number<T>{least, most, nullptr, &maybe});
    }
    /// Adds a choice between several words, each with the value that it stands for. If none stands for the
    /// value of the variable, there is no default.
    template <class T>
    Field& word(const char* name, T& value,
                const std::vector<std::pair<const char*, std::type_identity_t<T>>>& meanings,
                std::string help) {
        std::vector<std::string> words;
        std::vector<T> values;
        for (const auto& [word, meaning] : meanings) words.emplace_back(word), values.push_back(meaning);
        return add_word(name, std::move(help), value, std::move(words), std::move(values));
    }
    /// Adds a choice between several words, which are stored themselves.
    template <class T>
    requires std::is_constructible_v<T, std::string> Field& word(const char* name, T& value,
                                                                 const std::vector<std::string>& words,
                                                                 std::string help) {
        return add_word(name, std::move(help), value, words, std::vector<T>(words.begin(), words.end()));
    }
    Field& text(const char* name, std::string& value, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Text{&value, nullptr}).with_unit(unit);
    }
    Field& text(const char* name, std::optional<std::string>& maybe, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Text{nullptr, &maybe}).with_unit(unit);
    }
    Field& texts(const char* name, std::vector<std::string>& value, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Texts{&value}).with_unit(unit);
    }
    Field& list(const char* name, std::vector<std::string>& value, std::vector<std::string> words,
                std::string help) {
        return add(name, std::move(help), Field::List{std::move(words), &value});
    }
    Field& flag(const char* name, bool& value, std::string help) {
        return add(name, std::move(help), Field::Flag{&value});
    }

    /// Starts a section of the help for the parameters that are added next. The first section is "Options".
    void begin_section(std::string title) { section_ = std::move(title); }

    auto begin() { return fields_.begin(); }
    auto end() { return fields_.end(); }
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }

    /// Returns whether the user has given the parameter.
    bool is_given(std::string_view name) const {
        return std::ranges::any_of(fields_, [&](const Field& f) { return f.name == name && f.is_given; });
    }
    /// Returns the current value of a parameter as text; "" if there is none.
    std::string text(std::string_view name) const;
    /// Returns the recorded parameters by name, with underscores.
    std::map<std::string, std::string> record() const;

private:
    template <class Kind>
    Field& add(const char* name, std::string help, Kind kind) {
        return fields_.emplace_back(Field{name, std::move(help), std::move(kind), section_});
    }

    template <class T>
    Field& add_word(const char* name, std::string help, T& value, std::vector<std::string> words,
                    std::vector<T> values) {
        const auto kept = [&value, values]() -> std::optional<std::size_t> {
            const auto found = std::ranges::find(values, value);
            if (found == values.end()) return {};
            return static_cast<std::size_t>(found - values.begin());
        };
        return add(
            name, std::move(help),
            Field::Word{std::move(words), [&value, values](std::size_t i) { value = values[i]; }, kept});
    }

    std::string section_ = "Options";
    std::deque<Field> fields_;  ///< a deque, since its elements do not move when others are added
};

}  // namespace lockstep
