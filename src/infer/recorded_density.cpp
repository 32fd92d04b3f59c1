// SPDX-License-Identifier: Apache-2.0
// See recorded_density.hpp.
#include "infer/recorded_density.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fmt/format.h"
#include "math/log_space.hpp"
#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
// Paths that are kept: a program with k switches between continuous regions needs 2^k.
constexpr std::size_t kPaths = 16;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
std::string text_of(const Value& v) { return show(v, true, ~std::size_t{0}); }
}  // namespace

// New draws: coordinates at random, and values from the distributions of draws that are held.
class RecordedDensity::Fresh final : public DrawSource {
 public:
  Fresh(Stream& stream, double reach) : stream_(stream), reach_(reach) {}
  Answer answer(NativeContext& cx, const Question& q, double* coordinates, Value* value) override {
    const bool from_prior =
        reach_ == 0 && !(q.dist.is(Tag::Dist) && q.dist.as<Dist>()->type->improper);
    if (q.inputs > 0 && !from_prior) {
      const double reach = reach_ > 0 ? reach_ : 2;
      for (std::uint32_t i = 0; i < q.inputs; ++i)
        coordinates[i] = reach * (2 * stream_.uniform() - 1);
      return Answer::Coordinates;
    }
    if (q.drawn) {
      *value = *q.drawn;
      return Answer::Value;
    }
    const auto* d = q.dist.as<Dist>();
    *value = d->type->sample(cx, d, stream_);
    return cx.ok() ? Answer::Value : Answer::Failed;
  }

 private:
  Stream& stream_;
  double reach_;
};

class RecordedDensity::FromList final : public DrawSource {
 public:
  explicit FromList(const std::vector<DrawnValue>& draws) : draws_(draws) {}
  Answer answer(NativeContext&, const Question& q, double*, Value* value) override {
    if (next_ >= draws_.size()) return Answer::Elsewhere;
    const DrawnValue& d = draws_[next_++];
    if (!same_place({d.site, d.id, q.inputs, {}, {}}, q.site, q.id, q.inputs))
      return Answer::Elsewhere;
    *value = d.value;
    return Answer::Value;
  }

 private:
  const std::vector<DrawnValue>& draws_;
  std::size_t next_ = 0;
};

class RecordedDensity::FromCoordinates final : public DrawSource {
 public:
  FromCoordinates(const std::vector<DrawPlace>& structure, std::size_t observed, const double* q)
      : structure_(structure), observed_(observed), at_(q) {}
  Answer answer(NativeContext& cx, const Question& q, double* coordinates, Value* value) override {
    if (next_ >= observed_) {  // predictive: any value will do
      if (next_ < structure_.size() && same_place(structure_[next_], q.site, q.id, 0)) {
        *value = structure_[next_++].held;
        return Answer::Held;
      }
      next_ = structure_.size();
      if (q.drawn) {
        *value = *q.drawn;
        return Answer::Held;
      }
      Stream any{};
      *value = q.dist.as<Dist>()->type->sample(cx, q.dist.as<Dist>(), any);
      return cx.ok() ? Answer::Held : Answer::Failed;
    }
    const DrawPlace& place = structure_[next_++];
    if (!same_place(place, q.site, q.id, q.inputs)) return Answer::Elsewhere;
    if (q.inputs == 0) {
      *value = place.held;
      return Answer::Value;
    }
    std::copy_n(at_, q.inputs, coordinates);
    at_ += q.inputs;
    return Answer::Coordinates;
  }

 private:
  const std::vector<DrawPlace>& structure_;
  std::size_t observed_;
  std::size_t next_ = 0;
  const double* at_;
};

RecordedDensity::RecordedDensity(WorkerPool& workers, unsigned worker)
    : workers_(workers), worker_(worker) {
  workers.add_roots([this](Evacuator& e) { visit(e); });
#ifndef NDEBUG
  checks_ = true;
#endif
}

void RecordedDensity::visit(Evacuator& e) {
  wide_now_.clear();
  if (prefix_) prefix_->visit(e);
  for (DrawPlace& p : structure_) {
    e.visit(p.id);
    e.visit(p.held);
    e.visit(p.law);
  }
  for (auto& path : paths_) path->recorded.visit(e);
}

Diagnostic RecordedDensity::at_site(std::uint32_t site, const NativeFailure& why) const {
  return {why.code,    Severity::Error, workers_.setup().image->program->site(site).span,
          why.message, why.hint,        {}};
}

// Another execution may observe something behind a draw, and even depending on it, although this one
// has not. A draw counts as predictive when it stands behind all observes in the text, or says so
// (generate is of the library).
bool RecordedDensity::may_be_observed(const RecordedDraw& draw, const Recorded& recorded) const {
  const Program& program = *workers_.setup().image->program;
  const Span at = program.site(draw.site).span;
  if (program.is_library_file(at.file)) return false;
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

RecordedDensity::Outcome RecordedDensity::record(DrawSource& source, bool any_structure,
                                                 Path* path) {
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
  machine.stream.reset(workers_.setup().name.child(kRecordingStream, 0),
                       static_cast<std::uint32_t>(recordings_ >> 32),
                       static_cast<std::uint32_t>(recordings_));
  Execution x;
  Checkpoint stop;
  machine.wants = {true, false};
  machine.log_weight = prefix_->log_weight;
  machine.estimated_site = 0;
  if (!prefix_->go_on(machine, x, stop)) {
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
    const Value first = recorder.sample(cx, stop.dist, stop.site, stop.id,
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
        !recorder.awaits_score() || machine.recorded_score_for(x, stop.dist, first, &log_prob);
    if (recorder.awaits_score()) recorder.draw_score(log_prob);
    if (scored) machine.resume(x, first, stop);
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
    if (!structure_[i].law.is_nil() && !equal(structure_[i].law, to.draws[i].law)) {
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
  for (std::size_t i = 0; i < to.draws_observed; ++i) path->seeds.push_back(to.draws[i].log_prob);
  path->seeds.insert(path->seeds.end(), to.observes.begin(), to.observes.end());
  if (!jacobians_) to.jacobians.clear();
  path->seeds.insert(path->seeds.end(), to.jacobians.begin(), to.jacobians.end());
  for (std::size_t i = 0; i < to.guards_observed; ++i)
    guarded.insert(guarded.end(), {to.guards[i].a, to.guards[i].b});
  for (std::size_t i = to.guards_observed; i < to.guards.size(); ++i)
    outputs.insert(outputs.end(), {to.guards[i].a, to.guards[i].b});
  const auto collect = [&](const Value& v) {
    substitute(cx, v, [&](NodeIndex i) {
      outputs.push_back(i);
      return to.graph.value(i);
    });
  };
  for (const RecordedDraw& d : to.draws) collect(d.value);
  for (const Predicts* p = to.predicts; p; p = p->previous) collect(p->value);
  collect(to.result);
  recorder.account_now(cx);
  to.charge->set(2 * to.charge->bytes());  // planning the batches takes about as much again
  path->batches = std::make_unique<Batches>(to.graph, path->seeds, guarded, outputs, *this);
  to.charge->set(to.bytes() + path->batches->bytes());
  return Outcome::Recorded;
}

RecordedDensity::Begin RecordedDensity::adopt(std::unique_ptr<Path> path) {
  const auto take = [&](const Recorded& r) {
    structure_.clear();
    for (const RecordedDraw& d : r.draws)
      structure_.push_back(
          {d.site, d.id, d.inputs, d.inputs > 0 ? Value::nil() : d.value, d.law, d.part, d.kind});
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
    FromCoordinates source(structure_, observed_draws_, coordinates_.data());
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
  Fresh source(stream, reach);
  return begin_with(source);
}

RecordedDensity::Begin RecordedDensity::begin(const std::vector<DrawnValue>& draws) {
  FromList source(draws);
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

bool RecordedDensity::evaluate(Path& path, const Eigen::VectorXd& q) {
  evaluated_ = &path;
  path.batches->forward(q.data());
  if (!guards_hold(path, 0, path.recorded.guards_observed)) return false;
  path.log_density = total(path);
  // Where a law does not take its parameters, or a density is infinite, the program fails, or does
  // what its handlers say.
  return path.log_density < INFINITY;
}

RecordedDensity::Path* RecordedDensity::path_at(const Eigen::VectorXd& q) {
  wide_now_.clear();
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    Path& path = *paths_[i];
    if (!evaluate(path, q)) continue;
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
  FromCoordinates source(structure_, observed_draws_, q.data());
  auto path = std::make_unique<Path>();
  switch (record(source, false, path.get())) {
    case Outcome::Recorded:
      break;
    case Outcome::Failed:
      refusal_ = std::move(failure_);
      failure_.reset();
      ++refusals_;
      return nullptr;
    case Outcome::Elsewhere:
      ++elsewhere_;
      return nullptr;
    case Outcome::Impossible:
      return nullptr;
  }
  if (paths_.size() >= kPaths) forget_oldest();
  paths_.insert(paths_.begin(), std::move(path));
  paths_[0]->used = ++clock_;
  evaluate(*paths_[0], q);
  return paths_[0].get();
}

void RecordedDensity::forget_oldest() {
  const auto oldest = std::min_element(
      paths_.begin(), paths_.end(), [](const auto& a, const auto& b) { return a->used < b->used; });
  *oldest = std::move(paths_.back());
  paths_.pop_back();
}

double RecordedDensity::log_likelihood(const Path& path) const {
  double sum = path.recorded.log_weight_before;
  for (const NodeIndex i : path.recorded.observes) sum += path.batches->value(i);
  return sum;
}

double RecordedDensity::total(const Path& path) const {
  double sum = log_likelihood(path);
  for (std::size_t i = 0; i < path.recorded.draws_observed; ++i)
    sum += path.batches->value(path.recorded.draws[i].log_prob);
  for (const NodeIndex i : path.recorded.jacobians) sum += path.batches->value(i);
  return sum;
}

RecordedDensity::Path* RecordedDensity::positive_at(const Eigen::VectorXd& q) {
  Path* path = path_at(q);
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
  Path* path = positive_at(q);
  if (!path) return kLogZero;
  path->batches->backward(path->seeds, gradient.data());
  return path->log_density;
}

std::optional<Diagnostic> RecordedDensity::missing_slope(const Eigen::VectorXd& q) {
  Path* path = positive_at(q);
  if (!path) return std::nullopt;
  const Recorded& r = path->recorded;
  Eigen::VectorXd gradient(q.size());
  for (std::size_t i = 0; i < r.draws_observed + r.observes.size(); ++i) {
    // By itself: infinite slopes make NaNs of what does not depend on them.
    Batches alone(r.graph, {&path->seeds[i], 1}, {}, {}, *this);
    alone.forward(q.data());
    alone.backward({&path->seeds[i], 1}, gradient.data());
    if (gradient.allFinite()) continue;
    const bool draw = i < r.draws_observed;
    const std::uint32_t site = draw ? r.draws[i].site : r.sites[i - r.draws_observed];
    return Diagnostic{Code::I006,
                      Severity::Error,
                      workers_.setup().image->program->site(site).span,
                      fmt::format("the log density of this {} has no slope that is a number",
                                  draw ? "draw" : "observe"),
                      "look for sqrt, pow or log at the edge of where they are smooth; block, rmh "
                      "and lmh need no slope",
                      {}};
  }
  return std::nullopt;
}

Value RecordedDensity::concrete(NativeContext& cx, const Value& v) const {
  return substitute(cx, v, [&](NodeIndex i) { return evaluated_->batches->value(i); });
}

double RecordedDensity::log_prob(const WideLaw& law, const double*) {
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  std::vector<Value> args;
  for (const Value& v : law.args) args.push_back(concrete(cx, v));
  const Value dist = law.type->construct(cx, args.data(), static_cast<std::uint32_t>(args.size()));
  if (!cx.ok()) return NAN;
  const Value x = concrete(cx, law.x);
  const double sum = law.type->log_prob(cx, dist.as<Dist>(), x);
  if (!cx.ok()) return NAN;
  wide_now_[&law] = {dist, x};
  return sum;
}

// Derivatives follow on values: the distribution is there.
void RecordedDensity::gradient(const WideLaw& law, const double*, double* out) {
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  std::vector<double> all(law.numbers, 0.0);
  if (const auto now = wide_now_.find(&law); now != wide_now_.end())
    law.type->wide_density->gradient(cx, now->second.first.as<Dist>(), now->second.second,
                                     all.data());
  for (std::size_t i = 0; i < law.places.size(); ++i) out[i] = all[law.places[i]];
}

bool RecordedDensity::values(const Eigen::VectorXd& q, std::vector<DrawnValue>* out) {
  Path* path = path_at(q);
  if (!path) return false;
  path->batches->forward_outputs();
  NativeContext cx(workers_.machine(worker_).arena());
  cx.in_query = true;
  out->clear();
  for (std::size_t i = 0; i < path->recorded.draws_observed; ++i) {
    const RecordedDraw& d = path->recorded.draws[i];
    out->push_back({d.site, d.id, concrete(cx, d.value)});
  }
  return cx.ok();
}

bool RecordedDensity::execute(const Path& path, Stream& stream, Output* out) {
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  Execution x;
  Checkpoint stop;
  machine.wants = {true, false};
  machine.log_weight = prefix_->log_weight;
  if (!prefix_->go_on(machine, x, stop)) return false;
  const Stream before = machine.stream;
  machine.stream = stream;
  double before_predictive = NAN;
  std::uint32_t predictive_site = 0;
  for (std::size_t i = 0; stop.kind == Stop::Sample; ++i) {
    Value value = Value::nil();
    if (i == path.recorded.draws_observed) {
      before_predictive = machine.log_weight;
      predictive_site = stop.site;
    }
    if (i < path.recorded.draws_observed)
      value = concrete(cx, path.recorded.draws[i].value);
    else if (!machine.draw_for(x, stop.dist, &value))
      break;
    machine.resume(x, value, stop);
  }
  stream = machine.stream;
  machine.stream = before;
  if (!std::isnan(before_predictive) &&
      (stop.kind == Stop::Impossible || machine.log_weight != before_predictive)) {
    failure_ = at_site(predictive_site,
                       {Code::R014, "an observe follows this draw in some executions only",
                        "write the draw in the text before the observe, or use lmh or rmh"});
    return false;
  }
  if (stop.kind != Stop::Result) {
    if (stop.kind != Stop::Impossible) failure_ = machine.failure();
    return false;
  }
  out->predicts = x.predicts;
  out->result = stop.value;
  out->applications = x.applications;
  return true;
}

bool RecordedDensity::score_observes(const Path& path, std::vector<ObserveScore>* out) {
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  *out = prefix_->scores;
  Execution x;
  Checkpoint stop;
  machine.wants = {true, true};
  if (!prefix_->go_on(machine, x, stop)) return false;
  for (std::size_t next = 0; stop.kind == Stop::Sample || stop.kind == Stop::Observe;) {
    Value answer = Value::nil();
    if (stop.kind == Stop::Observe)
      out->push_back({stop.site, stop.log_prob});
    else if (next < path.recorded.draws_observed)
      answer = concrete(cx, path.recorded.draws[next++].value);
    else
      return true;  // nothing is observed behind these
    machine.resume(x, answer, stop);
  }
  if (stop.kind == Stop::Failed) failure_ = machine.failure();
  return stop.kind == Stop::Result;
}

bool RecordedDensity::output(const Eigen::VectorXd& q, Stream& stream, Output* out) {
  Path* path = path_at(q);
  if (!path) return false;
  if (broken_) {
    failure_ = broken_;
    return false;
  }
  const Recorded& r = path->recorded;
  path->batches->forward_outputs();
  out->log_joint = log_likelihood(*path);
  for (std::size_t i = 0; i < r.draws_observed; ++i)
    out->log_joint += path->batches->value(r.draws[i].log_prob);
  if (workers_.setup().pointwise && !score_observes(*path, &out->observes)) return false;
  if (r.draws.size() > r.draws_observed || !guards_hold(*path, r.guards_observed, r.guards.size()))
    return execute(*path, stream, out);
  Arena& arena = workers_.machine(worker_).arena();
  NativeContext cx(arena);
  cx.in_query = true;
  std::vector<const Predicts*> list;
  for (const Predicts* p = r.predicts; p; p = p->previous) list.push_back(p);
  out->predicts = nullptr;
  for (std::size_t i = list.size(); i-- > 0;) {
    auto* p = arena.make<Predicts>(Tag::Predicts);
    p->previous = out->predicts;
    p->label = list[i]->label;
    p->value = concrete(cx, list[i]->value);
    out->predicts = p;
  }
  out->result = concrete(cx, r.result);
  out->applications = r.applications;
  return cx.ok();
}

std::size_t RecordedDensity::held_draws() const {
  return static_cast<std::size_t>(std::count_if(
      structure_.begin(), structure_.begin() + static_cast<std::ptrdiff_t>(observed_draws_),
      [](const DrawPlace& p) { return p.inputs == 0; }));
}

std::optional<std::uint32_t> RecordedDensity::held_site() const {
  for (std::size_t i = 0; i < observed_draws_; ++i)
    if (structure_[i].inputs == 0) return structure_[i].site;
  return std::nullopt;
}

Span RecordedDensity::place_of(Eigen::Index coordinate) const {
  for (const DrawPlace& p : structure_)
    if ((coordinate -= p.inputs) < 0) return workers_.setup().image->program->site(p.site).span;
  return {};
}

std::vector<CoordinatePlace> RecordedDensity::places() const {
  const auto sense_of = [](const DrawPlace& p) {
    if (p.inputs > 1) return CoordinateSense::Mixed;
    if (p.kind == TransformKind::Lower) return CoordinateSense::RisingFromBound;
    return p.kind == TransformKind::Upper ? CoordinateSense::Falling : CoordinateSense::Rising;
  };
  std::vector<CoordinatePlace> out;
  for (const DrawPlace& p : structure_) out.insert(out.end(), p.inputs, {p.site, sense_of(p)});
  return out;
}

std::uint64_t RecordedDensity::signature() const {
  std::uint64_t sum = 0;
  for (const DrawPlace& p : structure_)
    if (p.inputs > 0)
      sum = mix64(sum ^ mix64((std::uint64_t{p.site} << 32) + p.inputs) ^
                  (p.id.is_nil() ? 0 : hash(p.id)));
  return sum;
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

std::optional<std::uint32_t> RecordedDensity::unscored_site() const {
  bool moves = false;
  for (std::size_t i = 0; i < observed_draws_; ++i) {
    if (moves && !structure_[i].law.is_nil()) return structure_[i].site;
    moves = moves || structure_[i].inputs > 0;
  }
  return std::nullopt;
}

bool RecordedDensity::observed() const {
  return (prefix_ && prefix_->observes > 0) ||
         (!paths_.empty() && !paths_[0]->recorded.observes.empty());
}

std::string RecordedDensity::difference(const Eigen::VectorXd& q) {
  return difference(path_at(q), q);
}

std::string RecordedDensity::difference(const Path* path, const Eigen::VectorXd& q) {
  using Kind = PlainRun::Kind;
  if (!q.allFinite()) return path ? "a recording has a density where there is no point" : "";
  Executor& machine = workers_.machine(worker_);
  NativeContext cx(machine.arena());
  cx.in_query = true;
  std::vector<DrawPlace> predictive;
  if (path) {
    path->batches->forward_outputs();
    for (std::size_t i = path->recorded.draws_observed; i < path->recorded.draws.size(); ++i) {
      const RecordedDraw& d = path->recorded.draws[i];
      predictive.push_back({d.site, d.id, 0, concrete(cx, d.value), Value::nil()});
    }
  }
  const PlainRun plain = plain_run(machine, *prefix_, std::span(structure_).first(observed_draws_),
                                   predictive, q.data());
  if (!path && other_part_) return "";  // a plain execution does not tell
  if (!path) {
    double sum = plain.log_likelihood;
    for (const double score : plain.scores) sum += score;
    return plain.kind == Kind::Result && plain.whole && std::isfinite(sum)
               ? "the program has a density where the recording has none"
               : "";
  }
  if (plain.kind == Kind::Elsewhere) return "the program has other draws than the recording";
  if (plain.kind != Kind::Result)
    return !std::isfinite(path->log_density)
               ? ""
               : fmt::format(
                     "the recording has a density where the program {}",
                     plain.kind == Kind::Failed ? "fails: " + plain.failure : "is impossible");
  const auto differs = [](const std::string& what, double ours, double theirs) {
    return fmt::format("{} is {:.17g} in the recording, {:.17g} in the program", what, ours,
                       theirs);
  };
  const Recorded& r = path->recorded;
  for (std::size_t i = 0; i < r.draws_observed; ++i) {
    const double ours = path->batches->value(r.draws[i].log_prob);
    if (!same_bits(ours, plain.scores[i]))
      return differs(fmt::format("the score of draw {}", i), ours, plain.scores[i]);
  }
  if (jacobians_ && r.jacobians.size() != plain.jacobians.size())
    return "the transforms are others";
  for (std::size_t i = 0; i < r.jacobians.size(); ++i) {
    const double ours = path->batches->value(r.jacobians[i]);
    if (!same_bits(ours, plain.jacobians[i]))
      return differs(fmt::format("Jacobian {}", i), ours, plain.jacobians[i]);
  }
  const double ours = log_likelihood(*path);
  if (!same_bits(ours, plain.log_likelihood))
    return differs("the likelihood", ours, plain.log_likelihood);
  // What lies behind the last observe may have taken another way, and is then run again.
  if (!guards_hold(*path, r.guards_observed, r.guards.size())) return "";
  if (!plain.whole) return "the program has other predictive draws than the recording";
  const auto compare = [&](const std::string& what, const Value& recorded, const Value& theirs) {
    const std::string mine = text_of(concrete(cx, recorded)), its = text_of(theirs);
    return mine == its
               ? ""
               : fmt::format("{} is {} in the recording, {} in the program", what, mine, its);
  };
  const Predicts* theirs = plain.predicts;
  const Predicts* mine = r.predicts;
  for (; mine && theirs; mine = mine->previous, theirs = theirs->previous) {
    std::string wrong = compare("a label", mine->label, theirs->label);
    if (wrong.empty()) wrong = compare(text_of(mine->label), mine->value, theirs->value);
    if (!wrong.empty()) return wrong;
  }
  if (mine || theirs) return "the recording has another number of predicts";
  return compare("the result", r.result, plain.result);
}

}  // namespace chancel
