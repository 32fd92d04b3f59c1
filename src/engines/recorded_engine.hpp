// SPDX-License-Identifier: Apache-2.0
// What engines share that work on a recorded program: points at which they may begin, and what the
// program gives at a point.
#pragma once
#include <functional>

#include "gradient/lbfgs.hpp"
#include "gradient/recorded_density.hpp"
#include "infer/guarded_engine.hpp"

namespace chancel {

class RecordedEngine : public GuardedEngine {
 protected:
  RecordedEngine(const RunSetup& setup, const char* name);

  // Begins at points near zero on the real line, until `takes` is content with one (it may use the
  // stream). False: the engine has failed.
  bool begin(const std::function<bool(Stream&)>& takes);
  // Whether the engine is for the draws that the density has begun with: all continuous, unless it
  // says otherwise. False: it has failed.
  virtual bool takes_draws();
  bool draws_something();
  // Draw number `number`: what the program gives at q; predictive draws come from the stream. False:
  // the engine has failed.
  bool fill(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream, EngineDraw* draw);
  // The same, handed out.
  bool give(const Eigen::VectorXd& q, std::uint64_t number, Stream& stream, Sink& sink);
  // The mode above a new point to begin at. False: the engine has failed.
  bool climb(Mode* out);
  // Fails if the program has other draws at points that were asked for.
  bool structure_is_fixed();
  Stream stream_of(std::uint64_t number) const { return stream_of(stream_name_, number); }
  Stream stream_of(StreamName name, std::uint64_t number) const;
  bool refuse(std::string what, std::string hint, Span where = {});

  const char* name_;
  WorkerPool workers_;
  RecordedDensity density_;
  StreamName stream_name_;
  std::optional<Diagnostic> no_start_;  // why points with a density are not taken, if that is known

 private:
  std::uint64_t starts_ = 0;  // points tried
};

}  // namespace chancel
