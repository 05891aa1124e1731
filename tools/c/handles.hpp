// The structures that the opaque pointers of lockstep.h point to.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "lockstep.h"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/schedule_file.hpp"

struct lockstep_graph {
    std::shared_ptr<lockstep::ScheduleFile> file = std::make_shared<lockstep::ScheduleFile>();
    mutable std::set<std::string> proved;  ///< names of the schedules that have been verified
    mutable bool is_summarised = false;  ///< whether file->summary describes the current graph and schedules
    mutable std::recursive_mutex mutex;  ///< locked while a function uses the graph

    const lockstep::Graph& graph() const { return file->dataset.graph; }
};

struct lockstep_model {
    lockstep::Model model;
};

struct lockstep_result {
    struct Entry {
        std::vector<std::byte> bytes;
        lockstep_array array;
    };
    std::map<std::string, Entry> arrays;
    std::string names, json = "{}";

    template <class T>
    void add(const std::string& name, const T* values, std::uint64_t rows, std::int32_t type,
             std::uint64_t columns = 1) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(values);
        Entry& entry = arrays[name];
        entry.bytes.assign(bytes, bytes + rows * columns * sizeof(T));
        entry.array = {entry.bytes.data(), rows, columns, type, 0};
        names += (names.empty() ? "" : ",") + name;
    }
};
