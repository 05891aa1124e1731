#include "edges.hpp"

#include <fmt/format.h>

#include "lockstep/formats/error.hpp"

namespace lockstep::readers {

void MemoryBudget::require(double bytes) const {
    if (bytes <= static_cast<double>(limit_)) return;
    throw FormatError(name_,
                      fmt::format("reading it needs {:.2f} GB of memory or more, the limit is {:.2f} GB "
                                  "(--memory sets another)",
                                  bytes / 1e9, static_cast<double>(limit_) / 1e9));
}

}  // namespace lockstep::readers
