// SPDX-License-Identifier: Apache-2.0
// Moves of the static parameters given the path: the other half of particle Gibbs, whose first half
// is a conditional sweep given the parameters. Path of states -> draws -> moves -> path of states.
//
// Where every parameter can be moved along a gradient, the path is recorded and the moves are those
// of nuts; the path's other continuous draws may move with them, or are held. Elsewhere they are
// single-site steps of the parameters. Which of the two is decided once, before the first move: a
// choice that depends on the state would change what the moves leave invariant. Step sizes, metric
// and walks are learnt in warm-up and stand still afterwards.
#pragma once
#include <map>
#include <memory>

#include "gradient/nuts_warmup.hpp"
#include "gradient/recorded_density.hpp"
#include "infer/options.hpp"
#include "infer/parameters.hpp"
#include "particles/population.hpp"
#include "single_site/single_site.hpp"

namespace chancel {

struct ParameterMoveSettings {
  std::string parameters = "none";  // the word of the option
  std::uint64_t moves = 1;          // after each sweep
  bool path_moves = true;           // with them
};

// The options of an engine beside parameters_option.
OptionDef parameter_moves_option();
OptionDef path_option();
ParameterMoveSettings read_parameter_moves(const EngineOptions& read);

class ParameterMoves {
 public:
  ParameterMoves(WorkerPool& workers, const ParameterMoveSettings& settings, const char* engine,
                 std::uint64_t warmup_sweeps);

  const ParameterChoice& choice() const { return choice_; }
  // What a sweep is given: the parameters of the path that was moved last; null: none yet.
  const GivenParameters* given() const { return given_.draws.empty() ? nullptr : &given_; }
  // The next sweep has them.
  void give_to(Population& sweep) const {
    sweep.given().parameters = given();
    sweep.given().choice = &choice_;
  }
  // Moves on the path, whose draws were recorded by the sweep. False: failure().
  bool run(RetainedPath& path, const Population& sweep, StreamName name);
  // After sweep `number` of an engine: what it reports, and the end of its warm-up.
  void tell(std::uint64_t number, std::uint64_t warmup, EngineStatistics& statistics,
            std::uint64_t particles);

  const std::optional<Diagnostic>& failure() const { return failure_; }

 private:
  enum class Kind : std::uint8_t { Undecided, Gradient, SingleSite };
  // The density of some coordinates; the others stay where they are.
  class Part final : public LogDensity {
   public:
    explicit Part(RecordedDensity& whole) : whole_(whole) {}
    void begin(std::vector<Eigen::Index> moving);
    Eigen::Index dimension() const override { return static_cast<Eigen::Index>(moving_.size()); }
    double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override;
    Eigen::VectorXd coordinates() const;                     // where it began
    const Eigen::VectorXd& whole(const Eigen::VectorXd& q);  // all coordinates

   private:
    RecordedDensity& whole_;
    std::vector<Eigen::Index> moving_;
    Eigen::VectorXd all_, slope_;
  };
  struct Tuned {  // what warm-up has learnt for one structure
    NutsMove move;
    NutsWarmup warmup;
    Tuned(Part& density, std::uint64_t length);
  };

  bool fail(const Diagnostic& d) {
    failure_ = d;
    return false;
  }
  void freeze();
  bool begin_recorded(const RetainedPath& path);
  bool decide(const RetainedPath& path, bool observed);
  bool move_along_gradient(const RetainedPath& path, StreamName name, std::vector<Value>* values);
  bool move_single_sites(const RetainedPath& path, StreamName name, std::vector<Value>* values);

  WorkerPool& workers_;
  ParameterMoveSettings settings_;
  const char* engine_;
  ParameterChoice choice_;
  GivenParameters given_;
  RecordedDensity density_;
  Part part_;
  Kind kind_ = Kind::Undecided;
  std::map<std::uint64_t, std::unique_ptr<Tuned>> by_structure_;
  std::unique_ptr<SingleSiteChain> chain_;
  std::uint64_t steps_ = 0;        // of the chain after each sweep
  std::uint64_t warmup_left_ = 0;  // moves
  double final_step_ = 1;          // of structures that are new after warm-up
  std::optional<Diagnostic> failure_;
};

}  // namespace chancel
