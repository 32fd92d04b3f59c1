// SPDX-License-Identifier: Apache-2.0
// A program as a log density over the continuous draws that can be moved along a gradient, on the
// real line; the other draws are held. It keeps the recordings of the paths that the program has
// taken lately: where the guards of one hold, it is evaluated, else the program is run again there
// and recorded. A path with other draws (addresses or sizes) than the present state has density
// zero: moves between structures are for single-site steps. So has one on which a held value
// belongs to another part of its distribution, a point with mass or a density: their scores cannot
// be compared.
//
// Draws after the last observe are predictive: nothing that was observed depends on them, so they
// are not part of the density, and each output draws new values for them.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "gradient/log_density.hpp"
#include "gradient/plain_run.hpp"
#include "infer/divergence_places.hpp"
#include "record/wide_evaluator.hpp"

namespace chancel {

class DrawSource;
struct NativeFailure;
struct Recorded;
struct RecordedDraw;

class RecordedDensity final : public LogDensity, public WideEvaluator {
 public:
  RecordedDensity(WorkerPool& workers, unsigned worker);
  ~RecordedDensity() override;

  enum class Begin {
    Ready,
    Impossible,  // density zero there
    Failed,      // failure() says why
  };
  // Takes the structure of a new execution: draws that can move get coordinates in (-reach, reach),
  // the others come from their distributions. Reach 0: all that can come from their distributions.
  Begin begin(Stream& stream, double reach);
  // The structure of these draws, and their values.
  Begin begin(const std::vector<DrawnValue>& draws);

  Eigen::Index dimension() const override { return static_cast<Eigen::Index>(coordinates_.size()); }
  double at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) override;
  double value_at(const Eigen::VectorXd& q) override;
  void room_for(std::size_t numbers) const override;
  void look() const override;
  // Before it begins: the joint density of the draws themselves, as a function of the coordinates.
  void leave_out_jacobians() { jacobians_ = false; }
  // The likelihood counts to this power.
  void temper(double temperature) { temperature_ = temperature; }
  // The likelihood alone, where the density is positive; else -inf.
  double log_likelihood_at(const Eigen::VectorXd& q);
  // Where it began.
  const Eigen::VectorXd& coordinates() const { return coordinates_; }
  std::size_t draws() const { return structure_.size(); }
  const std::vector<StructureDraw>& structure() const { return structure_; }
  std::size_t held_draws() const;
  std::optional<std::uint32_t> held_site() const;  // of the first of them
  Span place_of(Eigen::Index coordinate) const;    // of the draw that it belongs to
  std::vector<CoordinatePlace> places() const;     // of all coordinates
  // Points that belong to another structure: how often one was asked for.
  std::uint64_t elsewhere() const { return elsewhere_; }
  // Of these: because a distribution is so wide that its draws are held (record/boundary_mass.hpp).
  std::uint64_t piled_up() const { return piled_up_; }
  // The first draw or observe whose log density has no slope at q that is a number.
  std::optional<Diagnostic> missing_slope(const Eigen::VectorXd& q);
  // The same for structures whose moving draws have the same addresses and sizes.
  std::uint64_t signature() const;
  const std::optional<Diagnostic>& failure() const { return failure_; }
  // The density depends on what no recording knows, here or where a trajectory came to: there is no
  // output.
  const std::optional<Diagnostic>& broken() const { return broken_; }
  // The program failed at a point that a trajectory came to: the last message, and how often.
  const std::optional<Diagnostic>& refusal() const { return refusal_; }
  std::uint64_t refusals() const { return refusals_; }
  // Why guards may fail at every step: the function that needs the value of a moving draw.
  const std::string& pinned_by() const;
  // The same; empty if only what comes after the last observe needs such a value.
  std::string_view pins() const;
  // The density may have jumps, since the program compares continuous draws before its last observe, or
  // rounds what the density depends on. Comparisons that the bounds of draws decide do not count. Those after the last
  // observe do where the program observes more when they come out the other way: that is tried, within a limit of work.
  bool may_jump();
  // The first held draw without a known score that follows a moving draw: its distribution may
  // depend on that draw.
  std::optional<std::uint32_t> unscored_site() const;
  std::uint64_t recordings() const { return recordings_; }
  // Rows of its program that are rows of plates (record/plate.hpp).
  std::size_t rows_of_plates() const;
  // Every evaluation is compared with a plain execution at the same draws (debug builds and tests).
  void check_evaluations(bool check) { checks_ = check; }
  // In what the recording at q differs from a plain execution there; empty: in nothing.
  std::string difference(const Eigen::VectorXd& q);

  // What the program gives at q; predictive draws come from the stream.
  struct Output {
    Predicts* predicts = nullptr;
    Value result = Value::nil();
    double log_joint = 0;  // of draws and observes, without Jacobians
    std::uint64_t applications = 0;
    std::vector<ObserveScore> observes;  // when RunSetup::pointwise asks for them
  };
  bool output(const Eigen::VectorXd& q, Stream& stream, Output* out);
  // The draws at q, in the order of the program, without predictive ones.
  bool values(const Eigen::VectorXd& q, std::vector<DrawnValue>* out);
  bool observed() const;

 private:
  struct Path;  // that the program took
  enum class Outcome { Recorded, Impossible, Elsewhere, Failed };

  Outcome record(DrawSource& source, bool any_structure, Path* path,
                 const std::vector<std::size_t>& inverted = {});
  Diagnostic at_site(std::uint32_t site, const NativeFailure& why) const;
  bool may_be_observed(const RecordedDraw& draw, const Recorded& recorded) const;
  // With comparisons from there on inverted, one or several, the program observes more.
  bool observes_otherwise(std::size_t from);
  Begin begin_with(DrawSource& source);
  Begin adopt(std::unique_ptr<Path> path);
  // The path that the program takes at q, evaluated there; null: density zero.
  Path* path_at(const Eigen::VectorXd& q, bool slopes = false);
  // The same where the density is positive.
  Path* positive_at(const Eigen::VectorXd& q, bool slopes = false);
  // Evaluates it. False: the program does not take this path at q. With `slopes` derivatives can follow.
  bool evaluate(Path& path, const Eigen::VectorXd& q, bool slopes);
  bool guards_hold(const Path& path, std::size_t from, std::size_t to) const;
  // Runs the program with the draws of this path, up to the last observe.
  bool execute(const Path& path, Stream& stream, Output* out);
  bool score_observes(const Path& path, std::vector<ObserveScore>* out);
  double total(const Path& path) const;
  double log_likelihood(const Path& path) const;
  // Of each observe, in the order of the program.
  std::vector<double> observe_scores(const Path& path) const;
  std::vector<double> draw_scores(const Path& path) const;
  std::vector<double> scores_of(const Path& path, std::span<const std::uint32_t> scores) const;
  std::string difference(const Path* path, const Eigen::VectorXd& q);
  void forget_oldest();  // of the paths
  void visit(Evacuator& e);
  double log_prob(const WideDistribution& distribution, const double* operands) override;
  void gradient(const WideDistribution& distribution, const double* operands, double* out) override;
  Value concrete(NativeContext& cx, const Value& v) const;

  WorkerPool& workers_;
  unsigned worker_;
  std::optional<Prefix> prefix_;
  std::vector<StructureDraw> structure_;
  std::size_t observed_draws_ = 0;  // the first draws of structure_; the others are predictive
  Eigen::VectorXd coordinates_;
  std::vector<std::unique_ptr<Path>> paths_;  // the one in use first
  const Path* evaluated_ = nullptr;           // for nodes of wide distributions
  // Distributions over collections at the coordinates of the last evaluation, with their values.
  std::unordered_map<const WideDistribution*, std::pair<Value, Value>> wide_now_;
  std::uint64_t clock_ = 0, recordings_ = 0, refusals_ = 0;
  std::optional<Diagnostic> failure_, refusal_, broken_;
  std::uint64_t elsewhere_ = 0, piled_up_ = 0;
  bool checks_ = false, jacobians_ = true;
  double temperature_ = 1;
  // In the last recording a held value belongs to another part of its distribution.
  bool other_part_ = false;
};

}  // namespace chancel
