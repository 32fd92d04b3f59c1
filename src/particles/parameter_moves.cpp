// SPDX-License-Identifier: Apache-2.0
// See parameter_moves.hpp.
#include "particles/parameter_moves.hpp"

#include "base/planted.hpp"
#include "fmt/format.h"
#include "infer/replay.hpp"

namespace chancel {

namespace {
constexpr double kTargetAcceptance = 0.8;
constexpr double kParameterWalkShare = 0.5;  // of single-site steps at continuous parameters
constexpr Eigen::Index kDenseUpTo = 20;      // dimensions of which warm-up learns all covariances

std::vector<const ValueArray*> segments_of(const RetainedPath& path) {
  std::vector<const ValueArray*> out;
  for (const History* h : path.steps) out.push_back(h->draws);
  out.push_back(path.last_draws);
  return out;
}
}  // namespace

OptionDef parameter_moves_option() {
  return integer_option("parameter-moves", 10, 1,
                        "moves of the parameters after each sweep, for each of them where single");
}

OptionDef path_option() {
  return word_option("path", {"moves", "held"},
                     "the path's continuous draws while parameters move along a gradient");
}

ParameterMoveSettings read_parameter_moves(const EngineOptions& read) {
  return {read.word("parameters"), read.integer("parameter-moves"), read.word("path") == "moves"};
}

void ParameterMoves::Part::begin(std::vector<Eigen::Index> moving) {
  moving_ = std::move(moving);
  all_ = whole_.coordinates();
  slope_.resize(all_.size());
}

const Eigen::VectorXd& ParameterMoves::Part::whole(const Eigen::VectorXd& q) {
  for (std::size_t i = 0; i < moving_.size(); ++i)
    all_[moving_[i]] = q[static_cast<Eigen::Index>(i)];
  return all_;
}

double ParameterMoves::Part::at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
  const double value = whole_.at(whole(q), slope_);
  for (std::size_t i = 0; i < moving_.size(); ++i)
    gradient[static_cast<Eigen::Index>(i)] = slope_[moving_[i]];
  return value;
}

Eigen::VectorXd ParameterMoves::Part::coordinates() const {
  Eigen::VectorXd q(dimension());
  for (std::size_t i = 0; i < moving_.size(); ++i)
    q[static_cast<Eigen::Index>(i)] = whole_.coordinates()[moving_[i]];
  return q;
}

ParameterMoves::Tuned::Tuned(Part& density, std::uint64_t length)
    : move(density, Metric(density.dimension(), density.dimension() <= kDenseUpTo)),
      warmup(move, length, kTargetAcceptance) {}

ParameterMoves::ParameterMoves(WorkerPool& workers, const ParameterMoveSettings& settings,
                               const char* engine, std::uint64_t warmup_sweeps)
    : workers_(workers),
      settings_(settings),
      engine_(engine),
      choice_(settings.parameters, *workers.setup().image->program),
      density_(workers, 0),
      part_(density_),
      warmup_left_(warmup_sweeps * settings.moves) {
  given_.weigh = !choice_.automatic();
  workers_.refuse_hidden_draws();
  workers_.add_roots([this](Evacuator& e) { given_.visit(e); });
}

bool ParameterMoves::run(RetainedPath& path, const Population& sweep, StreamName name) {
  const Prefix& prefix = sweep.prefix();
  if (sweep.outcome().estimated)
    return fail({Code::I002,
                 Severity::Error,
                 {},
                 fmt::format("{}: :parameters cannot be used where an observed conditional is "
                             "estimated",
                             engine_),
                 "leave out :parameters, or give the conditional to :enumerate",
                 {}});
  if (kind_ == Kind::Undecided && !decide(path, sweep.outcome().observed)) return false;
  std::vector<Value> values;
  if (!(kind_ == Kind::Gradient ? move_along_gradient(path, name, &values)
                                : move_single_sites(path, name, &values)))
    return false;
  const bool stale = planted(Mistake::PathNotRescored);
  const RetainedPath before = path;
  path = RetainedPath{};
  Executor& machine = workers_.machine();
  machine.stream = workers_.stream(name.child(kStepStream, 2), 0, 0);
  if (!replay_path(machine, prefix.at, &prefix, values, nullptr, path, kind_ == Kind::Gradient))
    return fail(machine.failure());
  given_.take(choice_, path);
  if (stale) path = before;
  return true;
}

bool ParameterMoves::decide(const RetainedPath& path, bool observed) {
  if (workers_.setup().delayed)
    return fail({Code::I002,
                 Severity::Error,
                 {},
                 fmt::format("{}: :parameters cannot be used together with :delayed", engine_),
                 "leave out one of them",
                 {}});
  if (auto problem = bad_parameters(engine_, choice_, path, observed)) return fail(*problem);
  given_.take(choice_, path);
  Eigen::VectorXd slope;
  kind_ = Kind::SingleSite;
  if (begin_recorded(path) && density_.pins().empty() && !density_.unscored_site()) {
    slope.resize(part_.dimension());
    if (std::isfinite(part_.at(part_.coordinates(), slope)) && slope.allFinite())
      kind_ = Kind::Gradient;
  }
  if (kind_ == Kind::Gradient) return true;
  SingleSiteSettings settings;
  settings.only = &choice_;
  settings.walk_share = kParameterWalkShare;
  settings.warmup = warmup_left_;
  chain_ = std::make_unique<SingleSiteChain>(workers_, 0, StreamName{}, settings);
  steps_ = settings_.moves * given_.draws.size();
  return true;
}

// Records the path and finds the coordinates that move. False: it cannot be recorded, or a parameter
// has no coordinate.
bool ParameterMoves::begin_recorded(const RetainedPath& path) {
  std::vector<DrawnValue> draws;
  std::vector<char> is_parameter;
  const auto segments = segments_of(path);
  for (std::size_t s = 0; s < segments.size(); ++s)
    for (std::size_t k = 0; k < draw_count(segments[s]); ++k) {
      const auto site = static_cast<std::uint32_t>(drawn_site(segments[s], k).i);
      draws.push_back({site, drawn_id(segments[s], k), drawn_value(segments[s], k)});
      is_parameter.push_back(choice_.includes(site, draws.back().id, s == 0));
    }
  if (density_.begin(draws) != RecordedDensity::Begin::Ready) return false;
  const std::vector<StructureDraw>& structure = density_.structure();
  std::vector<Eigen::Index> moving;
  Eigen::Index next = 0;
  for (std::size_t i = 0; i < structure.size(); ++i) {
    if (is_parameter[i] && structure[i].inputs == 0) return false;
    for (std::uint32_t k = 0; k < structure[i].inputs; ++k, ++next)
      if (is_parameter[i] || settings_.path_moves) moving.push_back(next);
  }
  part_.begin(std::move(moving));
  return true;
}

bool ParameterMoves::move_along_gradient(const RetainedPath& path, StreamName name,
                                         std::vector<Value>* values) {
  const Diagnostic elsewhere{Code::I006,
                             Severity::Error,
                             {},
                             "the parameters cannot be moved along a gradient everywhere",
                             "use :rejuvenate in place of :parameters",
                             {}};
  if (!begin_recorded(path)) return fail(density_.failure() ? *density_.failure() : elsewhere);
  Stream stream = workers_.stream(name.child(kStepStream, 1), 0, 0);
  auto& tuned = by_structure_[settings_.path_moves ? density_.signature()
                                                   : static_cast<std::uint64_t>(part_.dimension())];
  const bool is_new = !tuned;
  if (is_new) {
    tuned = std::make_unique<Tuned>(part_, warmup_left_);
    tuned->move.step_size = final_step_;
  }
  if (!tuned->move.start(part_.coordinates())) return fail(elsewhere);
  if (is_new && !tuned->warmup.over() && !tuned->warmup.begin(stream)) return fail(elsewhere);
  for (std::uint64_t i = 0; i < settings_.moves; ++i) {
    const NutsFigures figures = tuned->move.move(stream);
    if (!tuned->warmup.over()) tuned->warmup.learn(figures, stream);
    if (warmup_left_ == 0) continue;
    --warmup_left_;
    final_step_ = tuned->move.step_size;
  }
  std::vector<DrawnValue> moved;
  if (!density_.values(part_.whole(tuned->move.position()), &moved)) return fail(elsewhere);
  for (const DrawnValue& d : moved) values->push_back(d.value);
  return true;
}

bool ParameterMoves::move_single_sites(const RetainedPath& path, StreamName name,
                                       std::vector<Value>* values) {
  chain_->set_streams(name.child(kStepStream, 1));
  Trace& trace = chain_->trace();
  bool ok = trace.replay(segments_of(path));
  for (std::uint64_t i = 0; ok && i < steps_; ++i) ok = chain_->step();
  if (!ok) return fail(*trace.failure());
  for (std::size_t i = 0; i < trace.size(); ++i) values->push_back(trace.choice(i).value);
  return true;
}

void ParameterMoves::tell(std::uint64_t number, std::uint64_t warmup, EngineStatistics& statistics,
                          std::uint64_t particles) {
  if (number < warmup) statistics.warmup += particles;
  if (number + 1 == warmup) freeze();
  if (!chain_) return;  // moves along a gradient are no matter of acceptance
  statistics.proposals = chain_->proposals();
  statistics.accepted = chain_->accepted();
  statistics.moves = chain_->moves();
}

void ParameterMoves::freeze() {
  for (auto& [signature, tuned] : by_structure_) tuned->warmup.end();
  warmup_left_ = 0;
  if (chain_) chain_->freeze();
}

}  // namespace chancel
