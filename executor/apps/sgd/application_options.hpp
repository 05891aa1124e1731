// The options of SGD itself: rank, rates, forms of the model, and how its walks run.
#pragma once

#include "apps/frame/application.hpp"
#include "apps/sgd/driver.hpp"

namespace lockstep::sgd {

const char* to_string(RateSchedule schedule);
const char* to_string(ModelForm form);

void declare_options(cli::Options& basic, cli::Options& tuning);
/// `split_given`: test edges are taken otherwise than by --test-fraction. Throws UsageError.
SgdOptions read_options(const cli::Values& values, Device device, int threads, bool split_given);

}  // namespace lockstep::sgd
