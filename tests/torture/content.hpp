// Computes one hash of everything that was read from a file: arrays and attributes. Files with equal hashes
// are equal.
#pragma once

#include "lockstep/formats/hash.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::torture {

class Content {
public:
    template <class T>
    Content& operator<<(const T& part) {
        if constexpr (std::is_convertible_v<T, std::string_view>)
            hash_.add(std::string_view(part));
        else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
            hash_.add(std::span<const T>(&part, 1));
        else
            hash_.add(std::span<const typename T::value_type>(part));
        return *this;
    }
    Content& operator<<(const std::map<std::string, std::string>& parameters) {
        for (const auto& [name, value] : parameters) *this << name << value;
        return *this;
    }
    Content& operator<<(const IdMap& ids) {
        *this << ids.size();
        for (VertexId v = 0; v < ids.size(); ++v) *this << ids.name(v);
        return *this;
    }
    std::string hex() const { return hash_.hex(); }

private:
    ContentHash hash_;
};

inline std::string content(const std::string& text) { return (Content() << text).hex(); }

inline std::string content(const Dataset& dataset) {
    const Graph& g = dataset.graph;
    return (Content() << g.rows << g.cols << g.shape << g.directed << g.row_offsets << g.col << g.value
                      << g.input_order << dataset.row_ids << dataset.col_ids)
        .hex();
}

inline std::string content(const ScheduleFile& file) {
    const ScheduleFileSummary& s = file.summary;
    Content all;
    all << content(file.dataset) << s.version << s.program << s.max_degree.row << s.max_degree.col
        << s.source.path << s.source.format << s.source.lines << s.seconds.read << s.seconds.schedule;
    for (const auto& [schedule, seconds] : file.schedules) {
        all << schedule.name << schedule.disjoint << schedule.maximal << schedule.locked << schedule.order
            << schedule.residents << schedule.resident_offsets << schedule.row_order << schedule.col_order
            << schedule.row_parts << schedule.col_parts << schedule.parameters << seconds;
        for (const auto& level : schedule.offsets) all << level;
    }
    return all.hex();
}

inline std::string content(const Model& model) {
    return (Content() << model.rows << model.cols << model.rank << model.row_factors << model.col_factors
                      << model.row_ids << model.col_ids << model.graph_hash << model.parameters
                      << model.biases.mean << model.biases.row << model.biases.col)
        .hex();
}

inline std::string content(const ResultFile& file) {
    Content all;
    all << file.format << file.ids << file.graph_hash << file.parameters;
    for (const ResultColumn& column : file.columns) {
        all << column.name;
        std::visit([&](const auto& values) { all << values; }, column.values);
    }
    return all.hex();
}

}  // namespace lockstep::torture
