// SPDX-License-Identifier: Apache-2.0
// What every run must keep to, whatever it is given: no signal, no internal error, time within its
// limit and half a second, memory within its limit and 64 MB. The fuzzers hand each case to this
// oracle, which runs it in a child process: a case that breaks the process is a finding like the
// others, and the fuzzer continues. Fork needs a caller without threads of its own.
//
// Time is the child's processor time, since the machine may be busy with other things; a child that
// neither works nor ends is given up after ten seconds more. Sanitizers multiply both memory and
// time: memory is not judged there, and time gets their factor.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

namespace chancel::fuzz {

struct CaseLimits {
  double seconds = 1;                          // what the case is run with
  std::size_t bytes = std::size_t{100} << 20;  // the same
};

// Runs the case in a child; `run` gives the text of all messages of the case, and may throw. The
// finding, or "" when every limit held.
std::string finding_of(const CaseLimits& limits, const std::function<std::string()>& run);

}  // namespace chancel::fuzz
