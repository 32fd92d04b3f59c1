// SPDX-License-Identifier: Apache-2.0
// A query of a program text as recorded density, for comparison with plain executions at points near
// and far.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gradient/recorded_density.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"
#include "single_site/single_site.hpp"

namespace recorded {

// A program text with its queries.
class Source {
 public:
  // `data`: JSON text of the arguments.
  explicit Source(const std::string& text, const std::string& data = "",
                  const std::string& data_name = "data.json");
  const std::vector<chancel::QuerySignature>& queries() const { return loaded_.queries; }

 private:
  friend class RecordedProgram;
  std::unique_ptr<chancel::Session> session_;
  chancel::LoadResult loaded_;
  std::optional<chancel::Value> data_;
};

class RecordedProgram {
 public:
  // Null: neither NAME-value nor the data of the source are arguments of this query.
  static std::unique_ptr<RecordedProgram> of(Source& source, const chancel::QuerySignature& query);
  chancel::RecordedDensity& density() { return *density_; }
  chancel::WorkerPool& workers() { return *workers_; }

  // Records it at random coordinates. Empty, or why that cannot be.
  std::string begin(std::uint64_t seed, double reach = 2);
  // Compares evaluations at `points` random points, near and far from where it was recorded, with
  // plain executions. Empty, or the first difference.
  std::string compare(std::uint64_t seed, int points);
  // Compares the gradient with central differences of the density itself, where that is smooth.
  std::string compare_gradient(std::uint64_t seed, int points);
  // Single-site steps that are worked out from a recording, against the same steps of the program
  // itself: draws, outputs, log densities and failures must be the same bits. Empty, or the first
  // difference.
  std::string compare_steps(std::uint64_t seed, const chancel::SingleSiteSettings& settings,
                            int steps);
  int recorded_steps() const { return recorded_steps_; }  // of them
  int smooth_points() const { return smooth_points_; }    // at which the gradient was compared

 private:
  RecordedProgram() = default;
  Eigen::VectorXd point(chancel::Stream& stream, int number) const;

  std::unique_ptr<chancel::RunHost> host_;
  std::unique_ptr<chancel::WorkerPool> workers_;
  std::unique_ptr<chancel::RecordedDensity> density_;
  int smooth_points_ = 0, recorded_steps_ = 0;
};

// Text of a file of the source tree.
std::string read_file(const std::string& path);

}  // namespace recorded
