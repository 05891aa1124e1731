#include "field_options.hpp"

#include "values.hpp"

namespace lockstep::cli {

namespace {

namespace po = boost::program_options;

template <class Value, class T>
Value* with_default(Value* value, const T& usual, const Field& field) {
    value->default_value(usual, field.shown_default.empty() ? field.text() : field.shown_default);
    return value;
}

/// Returns the option's value for each kind of field. Boost takes it over.
struct ValueOf {
    const Field& field;

    template <class T>
    const po::value_semantic* operator()(const Field::Number<T>& of) const {
        auto* const value = number<T>(of.least, of.most);
        if (of.value) return with_default(value, *of.value, field);
        return field.shown_default.empty() ? value : with_default(value, of.least, field);
    }
    const po::value_semantic* operator()(const Field::Word& of) const {
        Word* const value = word(of.words);
        return of.has_default ? with_default(value, field.text(), field) : value;
    }
    const po::value_semantic* operator()(const Field::Text& of) const {
        auto* const value = po::value<std::string>()->value_name(of.unit);
        return of.value ? with_default(value, *of.value, field) : value;
    }
    const po::value_semantic* operator()(const Field::Texts& of) const {
        return po::value<std::vector<std::string>>()->value_name(of.unit)->composing();
    }
    const po::value_semantic* operator()(const Field::Flag&) const { return nullptr; }
};

/// Returns the function that stores an option's value in the field's variable.
struct StoreOf {
    const po::variable_value& value;

    template <class T>
    std::function<void()> keep(T* variable, std::optional<T>* maybe) const {
        const T given = value.as<T>();
        if (variable) return [variable, given] { *variable = given; };
        if (value.defaulted()) return [] {};
        return [maybe, given] { *maybe = given; };
    }
    template <class T>
    std::function<void()> operator()(const Field::Number<T>& of) const {
        return keep(of.value, of.maybe);
    }
    std::function<void()> operator()(const Field::Word& of) const {
        const auto found = std::ranges::find(of.words, value.as<std::string>());
        const auto index = static_cast<std::size_t>(found - of.words.begin());
        return [keep = of.keep, index] { keep(index); };
    }
    std::function<void()> operator()(const Field::Text& of) const { return keep(of.value, of.maybe); }
    std::function<void()> operator()(const Field::Texts& of) const {
        return keep<std::vector<std::string>>(of.value, nullptr);
    }
    std::function<void()> operator()(const Field::Flag& of) const {
        return [variable = of.value] { *variable = true; };
    }
};

}  // namespace

void add_fields(Options& options, const Fields& fields) {
    for (const Field& f : fields) {
        const std::string names = f.letter ? f.name + ',' + f.letter : f.name;
        const po::value_semantic* const value = std::visit(ValueOf{f}, f.kind);
        if (value)
            options.add_options()(names.c_str(), value, f.help.c_str());
        else
            options.add_options()(names.c_str(), f.help.c_str());
    }
}

void take_fields(const Values& values, Fields& fields) {
    for (Field& f : fields) {
        if (!values.count(f.name)) continue;
        const po::variable_value& value = values[f.name];
        f.store = std::visit(StoreOf{value}, f.kind);
        f.is_given = !value.defaulted();
        f.store();
    }
}

}  // namespace lockstep::cli
