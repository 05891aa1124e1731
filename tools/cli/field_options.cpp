#include "field_options.hpp"

#include "values.hpp"

namespace lockstep::cli {

namespace {

namespace po = boost::program_options;

/// Sets the placeholder and, unless it is null, the default.
template <class Value, class T>
Value* described(Value* value, const Field& field, const T* usual) {
    if (!field.unit.empty()) value->value_name(field.unit);
    if (usual) value->default_value(*usual, field.shown_default.empty() ? field.text() : field.shown_default);
    return value;
}

/// Returns the Boost value semantic for each kind of field. Boost takes ownership of it.
struct ValueOf {
    const Field& field;

    template <class T>
    const po::value_semantic* operator()(const Field::Number<T>& of) const {
        const T* const usual = of.value ? of.value : field.shown_default.empty() ? nullptr : &of.least;
        return described(new Number<T>(of.least, of.most), field, usual);
    }
    const po::value_semantic* operator()(const Field::Word& of) const {
        const std::string usual = field.text();
        return described(new Word(of.words), field, of.kept() ? &usual : nullptr);
    }
    const po::value_semantic* operator()(const Field::Text& of) const {
        return described(po::value<std::string>(), field, of.value);
    }
    const po::value_semantic* operator()(const Field::Texts& of) const {
        auto* const value =
            described(po::value<std::vector<std::string>>(), field, of.value->empty() ? nullptr : of.value);
        return field.takes_many ? value->multitoken() : value;
    }
    const po::value_semantic* operator()(const Field::List& of) const {
        return described(new List(of.words), field, of.value->empty() ? nullptr : of.value);
    }
    const po::value_semantic* operator()(const Field::Flag&) const { return nullptr; }
};

/// Stores the value of an option in the field's variable.
struct Store {
    const po::variable_value& value;

    template <class T>
    void keep(T* variable, std::optional<T>* maybe) const {
        if (variable)
            *variable = value.as<T>();
        else if (!value.defaulted())
            *maybe = value.as<T>();
    }
    template <class T>
    void operator()(const Field::Number<T>& of) const {
        keep(of.value, of.maybe);
    }
    void operator()(const Field::Word& of) const {
        const auto found = std::ranges::find(of.words, value.as<std::string>());
        of.keep(static_cast<std::size_t>(found - of.words.begin()));
    }
    void operator()(const Field::Text& of) const { keep(of.value, of.maybe); }
    void operator()(const Field::Texts& of) const { *of.value = value.as<std::vector<std::string>>(); }
    void operator()(const Field::List& of) const { *of.value = value.as<std::vector<std::string>>(); }
    void operator()(const Field::Flag& of) const { *of.value = true; }
};

}  // namespace

void add_field(Options& options, const Field& field) {
    if (options.find_nothrow(field.name, false)) return;
    const std::string names = field.letter ? field.name + ',' + field.letter : field.name;
    const po::value_semantic* const value = std::visit(ValueOf{field}, field.kind);
    if (value)
        options.add_options()(names.c_str(), value, field.help.c_str());
    else
        options.add_options()(names.c_str(), field.help.c_str());
}

void add_fields(Options& options, const Fields& fields) {
    for (const Field& f : fields) add_field(options, f);
}

void take_fields(const Values& values, Fields& fields) {
    for (Field& f : fields) {
        if (!values.count(f.name)) continue;
        f.is_given = !values[f.name].defaulted();
        std::visit(Store{values[f.name]}, f.kind);
    }
}

}  // namespace lockstep::cli
