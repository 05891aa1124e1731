// The parameters of an application or a program, each listed once: its name, the variable that keeps it, its range, its
// default and its help. The options of the command line and of the library, and the parameters of a run record, are
// made from the list.
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

/// A kind of output file, and how an earlier file of this kind is recognised.
struct OutputKind {
    const char* name;       ///< "a model"
    const char* hdf5 = "";  ///< format of an HDF5 file
    std::string_view
        mark{};  ///< text near the start of a text file; without one, every file is somebody else's
    bool appended = false;
};

/// A parameter. Of the two variables of a kind one is there: `value`, whose value in a new object is the default, or
/// `maybe`, which stays empty if the parameter is not given.
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
        bool has_default;
    };
    struct Text {
        const char* unit;  ///< placeholder of the value in the help: "FILE"
        std::string* value;
        std::optional<std::string>* maybe;
    };
    /// Texts of a parameter that may be given several times.
    struct Texts {
        const char* unit;
        std::vector<std::string>* value;
    };
    struct Flag {
        bool* value;
    };

    std::string name;  ///< "rank"
    std::string help;
    std::variant<Number<int>, Number<std::uint32_t>, Number<std::uint64_t>, Number<double>, Word, Text, Texts,
                 Flag>
        kind;
    char letter = 0;  ///< short for the name, if any
    std::string shown_default =
        {};  ///< as the help shows it, if that is not the value; empty: the value, if any
    bool is_recorded = false;
    bool is_given = false;
    bool is_for_gpu = false;
    bool is_input = false;
    std::optional<OutputKind> output = {};

    /// Gives it a letter that is short for the name, or another default in the help.
    Field& with_letter(char of_name) { return letter = of_name, *this; }
    Field& with_default(std::string text) { return shown_default = std::move(text), *this; }
    /// Marks a parameter that a CPU ignores, one that names an input file, or one that names an output file.
    Field& for_gpu() { return is_for_gpu = true, *this; }
    Field& reads() { return is_input = true, *this; }
    Field& writes(OutputKind kind_of_file) { return output = kind_of_file, *this; }
    /// Has the parameter in run records, as text, under its name with underscores.
    Field& recorded() { return is_recorded = true, *this; }

    /// Returns the present value as text; "" if there is none.
    std::string text() const;
};

/// The parameters of an application or a program, in the order of its help. They refer to variables, which must outlive
/// them.
class Fields {
public:
    /// Adds a number from `least` to `most`.
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
    /// Adds one of several words, each with the value that it stands for.
    template <class T>
    Field& word(const char* name, T& value,
                std::vector<std::pair<const char*, std::type_identity_t<T>>> meanings, std::string help) {
        return add_word(name, std::move(help), value, meanings, true);
    }
    template <class T>
    Field& word(const char* name, std::optional<T>& maybe,
                std::vector<std::pair<const char*, std::type_identity_t<T>>> meanings, std::string help) {
        return add_word(name, std::move(help), maybe, meanings, false);
    }
    Field& text(const char* name, std::string& value, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Text{unit, &value, nullptr});
    }
    Field& text(const char* name, std::optional<std::string>& maybe, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Text{unit, nullptr, &maybe});
    }
    Field& texts(const char* name, std::vector<std::string>& value, const char* unit, std::string help) {
        return add(name, std::move(help), Field::Texts{unit, &value});
    }
    Field& flag(const char* name, bool& value, std::string help) {
        return add(name, std::move(help), Field::Flag{&value});
    }

    auto begin() { return fields_.begin(); }
    auto end() { return fields_.end(); }
    auto begin() const { return fields_.begin(); }
    auto end() const { return fields_.end(); }

    /// Returns whether a parameter was given, by its user and not by default.
    bool is_given(std::string_view name) const {
        return std::ranges::any_of(fields_, [&](const Field& f) { return f.name == name && f.is_given; });
    }
    /// Returns the recorded parameters, by name with underscores.
    std::map<std::string, std::string> record() const;

private:
    template <class Kind>
    Field& add(const char* name, std::string help, Kind kind) {
        return fields_.emplace_back(Field{name, std::move(help), std::move(kind)});
    }
    template <class Kept, class Meanings>
    Field& add_word(const char* name, std::string help, Kept& kept, const Meanings& meanings,
                    bool has_default) {
        std::vector<std::string> words;
        words.reserve(meanings.size());
        for (const auto& [word, meaning] : meanings) words.emplace_back(word);
        const auto find = [&kept, meanings]() -> std::optional<std::size_t> {
            const auto found =
                std::ranges::find_if(meanings, [&](const auto& m) { return kept == m.second; });
            if (found == meanings.end()) return {};
            return static_cast<std::size_t>(found - meanings.begin());
        };
        return add(
            name, std::move(help),
            Field::Word{std::move(words), [&kept, meanings](std::size_t i) { kept = meanings[i].second; },
                        find, has_default});
    }

    std::deque<Field> fields_;  ///< a deque, since its entries do not move when others are added
};

}  // namespace lockstep
