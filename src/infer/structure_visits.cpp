// SPDX-License-Identifier: Apache-2.0
// See structure_visits.hpp.
#include "infer/structure_visits.hpp"

#include <algorithm>
#include <cmath>

#include "random/stream.hpp"
#include "value/equality.hpp"

namespace chancel {

namespace {
constexpr std::uint64_t kLong = 25;    // steps of a stay that is remembered
constexpr std::size_t kMost = 64;      // structures
constexpr std::uint64_t kEnough = 10;  // visits, to know a share within a third of it
// A structure whose log density is this much lower is not comparable: more clusters take less room each, which
// makes up for one to three units for every parameter.
constexpr double kFar = 12;
// What a share may be that was not seen: less does not matter beside the errors that are reported.
constexpr double kNegligibleShare = 0.002;
constexpr double kRuleOfThree = 3;

bool is_continuous(const Value& v) { return v.is(Tag::Double) || v.is(Tag::Vector); }
}  // namespace

void StructureReader::Table::clear() {
  used_ = 0;
  if (++round_ != 0) return;
  slots_.clear();
  round_ = 1;
}

std::uint32_t StructureReader::Table::number(std::uint64_t key, std::uint32_t next) {
  if (2 * used_ >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = key & mask;; i = (i + 1) & mask) {
    Slot& s = slots_[i];
    if (s.round != round_) {
      s = {key, next, round_};
      ++used_;
      return next;
    }
    if (s.key == key) return s.number;
  }
}

void StructureReader::Table::grow() {
  std::vector<Slot> old(std::max<std::size_t>(64, 2 * slots_.size()), Slot{0, 0, 0});
  old.swap(slots_);
  used_ = 0;
  for (const Slot& s : old)
    if (s.round == round_) number(s.key, s.number);
}

void StructureReader::begin() {
  entries_.clear();
  places_.clear();
  place_numbers_.clear();
  value_orders_.clear();
}

StructureReader::SeenDraw StructureReader::seen(std::uint32_t site, const Value& id,
                                                const Value& value) {
  const std::uint64_t name = mix64(std::uint64_t{site} << 32 | (id.is_nil() ? 0 : hash(id)));
  const bool continuous = is_continuous(value);
  return {name, continuous ? 0 : static_cast<std::uint32_t>(hash(value)), continuous};
}

void StructureReader::draw(const SeenDraw& seen) {
  const auto count = static_cast<std::uint32_t>(places_.size());
  const std::uint32_t place = place_numbers_.number(seen.name, count);
  if (place == count) places_.push_back({seen.name, 0, 0, 0});
  Place& p = places_[place];
  ++p.draws;
  if (seen.continuous) {
    entries_.push_back({place, 0, kNone});
    return;
  }
  const std::uint32_t x = seen.value;
  const std::uint32_t order = value_orders_.number(mix64(seen.name ^ mix64(x)), p.values);
  if (p.values == 0) p.first = x;
  p.values += order == p.values;
  entries_.push_back({place, x, order});
}

StructureKeys StructureReader::end() {
  StructureKeys keys;
  for (const Entry& e : entries_) {
    const Place& p = places_[e.place];
    const std::uint64_t x = e.order == kNone ? 0 : p.draws == 1 ? e.value : e.order;
    keys.fine = mix64(keys.fine ^ mix64(p.name + x));
  }
  std::uint64_t alone = 0;
  for (const Place& p : places_) {  // in any order: a sum
    const bool single = p.draws == 1 && p.values == 1;
    alone += mix64(p.name ^ mix64(std::uint64_t{p.draws} << 32 | (single ? p.first : p.values)));
  }
  keys.coarse = mix64(alone);
  return keys;
}

std::size_t StructureVisits::Track::slot(std::uint64_t key) {
  const auto found = index.find(key);
  return found == index.end() ? stays.size() : found->second;
}

void StructureVisits::Track::step(std::uint64_t key, double log_density) {
  std::size_t at = slot(key);
  if (length == 0 || key != now) {
    changes += length > 0;
    now = key;
    length = 0;
    if (at < stays.size()) ++stays[at].visits;
  }
  ++length;
  if (at == stays.size()) {
    if (length < kLong || stays.size() == kMost) return;
    index.emplace(key, at);
    stays.push_back({key, 0, length - 1, changes > 0 ? 1u : 0u, {}});
  }
  StructureStay& stay = stays[at];
  ++stay.steps;
  stay.longest = std::max(stay.longest, length);
  if (length >= kLong && std::isfinite(log_density)) stay.density.add(log_density);
}

void StructureVisits::step(const StructureKeys& keys, double log_density) {
  ++steps_;
  tracks_[0].step(keys.fine, log_density);
  tracks_[1].step(keys.coarse, log_density);
}

void StructureVisits::add(const StructureVisits& other) {
  steps_ += other.steps_;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    Track& mine = tracks_[t];
    for (const StructureStay& stay : other.tracks_[t].stays) {
      const std::size_t at = mine.slot(stay.key);
      if (at == mine.stays.size()) {
        mine.index.emplace(stay.key, at);
        mine.stays.push_back(stay);
        continue;
      }
      StructureStay& sum = mine.stays[at];
      sum.longest = std::max(sum.longest, stay.longest);
      sum.steps += stay.steps;
      sum.visits += stay.visits;
      sum.density.add(stay.density);
    }
  }
}

std::optional<SeldomVisited> StructureVisits::seldom() const {
  std::optional<SeldomVisited> worst;
  const auto all = static_cast<double>(steps_);
  for (const Track& track : tracks_) {
    const auto most = std::max_element(
        track.stays.begin(), track.stays.end(),
        [](const StructureStay& a, const StructureStay& b) { return a.steps < b.steps; });
    for (const StructureStay& stay : track.stays) {
      if (&stay == &*most || stay.visits >= kEnough) continue;
      if (kRuleOfThree * static_cast<double>(stay.longest) < kNegligibleShare * all) continue;
      const bool known = stay.density.count > 0 && most->density.count > 0;
      if (known && stay.density.mean < most->density.mean - kFar) continue;
      if (!worst || stay.visits < worst->visits ||
          (stay.visits == worst->visits && stay.longest > worst->stay))
        worst = {stay.longest, stay.visits, steps_};
    }
  }
  return worst;
}

void StructureVisits::save(ByteWriter& to) const {
  to.number(steps_);
  for (const Track& track : tracks_) {
    for (const std::uint64_t n : {track.now, track.length, track.changes}) to.word(n);
    to.number(track.stays.size());
    for (const StructureStay& s : track.stays) {
      to.word(s.key);
      for (const std::uint64_t n : {s.longest, s.steps, s.visits}) to.number(n);
      for (const double x : {s.density.count, s.density.mean, s.density.squares}) to.real(x);
    }
  }
}

void StructureVisits::restore(ByteReader& from) {
  steps_ = from.number();
  for (Track& track : tracks_) {
    track = {};
    for (std::uint64_t* n : {&track.now, &track.length, &track.changes}) *n = from.word();
    const std::uint64_t count = from.count(35);
    for (std::uint64_t i = 0; i < count && from.ok(); ++i) {
      StructureStay& s = track.stays.emplace_back();
      s.key = from.word();
      track.index.emplace(s.key, i);
      for (std::uint64_t* n : {&s.longest, &s.steps, &s.visits}) *n = from.number();
      for (double* x : {&s.density.count, &s.density.mean, &s.density.squares}) *x = from.real();
    }
  }
}

}  // namespace chancel
