// SPDX-License-Identifier: Apache-2.0
// What block, map and laplace share: a recorded program whose draws are all continuous and always the
// same ones, points at which a search may begin, and what the program gives at a point.
#pragma once
#include <functional>

#include "infer/guarded_engine.hpp"
#include "infer/recorded_density.hpp"

namespace chancel {

class RecordedEngine : public GuardedEngine {
 protected:
  RecordedEngine(const RunSetup& setup, const char* name);

  // Begins at points near zero on the real line, until `takes` is content with one (it may use the
  // stream). False: the engine has failed.
  bool begin(const std::function<bool(Stream&)>& takes);
  // Draw number `number`: what the program gives at q; predictive draws come from the stream.
  bool give(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream, Sink& sink);
  // Fails if the program has other draws at points that were asked for.
  bool structure_is_fixed();
  Stream stream_of(std::uint64_t number) const;
  bool refuse(std::string what, std::string hint, Span where = {});

  const char* name_;
  WorkerPool workers_;
  RecordedDensity density_;

 private:
  StreamName stream_name_;
  std::uint64_t starts_ = 0;  // points tried
};

}  // namespace chancel
