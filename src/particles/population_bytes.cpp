// SPDX-License-Identifier: Apache-2.0
// A sweep as bytes, from the process that ran it to the one that has the draws. Particles are what
// they predict, their results, and what they cost. Predicts of relatives are lists with a common end,
// which is sent once.
#include <unordered_map>

#include "base/bytes.hpp"
#include "particles/population.hpp"
#include "value/bytes.hpp"
#include "value/print.hpp"

namespace chancel {

void Population::pack_outcome(ByteWriter& out) const {
  outcome_.write(out);
  if (failure() || !alive()) return;
  out.real(totals_.largest);
  for (std::size_t i = 0; i < settings_.particles; ++i) out.real(log_weight(i));
}

bool Population::unpack_outcome(ByteReader& in) {
  begin({});
  if (workers_.heap().used() > 0) workers_.collect_if_due();
  if (!outcome_.read(in) || failure() || !alive()) return in.ok();
  totals_.largest = in.real();
  for (std::size_t i = 0; i < settings_.particles; ++i) particles_.weights.log(i) = in.real();
  if (in.ok()) particles_.weights.weigh(workers_, false, totals_.largest);
  return in.ok();
}

bool Population::pack_particles(ByteWriter& out, std::size_t from, std::size_t to,
                                std::string* problem) const {
  ValueWriter values(out, setup().byte_names);
  std::unordered_map<const Predicts*, std::uint64_t> known;  // from 1 on
  std::vector<const Predicts*> fresh;
  for (std::size_t i = from; i < to; ++i) {
    const Execution& x = particles_.states.now[i];
    out.real(particles_.weights.log(i));
    out.number(x.applications);
    fresh.clear();
    const Predicts* p = x.predicts;
    for (; p && !known.contains(p); p = p->previous) fresh.push_back(p);
    out.number(p ? known[p] : 0);
    out.number(fresh.size());
    for (auto node = fresh.rbegin(); node != fresh.rend(); ++node) {
      known.emplace(*node, known.size() + 1);
      if (!values.write((*node)->label) || !values.write((*node)->value)) {
        *problem = "the value of " + show((*node)->label) + ": " + values.problem();
        return false;
      }
    }
    if (!values.write(particles_.states.results[i])) {
      *problem = "the result: " + values.problem();
      return false;
    }
  }
  return true;
}

bool Population::unpack_particles(ByteReader& in, std::size_t from, std::size_t to) {
  Arena& arena = workers_.machine().arena();
  ValueReader values(in, arena, setup().byte_names);
  std::vector<Predicts*> known{nullptr};
  for (std::size_t i = from; i < to && in.ok(); ++i) {
    particles_.weights.log(i) = in.real();
    Execution& x = particles_.states.now[i];
    x = {};
    x.applications = in.number();
    const std::uint64_t base = in.number();
    if (base >= known.size()) return in.fail("a particle shares what has not been sent");
    x.predicts = known[base];
    for (std::uint64_t left = in.count(2); left > 0; --left) {
      Value label = Value::nil(), value = Value::nil();
      if (!values.read(&label) || !values.read(&value)) return false;
      auto* p = arena.make<Predicts>(Tag::Predicts);
      p->previous = x.predicts;
      p->label = label;
      p->value = value;
      x.predicts = p;
      known.push_back(p);
    }
    if (!values.read(&particles_.states.results[i])) return false;
  }
  return in.ok();
}

}  // namespace chancel
