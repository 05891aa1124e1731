#include "lockstep/formats/fields.hpp"

namespace lockstep {

namespace {

template <class T>
std::string text_of(const T& value) {
    if constexpr (std::is_floating_point_v<T>)
        return fmt::format("{:g}", value);
    else
        return fmt::format("{}", value);
}

template <class T>
std::string text_of(const T* value, const std::optional<T>* maybe) {
    if (value) return text_of(*value);
    return *maybe ? text_of(**maybe) : std::string();
}

struct TextOf {
    template <class T>
    std::string operator()(const Field::Number<T>& number) const {
        return text_of(number.value, number.maybe);
    }
    std::string operator()(const Field::Word& word) const {
        const std::optional<std::size_t> kept = word.kept();
        return kept ? word.words[*kept] : std::string();
    }
    std::string operator()(const Field::Text& text) const { return text_of(text.value, text.maybe); }
    std::string operator()(const Field::Texts& texts) const {
        return fmt::format("{}", fmt::join(*texts.value, ","));
    }
    std::string operator()(const Field::List& list) const {
        return fmt::format("{}", fmt::join(*list.value, ","));
    }
    std::string operator()(const Field::Flag& flag) const { return *flag.value ? "true" : "false"; }
};

}  // namespace

std::string Field::text() const { return std::visit(TextOf(), kind); }

std::string Fields::text(std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &Field::name);
    return found == fields_.end() ? std::string() : found->text();
}

std::map<std::string, std::string> Fields::record() const {
    std::map<std::string, std::string> texts;
    for (const Field& f : fields_) {
        if (!f.is_recorded) continue;
        std::string key = f.name;
        std::ranges::replace(key, '-', '_');
        texts.emplace(std::move(key), f.text());
    }
    return texts;
}

}  // namespace lockstep
