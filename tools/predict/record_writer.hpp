// The lines of a result: two ids, a number and perhaps a rank; as text or as one JSON object.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/formats/id_map.hpp"
#include "lockstep/formats/output_file.hpp"

namespace lockstep::predict {

/// How a kind of result is named in JSON.
struct RecordNames {
    const char* list;
    const char *first, *second, *number;
};

class RecordWriter {
public:
    /// Text has its fields apart by a blank, or by a tab where an id contains a blank.
    RecordWriter(const std::string& path, bool json, const RecordNames& names, const IdMap& first,
                 const IdMap& second);
    /// `rank` counts from 1; 0 leaves it out.
    void add(std::string_view first, std::string_view second, float number, std::size_t rank = 0);
    /// What was added so far.
    void flush() { file_.flush(); }
    void commit();

private:
    cli::OutputFile file_;
    RecordNames names_;
    bool json_;
    char separator_;
    bool empty_ = true;
    std::string line_;
};

}  // namespace lockstep::predict
