// SPDX-License-Identifier: Apache-2.0
// Starts a run of a query of a program.
#pragma once
#include "runs/program.hpp"

namespace chancel {

struct InferenceAccess {
  // Throws Error.
  static Inference start(const LoadedProgram& program, std::string_view query,
                         InferOptions options);
  // Tests only: a run without a time limit of the user's ends after less work.
  static void limit_work(Inference& run, double nanoseconds);

 private:
  class Starter;
};

}  // namespace chancel
