// SPDX-License-Identifier: Apache-2.0
// Starts a run of a query of a program.
#pragma once
#include "runs/program.hpp"

namespace chancel {

struct InferenceAccess {
  // Throws Error.
  static Inference start(const LoadedProgram& program, std::string_view query,
                         InferOptions options);

 private:
  class Starter;
};

}  // namespace chancel
