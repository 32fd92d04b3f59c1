// SPDX-License-Identifier: Apache-2.0
// See engine_state.hpp.
#include "infer/engine_state.hpp"

#include <cmath>
#include <type_traits>

#include "infer/rescoring.hpp"
#include "value/dist_object.hpp"
#include "value/run_watch.hpp"
#include "vm/stop.hpp"

namespace chancel {

namespace {

struct Save {
  ByteWriter& to;
  void operator()(const double& x) const { to.real(x); }
  void operator()(const bool& x) const { to.byte(x); }
  template <class T>
  void operator()(const T& x) const requires std::is_unsigned_v<T> {
    to.number(x);
  }
};
struct Restore {
  ByteReader& from;
  void operator()(double& x) const { x = from.real(); }
  void operator()(bool& x) const { x = from.byte() != 0; }
  template <class T>
  void operator()(T& x) const requires std::is_unsigned_v<T> {
    x = static_cast<T>(from.number());
  }
};

}  // namespace

void save_statistics(ByteWriter& to, const EngineStatistics& statistics) {
  const Save save{to};
#define CHANCEL_STATISTIC(type, name, initial, total) save(statistics.name);
#include "infer/statistics.def"
  statistics.evidence_parts.save(to);
  to.number(statistics.moves.size());
  for (const SiteMoves& m : statistics.moves) {
    to.number(m.proposals);
    to.number(m.accepted);
  }
  statistics.places.save(to);
  statistics.structures.save(to);
}

void restore_statistics(ByteReader& from, EngineStatistics& statistics) {
  const Restore restore{from};
#define CHANCEL_STATISTIC(type, name, initial, total) restore(statistics.name);
#include "infer/statistics.def"
  statistics.evidence_parts.restore(from);
  statistics.moves.resize(from.count(2, sizeof(SiteMoves)));
  for (SiteMoves& m : statistics.moves) {
    m.proposals = from.number();
    m.accepted = from.number();
  }
  statistics.places.restore(from);
  statistics.structures.restore(from);
}

bool save_values(ByteWriter& to, const std::vector<Value>& values, const ByteNames& names) {
  ValueWriter writer(to, &names);
  to.number(values.size());
  for (const Value& v : values)
    if (!writer.write(v)) return false;
  return true;
}

bool restore_values(ByteReader& from, Arena& arena, const ByteNames& names, Run* run,
                    std::vector<Value>& values) {
  struct Watch final : RunWatch {
    Run* run;
    std::optional<Diagnostic> reason_to_stop() override { return stop_requested(run); }
  } watch;
  watch.run = run;
  ValueReader reader(from, arena, &names, &watch);
  values.assign(from.count(2, sizeof(Value)), Value::nil());
  for (Value& v : values)
    if (!reader.read(&v)) return false;
  return from.ok();
}

bool can_be_drawn(Executor& machine, const Execution& at, const Value& dist, const Value& value) {
  if (!dist.is(Tag::Dist) || !can_score(dist)) return true;
  const DistType* const type = dist.as<Dist>()->type;
  switch (type->support) {
    case DistSupport::Real:
    case DistSupport::Positive:
    case DistSupport::NonNegative:
    case DistSupport::UnitInterval:
    case DistSupport::Interval:
      if (!type->discrete && !value.is(Tag::Double)) return false;
      break;
    case DistSupport::Simplex:
    case DistSupport::RealVector:
    case DistSupport::OrderedVector:
    case DistSupport::PositiveDefiniteMatrix:
    case DistSupport::CorrelationMatrix:
    case DistSupport::CorrelationCholesky:
      if (!value.is(Tag::Vector)) return false;
      break;
    default:
      break;
  }
  Fit fit;
  return fit_at(machine, at, dist, value, &fit) && fit.log_prob > -INFINITY;
}

void save_names(ByteWriter& to, const std::vector<SegmentName>& names) {
  to.number(names.size());
  for (const SegmentName& name : names) {
    to.word(name.sweep.key);
    to.number(name.slot);
  }
}

std::vector<SegmentName> restore_names(ByteReader& from) {
  std::vector<SegmentName> names(from.count(9, sizeof(SegmentName)));
  for (SegmentName& name : names) {
    name.sweep.key = from.word();
    name.slot = static_cast<std::uint32_t>(from.number());
  }
  return names;
}

void LogMoments::save(ByteWriter& to) const {
  to.number(count_);
  for (const double x : {high_, sum_, squares_, log_average_, log_squares_}) to.real(x);
  to.number(positive_);
}

void LogMoments::restore(ByteReader& from) {
  count_ = from.number();
  for (double* x : {&high_, &sum_, &squares_, &log_average_, &log_squares_}) *x = from.real();
  positive_ = from.number();
}

void RunEvidence::save(ByteWriter& to) const {
  to.number(given_);
  to.number(alive_);
  to.byte(fragile_);
  to.byte(closed_);
  values_.save(to);
}

void RunEvidence::restore(ByteReader& from) {
  given_ = from.number();
  alive_ = from.number();
  fragile_ = from.byte() != 0;
  closed_ = from.byte() != 0;
  values_.restore(from);
}

void DivergencePlaces::save(ByteWriter& to) const {
  to.number(places_.size());
  for (const PlaceMoments& p : places_) {
    to.number(p.site);
    to.number(p.ordinal);
    to.byte(static_cast<std::uint8_t>(p.sense));
    for (const double x : {p.draws.count, p.draws.mean, p.draws.squares}) to.real(x);
    to.number(p.divergences.size());
    for (const double x : p.divergences) to.real(x);
  }
  to.number(kept_);
}

void DivergencePlaces::restore(ByteReader& from) {
  const std::uint64_t count = from.count(28, 2 * sizeof(PlaceMoments));
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto site = static_cast<std::uint32_t>(from.number());
    const auto ordinal = static_cast<std::uint32_t>(from.number());
    const std::uint8_t sense = from.byte();
    if (sense > static_cast<std::uint8_t>(CoordinateSense::Mixed))
      from.fail("there is no such coordinate");
    if (!from.ok()) return;
    PlaceMoments& p = places_[slot(site, ordinal, static_cast<CoordinateSense>(sense))];
    for (double* x : {&p.draws.count, &p.draws.mean, &p.draws.squares}) *x = from.real();
    p.divergences.resize(from.count(8, sizeof(double)));
    for (double& x : p.divergences) x = from.real();
  }
  kept_ = static_cast<std::size_t>(from.number());
}

}  // namespace chancel
