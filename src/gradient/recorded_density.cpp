// SPDX-License-Identifier: Apache-2.0
// See recorded_density.hpp. What the program gives at a point is in recorded_output.cpp.
#include "gradient/recorded_density.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>

#include "fmt/format.h"
#include "gradient/draw_sources.hpp"
#include "gradient/recorded_path.hpp"
#include "infer/walker.hpp"
#include "math/log_space.hpp"
#include "record/intervals.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
// Paths that are kept: a program with k switches between continuous regions needs 2^k.
constexpr std::size_t kPaths = 16;
constexpr std::uint64_t kTryWork =
    2'000'000;  // applications, for looks at other ways of the program

bool may_change(const NodeRange& a, const NodeRange& b) {
  return a.lower < b.upper && b.lower < a.upper;
}

// Its graph, once everything is recorded.
void close(Recorded& recorded) {
  std::vector<NodeIndex> scores = recorded.observes, predictive;
  for (std::size_t i = 0; i < recorded.draws.size(); ++i)
    (i < recorded.draws_observed ? scores : predictive).push_back(recorded.draws[i].log_prob);
  recorded.graph.close(scores, predictive);
}

// The terms of the density: scores of draws, of observes, and derivatives of transforms.
Batches::Terms terms_of(const Recorded& recorded) {
  Batches::Terms terms;
  const auto add = [&](NodeIndex score, std::vector<NodeIndex>& to) {
    if (const Graph::Term term = recorded.graph.term(score); term.node != RowStore::kNone)
      to.push_back(term.node);
  };
  for (std::size_t i = 0; i < recorded.draws_observed; ++i)
    add(recorded.draws[i].log_prob, terms.priors);
  for (const NodeIndex i : recorded.observes) add(i, terms.likelihood);
  for (const NodeIndex i : recorded.jacobians) add(i, terms.jacobians);
  terms.plates = recorded.graph.plates();
  return terms;
}
}  // namespace

RecordedDensity::RecordedDensity(WorkerPool& workers, unsigned worker)
    : workers_(workers), worker_(worker) {
  workers.add_roots([this](Evacuator& e) { visit(e); });
#ifndef NDEBUG
  checks_ = true;
#endif
}

RecordedDensity::~RecordedDensity() = default;

void RecordedDensity::visit(Evacuator& e) {
  wide_now_.clear();
  if (prefix_) prefix_->visit(e);
  for (StructureDraw& p : structure_) {
    e.visit(p.id);
    e.visit(p.held);
    e.visit(p.distribution);
  }
  for (auto& path : paths_) path->recorded.visit(e);
}

Diagnostic RecordedDensity::at_site(std::uint32_t site, const NativeFailure& why) const {
  return {why.code,    Severity::Error, workers_.setup().image->program->site(site).span,
          why.message, why.hint,        {}};
}

// Another execution may observe something after a draw, and even depending on it, although this one
// has not. A draw counts as predictive when no observe can follow it, as the text shows, or when it is
// declared so (by the library's generate). For queries inside a query, the order of the text decides.
bool RecordedDensity::may_be_observed(const RecordedDraw& draw, const Recorded& recorded) const {
  const Program& program = *workers_.setup().image->program;
  const Span at = program.site(draw.site).span;
  if (program.is_library_file(at.file)) return false;
  if (const auto& closing = workers_.setup().closing_draws)
    return std::none_of(closing->begin(), closing->end(), [&](const Span& s) {
      return s.file == at.file && s.begin == at.begin && s.end == at.end;
    });
  for (std::uint32_t i = 0; i < program.site_count(); ++i) {
    const Site& other = program.site(i);
    if (other.kind == SiteKind::Observe && !program.is_library_file(other.span.file) &&
        (other.span.file != at.file || other.span.end > at.begin))
      return true;
  }
  return std::any_of(recorded.sites.begin(), recorded.sites.end(), [&](std::uint32_t site) {
    return program.is_library_file(program.site(site).span.file);
  });
}

RecordedDensity::Outcome RecordedDensity::record(DrawSource& source, bool any_structure, Path* path,
                                                 const std::vector<std::size_t>& inverted) {
  Executor& machine = workers_.machine(worker_);
  failure_.reset();
  if (!prefix_) {
    Prefix prefix;
    if (!prefix.run(machine, workers_.setup())) {
      failure_ = machine.failure();
      return Outcome::Failed;
    }
    prefix_ = prefix;
  }
  ++recordings_;
  other_part_ = false;
  Recorded& to = path->recorded;
  Recorder recorder(to, source);
  recorder.invert(inverted);
  machine.stream.reset(workers_.setup().name.child(kRecordingStream, 0),
                       static_cast<std::uint32_t>(recordings_ >> 32),
                       static_cast<std::uint32_t>(recordings_));
  machine.wants = {true, false};
  machine.log_weight = prefix_->log_weight;
  machine.estimated_site = 0;
  Walker walker(machine);
  Execution& x = walker.at;
  const Checkpoint& stop = walker.stop;
  walker.begin(*prefix_);
  if (walker.run(leave, leave) == Stop::Failed) {
    failure_ = machine.failure();
    return Outcome::Failed;
  }
  to.log_weight_before = machine.log_weight;
  if (machine.estimated_site > 0) {
    failure_ =
        estimated_score(workers_.setup().image->program->site(machine.estimated_site - 1).span);
    return Outcome::Failed;
  }
  if (stop.kind == Stop::Sample) {  // its distribution is there already
    Value drawn = Value::nil();
    if (!stop.dist.is(Tag::Dist) && !machine.draw_for(x, stop.dist, &drawn)) {
      failure_ = machine.failure();
      return Outcome::Failed;
    }
    NativeContext& cx = machine.context_for(x);
    const RecordedSample first = recorder.sample(cx, stop.dist, stop.site, stop.id,
                                                 stop.dist.is(Tag::Dist) ? nullptr : &drawn);
    if (!cx.ok()) {
      if (recorder.elsewhere()) return Outcome::Elsewhere;
      failure_ = at_site(stop.site, cx.failure);
      cx.status = NativeContext::Status::Ok;
      return Outcome::Failed;
    }
    machine.record(&recorder);
    Value log_prob = Value::nil();
    const bool scored =
        !first.scoring || machine.recorded_score_for(x, stop.dist, first.value, &log_prob);
    if (first.scoring) first.scoring->draw_score(log_prob);
    if (scored) {
      walker.begin(x, first.value);
      walker.run(leave, leave);  // the recorder answers what comes
    }
    machine.record(nullptr);
    if (!scored) {
      failure_ = machine.failure();
      return Outcome::Failed;
    }
  }
  if (recorder.elsewhere()) return Outcome::Elsewhere;
  if (recorder.refusal()) {
    failure_ = at_site(recorder.refusal()->site, recorder.refusal()->why);
    return Outcome::Failed;
  }
  if (stop.kind == Stop::Impossible) return Outcome::Impossible;
  if (stop.kind != Stop::Result) {
    failure_ = machine.failure();
    return Outcome::Failed;
  }
  NativeContext& cx = machine.context_for(x);
  if (!recorder.finish(cx)) {
    failure_ = at_site(stop.site, cx.failure);
    cx.status = NativeContext::Status::Ok;
    return Outcome::Failed;
  }
  // Where nothing is observed, all draws are the prior's.
  for (std::size_t i = to.draws_observed; i < to.draws.size(); ++i)
    if (to.observes.empty() || may_be_observed(to.draws[i], to)) to.draws_observed = i + 1;
  path->guards_scored = to.guards_observed;
  if (to.draws_observed > 0)
    path->guards_scored =
        std::max(path->guards_scored, to.draws[to.draws_observed - 1].guards_before);
  to.guards_observed = to.draws_observed < to.draws.size()
                           ? std::max(to.guards_observed, to.draws[to.draws_observed].guards_before)
                           : to.guards.size();
  if (to.unscored < to.draws_observed) {
    failure_ = at_site(to.draws[to.unscored].site, {Code::R014, to.unscored_why, "use lmh or rmh"});
    return Outcome::Failed;
  }
  if (!any_structure && to.draws_observed != observed_draws_) return Outcome::Elsewhere;
  for (std::size_t i = 0; !any_structure && i < observed_draws_; ++i)
    if (structure_[i].part != to.draws[i].part) {
      other_part_ = true;
      return Outcome::Elsewhere;
    }
  for (std::size_t i = 0; !any_structure && i < observed_draws_; ++i)
    if (!structure_[i].distribution.is_nil() &&
        !equal(structure_[i].distribution, to.draws[i].distribution)) {
      failure_ = broken_ = at_site(
          to.draws[i].site,
          {Code::R014,
           "sample: this distribution depends on draws that move, and its density is not known",
           "use lmh or rmh"});
      return Outcome::Failed;
    }
  to.result = stop.value;
  to.predicts = x.predicts;
  to.applications = x.applications;

  std::vector<NodeIndex> guarded, outputs;
  if (!jacobians_) to.jacobians.clear();
  for (std::size_t i = 0; i < to.guards_observed; ++i)
    guarded.insert(guarded.end(), {to.guards[i].a, to.guards[i].b});
  for (std::size_t i = to.guards_observed; i < to.guards.size(); ++i)
    outputs.insert(outputs.end(), {to.guards[i].a, to.guards[i].b});
  const auto collect = [&](const Value& v) {
    substitute(cx, v, [&](NodeIndex i) {
      outputs.push_back(to.graph.shared(i));
      return to.graph.value(i);
    });
  };
  for (const RecordedDraw& d : to.draws) collect(d.value);
  for (const Predicts* p = to.predicts; p; p = p->previous) collect(p->value);
  collect(to.result);
  close(to);
  recorder.account_now(cx);
  to.charge->set(2 * to.charge->bytes());  // planning the batches takes about as much again
  path->batches = std::make_unique<Batches>(to.graph, terms_of(to), guarded, outputs, *this);
  to.charge->set(to.bytes() + path->batches->bytes());
  return Outcome::Recorded;
}

RecordedDensity::Begin RecordedDensity::adopt(std::unique_ptr<Path> path) {
  const auto take = [&](const Recorded& r) {
    structure_.clear();
    for (const RecordedDraw& d : r.draws)
      structure_.push_back({d.site, d.id, d.inputs, d.inputs > 0 ? Value::nil() : d.value,
                            d.distribution, d.part, d.kind});
    observed_draws_ = r.draws_observed;
    coordinates_.resize(static_cast<Eigen::Index>(r.graph.inputs().size()));
    for (std::size_t i = 0; i < r.graph.inputs().size(); ++i)
      coordinates_[static_cast<Eigen::Index>(i)] = r.graph.value(r.graph.inputs()[i]);
  };
  take(path->recorded);
  std::uint32_t inputs = 0;  // of draws that are not predictive
  for (std::size_t i = 0; i < observed_draws_; ++i) inputs += structure_[i].inputs;
  if (inputs < coordinates_.size()) {  // predictive draws must not move: record them as held
    NativeContext cx(workers_.machine(worker_).arena());
    cx.in_query = true;
    for (std::size_t i = observed_draws_; i < structure_.size(); ++i) {
      structure_[i].inputs = 0;
      structure_[i].held = substitute(cx, path->recorded.draws[i].value,
                                      [&](NodeIndex n) { return path->recorded.graph.value(n); });
    }
    DrawsAtCoordinates source(structure_, observed_draws_, coordinates_.data());
    auto again = std::make_unique<Path>();
    switch (record(source, false, again.get())) {
      case Outcome::Recorded:
        break;
      case Outcome::Failed:
        return Begin::Failed;
      default:
        return Begin::Impossible;
    }
    path = std::move(again);
    take(path->recorded);
  }
  paths_.clear();
  paths_.push_back(std::move(path));
  return Begin::Ready;
}

RecordedDensity::Begin RecordedDensity::begin(Stream& stream, double reach) {
  FreshDraws source(stream, reach);
  return begin_with(source);
}

RecordedDensity::Begin RecordedDensity::begin(const std::vector<DrawnValue>& draws) {
  ListedDraws source(draws);
  return begin_with(source);
}

RecordedDensity::Begin RecordedDensity::begin_with(DrawSource& source) {
  auto path = std::make_unique<Path>();
  switch (record(source, true, path.get())) {
    case Outcome::Recorded:
      return adopt(std::move(path));
    case Outcome::Failed:
      return Begin::Failed;
    default:
      return Begin::Impossible;
  }
}

bool RecordedDensity::guards_hold(const Path& path, std::size_t from, std::size_t to) const {
  for (std::size_t i = from; i < to; ++i) {
    const Guard& g = path.recorded.guards[i];
    if (!holds(g, path.batches->value(g.a), path.batches->value(g.b))) return false;
  }
  return true;
}

bool RecordedDensity::evaluate(Path& path, const Eigen::VectorXd& q, bool slopes) {
  evaluated_ = &path;
  path.batches->forward(q.data());
  if (!guards_hold(path, 0, path.recorded.guards_observed)) return false;
  path.sums = path.batches->sums(slopes, temperature_);
  path.log_density = total(path);
  // Where a distribution does not take its parameters, or a density is infinite, the program fails,
  // or its handlers run.
  return path.log_density < INFINITY;
}

RecordedDensity::Path* RecordedDensity::path_at(const Eigen::VectorXd& q, bool slopes) {
  wide_now_.clear();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    Path& path = *paths_[i];
    if (!evaluate(path, q, slopes)) continue;
    path.used = ++clock_;
    if (i > 0) std::swap(paths_[0], paths_[i]);
    return paths_[0].get();
  }
  for (Eigen::Index i = 0; i < q.size(); ++i)
    if (!std::isfinite(q[i])) return nullptr;
  // Room for one that is like the last.
  const Heap& heap = workers_.heap();
  while (paths_.size() > 1 &&
         heap.used() + 2 * paths_[0]->recorded.charge->bytes() > heap.limit() / 2)
    forget_oldest();
  DrawsAtCoordinates source(structure_, observed_draws_, q.data());
  auto path = std::make_unique<Path>();
  switch (record(source, false, path.get())) {
    case Outcome::Recorded:
      break;
    case Outcome::Failed:
      // What cannot be recorded is not impossible: without it the density would be that of another program.
      if (failure_->code == Code::R014) broken_ = failure_;
      refusal_ = std::move(failure_);
      failure_.reset();
      ++refusals_;
      return nullptr;
    case Outcome::Elsewhere:
      ++elsewhere_;
      piled_up_ += source.piled_up();
      return nullptr;
    case Outcome::Impossible:
      return nullptr;
  }
  if (paths_.size() >= kPaths) forget_oldest();
  paths_.insert(paths_.begin(), std::move(path));
  paths_[0]->used = ++clock_;
  evaluate(*paths_[0], q, slopes);
  return paths_[0].get();
}

void RecordedDensity::forget_oldest() {
  const auto oldest = std::min_element(
      paths_.begin(), paths_.end(), [](const auto& a, const auto& b) { return a->used < b->used; });
  *oldest = std::move(paths_.back());
  paths_.pop_back();
}

double RecordedDensity::log_likelihood(const Path& path) const {
  return path.recorded.log_weight_before + path.sums.likelihood;
}

std::vector<double> RecordedDensity::observe_scores(const Path& path) const {
  return scores_of(path, path.recorded.observes);
}

std::vector<double> RecordedDensity::draw_scores(const Path& path) const {
  std::vector<NodeIndex> scores;
  for (std::size_t i = 0; i < path.recorded.draws_observed; ++i)
    scores.push_back(path.recorded.draws[i].log_prob);
  return scores_of(path, scores);
}

std::vector<double> RecordedDensity::scores_of(const Path& path,
                                               std::span<const NodeIndex> scores) const {
  std::vector<std::vector<double>> of_plates(path.recorded.graph.plates().size());
  std::vector<double> out;
  for (const NodeIndex i : scores) {
    const Graph::Term term = path.recorded.graph.term(i);
    if (term.node != RowStore::kNone) {
      out.push_back(path.batches->value(term.node));
      continue;
    }
    std::vector<double>& of_plate = of_plates[term.place.plate];
    if (of_plate.empty()) of_plate = path.batches->scores_of_plate(term.place.plate);
    out.push_back(of_plate[term.place.row]);
  }
  return out;
}

double RecordedDensity::total(const Path& path) const {
  return temperature_ * log_likelihood(path) + path.sums.prior + path.sums.jacobian;
}

void RecordedDensity::room_for(std::size_t numbers) const {
  constexpr std::size_t kNone = ~std::size_t{0};
  const std::size_t bytes = numbers < kNone / sizeof(double) ? numbers * sizeof(double) : kNone;
  workers_.heap().room_for(bytes);
  if (!fits_process_memory(bytes)) throw ProcessMemoryFull(process_memory_limit());
}

void RecordedDensity::look() const {
  if (auto stop = stop_requested(workers_.setup().run)) throw RunStopped{std::move(*stop)};
}

RecordedDensity::Path* RecordedDensity::positive_at(const Eigen::VectorXd& q, bool slopes) {
  look();  // modes and trajectories take thousands of evaluations
  Path* path = path_at(q, slopes);
  if (checks_) {
    const std::string wrong = difference(path, q);
    CHANCEL_ASSERT(wrong.empty(), wrong.c_str());
  }
  return path && std::isfinite(path->log_density) ? path : nullptr;
}

double RecordedDensity::value_at(const Eigen::VectorXd& q) {
  const Path* path = positive_at(q);
  return path ? path->log_density : kLogZero;
}

double RecordedDensity::at(const Eigen::VectorXd& q, Eigen::VectorXd& gradient) {
  Path* path = positive_at(q, true);
  if (!path) return kLogZero;
  path->batches->backward(temperature_, gradient.data());
  return path->log_density;
}

double RecordedDensity::log_likelihood_at(const Eigen::VectorXd& q) {
  const Path* path = positive_at(q);
  return path ? log_likelihood(*path) : kLogZero;
}

namespace {
// Of scores in the order of the program, which is that of the rows of each plate.
Batches::Terms first_terms(const Graph& graph, std::span<const NodeIndex> scores) {
  Batches::Terms terms;
  std::map<std::uint32_t, std::size_t> rows;  // of plates
  for (const NodeIndex score : scores) {
    const Graph::Term term = graph.term(score);
    if (term.node != RowStore::kNone)
      terms.priors.push_back(term.node);
    else
      rows[term.place.plate] = term.place.row + 1;
  }
  for (const auto& [plate, count] : rows) {
    auto first = std::make_shared<Plate>(*graph.plates()[plate]);
    first->rows = count;
    terms.plates.push_back(std::move(first));
  }
  return terms;
}
}  // namespace

std::optional<Diagnostic> RecordedDensity::missing_slope(const Eigen::VectorXd& q) {
  Path* path = positive_at(q);
  if (!path) return std::nullopt;
  const Recorded& r = path->recorded;
  std::vector<NodeIndex> scores;
  for (std::size_t i = 0; i < r.draws_observed; ++i) scores.push_back(r.draws[i].log_prob);
  scores.insert(scores.end(), r.observes.begin(), r.observes.end());
  Eigen::VectorXd gradient(q.size());
  const auto finite = [&](std::size_t first) {  // of the first of them together
    Batches some(r.graph, first_terms(r.graph, std::span(scores).first(first)), {}, {}, *this);
    some.forward(q.data());
    some.sums(true, 1);
    some.backward(1, gradient.data());
    return gradient.allFinite();
  };
  std::size_t good = 0, bad = scores.size();
  if (finite(bad)) return std::nullopt;
  while (good + 1 < bad) {
    const std::size_t middle = good + (bad - good) / 2;
    (finite(middle) ? good : bad) = middle;
  }
  const bool draw = good < r.draws_observed;
  const std::uint32_t site = draw ? r.draws[good].site : r.sites[good - r.draws_observed];
  return Diagnostic{Code::I006,
                    Severity::Error,
                    workers_.setup().image->program->site(site).span,
                    fmt::format("the log density of this {} has no slope that is a number",
                                draw ? "draw" : "observe"),
                    "look for sqrt, pow or log at the edge of where they are smooth; block, rmh "
                    "and lmh need no slope",
                    {}};
}

Value RecordedDensity::concrete(NativeContext& cx, const Value& v) const {
  return substitute(cx, v, [&](NodeIndex i) {
    return evaluated_->batches->value(evaluated_->recorded.graph.resolved(i));
  });
}

double RecordedDensity::log_prob(const WideDistribution& distribution, const double*) {
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  const auto known = wide_now_.find(&evaluated_->recorded.graph.wide()[distribution.same]);
  Value dist;
  if (known != wide_now_.end()) {
    dist = known->second.first;
  } else {
    std::vector<Value> args;
    for (const Value& v : distribution.args) args.push_back(concrete(cx, v));
    dist = distribution.type->construct(cx, args.data(), static_cast<std::uint32_t>(args.size()));
    if (!cx.ok()) return NAN;
  }
  const Value x = concrete(cx, distribution.x);
  const double sum = distribution.type->log_prob(cx, dist.as<Dist>(), x);
  if (!cx.ok()) return NAN;
  wide_now_[&distribution] = {dist, x};
  return sum;
}

// Derivatives follow on values: the distribution is there.
void RecordedDensity::gradient(const WideDistribution& distribution, const double*, double* out) {
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  std::vector<double> all(distribution.numbers, 0.0);
  if (const auto now = wide_now_.find(&distribution); now != wide_now_.end())
    distribution.type->wide_density->gradient(cx, now->second.first.as<Dist>(), now->second.second,
                                              all.data());
  for (std::size_t i = 0; i < distribution.places.size(); ++i) out[i] = all[distribution.places[i]];
}

std::size_t RecordedDensity::held_draws() const {
  return static_cast<std::size_t>(std::count_if(
      structure_.begin(), structure_.begin() + static_cast<std::ptrdiff_t>(observed_draws_),
      [](const StructureDraw& p) { return p.inputs == 0; }));
}

std::optional<std::uint32_t> RecordedDensity::held_site() const {
  for (std::size_t i = 0; i < observed_draws_; ++i)
    if (structure_[i].inputs == 0) return structure_[i].site;
  return std::nullopt;
}

Span RecordedDensity::place_of(Eigen::Index coordinate) const {
  for (const StructureDraw& p : structure_)
    if ((coordinate -= p.inputs) < 0) return workers_.setup().image->program->site(p.site).span;
  return {};
}

std::vector<CoordinatePlace> RecordedDensity::places() const {
  const auto sense_of = [](const StructureDraw& p) {
    if (p.inputs > 1) return CoordinateSense::Mixed;
    if (p.kind == TransformKind::Lower) return CoordinateSense::RisingFromBound;
    return p.kind == TransformKind::Upper ? CoordinateSense::Falling : CoordinateSense::Rising;
  };
  std::vector<CoordinatePlace> out;
  for (const StructureDraw& p : structure_) out.insert(out.end(), p.inputs, {p.site, sense_of(p)});
  return out;
}

std::uint64_t RecordedDensity::signature() const {
  std::uint64_t sum = 0;
  for (const StructureDraw& p : structure_)
    if (p.inputs > 0)
      sum = mix64(sum ^ mix64((std::uint64_t{p.site} << 32) + p.inputs) ^
                  (p.id.is_nil() ? 0 : hash(p.id)));
  return sum;
}

std::size_t RecordedDensity::rows_of_plates() const {
  std::size_t rows = 0;
  if (!paths_.empty())
    for (const auto& plate : paths_[0]->recorded.graph.plates()) rows += plate->rows;
  return rows;
}

const std::string& RecordedDensity::pinned_by() const {
  static const std::string none;
  return paths_.empty() ? none : paths_[0]->recorded.pinned_by;
}

std::string_view RecordedDensity::pins() const {
  if (paths_.empty()) return "";
  const Recorded& r = paths_[0]->recorded;
  const auto observed = r.guards.begin() + static_cast<std::ptrdiff_t>(r.guards_observed);
  const bool any = std::any_of(r.guards.begin(), observed,
                               [](const Guard& g) { return g.kind == Guard::Kind::Pinned; });
  return any ? std::string_view(r.pinned_by) : "";
}

bool RecordedDensity::observes_otherwise(std::size_t from) {
  const Recorded& known = paths_[0]->recorded;
  std::uint64_t tries = 1 + kTryWork / (1 + known.applications);
  std::deque<std::vector<std::size_t>> open;  // comparisons to invert, the last one most recently
  const auto add = [&](const Recorded& r, const std::vector<std::size_t>& inverted) {
    std::optional<std::vector<NodeRange>> ranges;
    for (std::size_t i = inverted.empty() ? from : inverted.back() + 1;
         i < r.guards.size() && open.size() < tries; ++i) {
      const Guard& g = r.guards[i];
      if (g.kind != Guard::Kind::Order || !g.may_jump) continue;
      if (!ranges) ranges = node_ranges(r.graph);
      if (!may_change((*ranges)[g.a], (*ranges)[g.b])) continue;
      open.push_back(inverted);
      open.back().push_back(i);
    }
  };
  add(known, {});
  for (; !open.empty() && tries > 0; --tries) {
    const std::vector<std::size_t> inverted = std::move(open.front());
    open.pop_front();
    DrawsAtCoordinates source(structure_, observed_draws_, coordinates_.data());
    Path path;
    record(source, true, &path, inverted);
    if (failure_ && is_limit(failure_->code)) tries = 1;
    failure_.reset();
    if (path.recorded.observes.size() > known.observes.size()) return true;
    add(path.recorded, inverted);
  }
  return false;
}

bool RecordedDensity::may_jump() {
  if (paths_.empty()) return false;
  const Recorded& r = paths_[0]->recorded;
  std::optional<std::vector<NodeRange>> ranges;
  const std::size_t scored = paths_[0]->guards_scored;
  for (std::size_t i = 0; i < scored; ++i) {
    const Guard& g = r.guards[i];
    if (g.kind != Guard::Kind::Order || !g.may_jump) continue;
    if (!ranges) ranges = node_ranges(r.graph);
    if (may_change((*ranges)[g.a], (*ranges)[g.b])) return true;
  }
  if (observes_otherwise(scored)) return true;
  std::vector<bool> matters(r.graph.size());  // to the density
  const auto rounds = [](GraphOp op) {
    return op == GraphOp::Floor || op == GraphOp::Ceil || op == GraphOp::Signum;
  };
  const Batches::Terms terms = terms_of(r);
  for (const auto* nodes : {&terms.priors, &terms.likelihood, &terms.jacobians})
    for (const NodeIndex i : *nodes) matters[i] = true;
  for (const auto& plate : terms.plates) {
    for (const NodeIndex i : nodes_of(*plate)) matters[i] = true;
    for (const Plate::Step& step : plate->steps)
      if (rounds(step.op)) return true;
  }
  for (NodeIndex i = static_cast<NodeIndex>(r.graph.size()); i-- > 0;) {
    if (!matters[i]) continue;
    if (rounds(r.graph.node(i).op)) return true;
    for (const NodeIndex operand : r.graph.operands(i)) matters[operand] = true;
  }
  return false;
}

std::optional<std::uint32_t> RecordedDensity::unscored_site() const {
  bool moves = false;
  for (std::size_t i = 0; i < observed_draws_; ++i) {
    if (moves && !structure_[i].distribution.is_nil()) return structure_[i].site;
    moves = moves || structure_[i].inputs > 0;
  }
  return std::nullopt;
}

bool RecordedDensity::observed() const {
  return (prefix_ && prefix_->observes > 0) ||
         (!paths_.empty() && !paths_[0]->recorded.observes.empty());
}

}  // namespace chancel
