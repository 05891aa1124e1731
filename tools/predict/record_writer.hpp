// The records of a result: two IDs, a number and optionally a rank, as lines of text or as one JSON object.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/output_file.hpp"

namespace lockstep::predict {

/// The names of a result and of its fields in JSON.
struct RecordNames {
    const char* list;
    const char *first, *second, *number;
};

class RecordWriter {
public:
    /// Opens the output. Fields of text are separated by a blank, or by a tab if an ID contains a blank.
    RecordWriter(const std::string& path, bool json, const RecordNames& names, const IdMap& first,
                 const IdMap& second);
    /// Adds a record. `rank` counts from 1; 0 leaves it out.
    void add(std::string_view first, std::string_view second, float number, std::size_t rank = 0);
    /// Writes the records that were added so far.
    void flush() { file_.flush(); }
    void commit();

private:
    OutputFile file_;
    RecordNames names_;
    bool json_;
    char separator_;
    bool empty_ = true;
    std::string line_;
};

}  // namespace lockstep::predict
