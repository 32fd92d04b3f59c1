// SPDX-License-Identifier: Apache-2.0
// See engine_state.hpp.
#include "infer/engine_state.hpp"

#include <type_traits>

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
}

void restore_statistics(ByteReader& from, EngineStatistics& statistics) {
  const Restore restore{from};
#define CHANCEL_STATISTIC(type, name, initial, total) restore(statistics.name);
#include "infer/statistics.def"
  statistics.evidence_parts.restore(from);
  statistics.moves.resize(from.count(2));
  for (SiteMoves& m : statistics.moves) {
    m.proposals = from.number();
    m.accepted = from.number();
  }
  statistics.places.restore(from);
}

bool save_values(ByteWriter& to, const std::vector<Value>& values, const ByteNames& names) {
  ValueWriter writer(to, &names);
  to.number(values.size());
  for (const Value& v : values)
    if (!writer.write(v)) return false;
  return true;
}

bool restore_values(ByteReader& from, Arena& arena, const ByteNames& names,
                    std::vector<Value>& values) {
  ValueReader reader(from, arena, &names);
  values.assign(from.count(2), Value::nil());
  for (Value& v : values)
    if (!reader.read(&v)) return false;
  return from.ok();
}

void save_names(ByteWriter& to, const std::vector<SegmentName>& names) {
  to.number(names.size());
  for (const SegmentName& name : names) {
    to.word(name.sweep.key);
    to.number(name.slot);
  }
}

std::vector<SegmentName> restore_names(ByteReader& from) {
  std::vector<SegmentName> names(from.count(9));
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
  const std::uint64_t count = from.count(28);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto site = static_cast<std::uint32_t>(from.number());
    const auto ordinal = static_cast<std::uint32_t>(from.number());
    const std::uint8_t sense = from.byte();
    if (sense > static_cast<std::uint8_t>(CoordinateSense::Mixed))
      from.fail("there is no such coordinate");
    if (!from.ok()) return;
    PlaceMoments& p = places_[slot(site, ordinal, static_cast<CoordinateSense>(sense))];
    for (double* x : {&p.draws.count, &p.draws.mean, &p.draws.squares}) *x = from.real();
    p.divergences.resize(from.count(8));
    for (double& x : p.divergences) x = from.real();
  }
  kept_ = static_cast<std::size_t>(from.number());
}

}  // namespace chancel
