#include "apps/update/source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "lockstep/formats/error.hpp"

namespace lockstep::update {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Returns the position of the first character of the word that ends before `end`.
std::size_t word_before(const std::string& text, std::size_t end) {
    while (end > 0 && is_word(text[end - 1])) --end;
    return end;
}

/// Returns the position after the string or character literal whose opening quote is at `at`. A quote may
/// belong to a raw string, with a prefix such as R or u8R.
std::size_t end_of_literal(const std::string& text, std::size_t at) {
    if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
        const std::string prefix = text.substr(word_before(text, at), at - word_before(text, at));
        const std::size_t open = text.find('(', at);
        if ((prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" || prefix == "u8R") &&
            open != std::string::npos) {
            const std::string close = ')' + text.substr(at + 1, open - at - 1) + '"';
            const std::size_t end = text.find(close, open);
            return end == std::string::npos ? text.size() : end + close.size();
        }
    }
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// Replaces comments, literals and preprocessor lines by blanks, so that all remaining braces belong to the
/// code.
std::string code_of(std::string text) {
    const auto blank = [&](std::size_t from, std::size_t to) {
        to = std::min(to, text.size());
        std::replace_if(
            text.begin() + static_cast<std::ptrdiff_t>(from), text.begin() + static_cast<std::ptrdiff_t>(to),
            [](char c) { return c != '\n'; }, ' ');
        return to;
    };
    bool line_begins = true;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (text.compare(i, 2, "//") == 0) {
            i = blank(i, text.find('\n', i));
        } else if (text.compare(i, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", i + 2);
            i = blank(i, end == std::string::npos ? end : end + 2);
        } else if (c == '#' && line_begins) {
            std::size_t end = text.find('\n', i);
            while (end != std::string::npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
            i = blank(i, end);
        } else if (c == '\'' && std::isdigit(static_cast<unsigned char>(text[word_before(text, i)]))) {
            i = blank(i, i + 1);  // the quote separates groups of digits in a number
        } else if (c == '"' || c == '\'') {
            i = blank(i, end_of_literal(text, i));
        } else {
            if (!std::isspace(static_cast<unsigned char>(c))) line_begins = false;
            if (c == '\n') line_begins = true;
            ++i;
        }
    }
    return text;
}

/// Divides code into tokens: words, and single characters that are not part of a word.
std::vector<std::string_view> tokens_of(std::string_view code) {
    std::vector<std::string_view> tokens;
    for (std::size_t i = 0; i < code.size();) {
        std::size_t end = i;
        while (end < code.size() && is_word(code[end])) ++end;
        if (end == i) ++end;
        if (!std::isspace(static_cast<unsigned char>(code[i]))) tokens.push_back(code.substr(i, end - i));
        i = end;
    }
    return tokens;
}

/// The kind of a block in braces: a namespace or a struct, with its name, or any other block.
struct Scope {
    enum class Kind { space, type, other } kind = Kind::other;
    std::string name = {};
};

/// Returns the kind of the block that a brace opens. `head` contains the tokens between the last statement
/// and the brace.
Scope scope_behind(const std::vector<std::string_view>& head) {
    const auto at = [&](std::string_view word) { return std::find(head.begin(), head.end(), word); };
    Scope scope;
    if (at("namespace") != head.end()) {
        scope.kind = Scope::Kind::space;
        // The name may be nested, such as a::b.
        for (auto t = at("namespace") + 1; t != head.end(); ++t) scope.name += *t;
        return scope;
    }
    if (at("struct") == head.end() || at("template") != head.end()) return scope;
    // The name of the struct is the last word before `final`, the base classes or the brace, without words in
    // attributes.
    int depth = 0;
    for (auto t = at("struct") + 1; t != head.end(); ++t) {
        if (*t == "(" || *t == "[") ++depth;
        if (*t == ")" || *t == "]") --depth;
        if (*t == ":" || *t == "final") break;
        if (depth == 0 && is_word((*t)[0])) scope.name = *t;
    }
    if (!scope.name.empty()) scope.kind = Scope::Kind::type;
    return scope;
}

/// Returns the names, with namespaces, of all structs that define a function `update`, in the order of the
/// file.
std::vector<std::string> structs_with_update(std::string_view code) {
    std::vector<std::string> found;
    std::vector<Scope> scopes;
    std::vector<std::string_view> head;  // tokens since the end of the last statement
    const auto name = [&] {
        std::string whole;
        for (const Scope& scope : scopes) {
            if (!scope.name.empty()) whole += (whole.empty() ? "" : "::") + scope.name;
        }
        return whole;
    };
    for (const std::string_view token : tokens_of(code)) {
        if (token == "update" && !scopes.empty() && scopes.back().kind == Scope::Kind::type) {
            const bool local = std::any_of(scopes.begin(), scopes.end(),
                                           [](const Scope& s) { return s.kind == Scope::Kind::other; });
            if (!local && std::find(found.begin(), found.end(), name()) == found.end())
                found.push_back(name());
        }
        if (token == "{") {
            scopes.push_back(scope_behind(head));
        } else if (token == "}") {
            if (!scopes.empty()) scopes.pop_back();
        }
        if (token == "{" || token == "}" || token == ";")
            head.clear();
        else
            head.push_back(token);
    }
    return found;
}

/// Returns true if `name` is the name of the struct `found`, possibly without its outer namespaces.
bool names(const std::string& found, const std::string& name) {
    return found == name || found.ends_with("::" + name);
}

constexpr const char* keywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t "
    "class "
    "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue "
    "decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if "
    "inline int "
    "long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register "
    "reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch "
    "template this "
    "thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t "
    "while xor "
    "xor_eq";

}  // namespace

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path))
        throw FormatError(path, fmt::format("cannot be read: {}", std::strerror(errno)));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Source find_update(const std::string& given) {
    Source source{given, {}};
    for (std::size_t colon = given.find(':');
         colon != std::string::npos && !std::filesystem::exists(source.path);
         colon = given.find(':', colon + 1))
        source = {given.substr(0, colon), given.substr(colon + 1)};
    if (!source.name.empty() && !std::filesystem::exists(source.path)) source = {given, {}};
    const std::vector<std::string> found = structs_with_update(code_of(text_of(source.path)));
    if (found.empty())
        throw FormatError(source.path, "has no struct with a static function update(a, b, edge, parameters)");
    if (source.name.empty()) {
        if (found.size() > 1)
            throw Error(Failure::usage,
                        fmt::format("{} has several updates ({}); choose one, for example --update {}:{}",
                                    source.path, fmt::join(found, ", "), source.path, found.front()));
        source.name = found.front();
        return source;
    }
    const auto own = std::find_if(found.begin(), found.end(),
                                  [&](const std::string& name) { return names(name, source.name); });
    if (own == found.end())
        throw FormatError(source.path,
                          fmt::format("has no update {}; it has {}", source.name, fmt::join(found, ", ")));
    source.name = *own;
    return source;
}

std::vector<std::string> identifiers(const Source& source) {
    std::istringstream reserved(keywords);
    const std::set<std::string> no_names(std::istream_iterator<std::string>(reserved), {});
    std::set<std::string> words;
    const std::string code = code_of(text_of(source.path));
    for (const std::string_view token : tokens_of(code)) {
        if (is_word(token[0]) && !std::isdigit(static_cast<unsigned char>(token[0])) &&
            !no_names.contains(std::string(token)))
            words.emplace(token);
    }
    return {words.begin(), words.end()};
}

}  // namespace lockstep::update
