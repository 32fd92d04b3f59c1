// SPDX-License-Identifier: Apache-2.0
// A sweep as bytes, from the process that ran it to the one that has the draws. Particles are what
// they predict, their results, and what they cost. Predicts of relatives are lists with a common end,
// which is sent once.
#include <unordered_map>

#include "infer/report_bytes.hpp"
#include "particles/population.hpp"
#include "value/bytes.hpp"
#include "value/print.hpp"

namespace chancel {

void Population::pack_outcome(ByteWriter& out) const {
  out.byte(failure_.has_value());
  if (failure_) {
    write(out, *failure_);
    return;
  }
  out.byte(alive_);
  out.byte(fragile_);
  out.byte(observed_);
  out.byte(aligned_);
  out.byte(estimated_);
  out.number(unaligned_site_);
  out.real(log_evidence_);
  write_plain(out, evidence_error_);
  out.number(applications_);
  out.number(particle_steps_);
  out.number(proposals());
  out.number(accepted());
  out.number(barriers_.size());
  for (const BarrierStatistics& b : barriers_) write(out, b);
  if (!alive_) return;
  out.real(largest_);
  for (std::size_t i = 0; i < settings_.particles; ++i) out.real(weights_.log(i));
}

bool Population::unpack_outcome(ByteReader& in) {
  begin({});
  if (workers_.heap().used() > 0) workers_.collect_if_due();
  if (in.byte()) {
    read(in, &failure_.emplace());
    return in.ok();
  }
  alive_ = in.byte();
  fragile_ = in.byte();
  observed_ = in.byte();
  aligned_ = in.byte();
  estimated_ = in.byte();
  unaligned_site_ = static_cast<std::uint32_t>(in.number());
  log_evidence_ = in.real();
  read_plain(in, &evidence_error_);
  applications_ = in.number();
  particle_steps_ = in.number();
  other_proposals_ = in.number();
  other_accepted_ = in.number();
  barriers_.resize(in.count(sizeof(BarrierStatistics)));
  for (BarrierStatistics& b : barriers_) read(in, &b);
  if (!alive_ || !in.ok()) return in.ok();
  largest_ = in.real();
  for (std::size_t i = 0; i < settings_.particles; ++i) weights_.log(i) = in.real();
  if (in.ok()) weights_.weigh(workers_, false, largest_);
  return in.ok();
}

bool Population::pack_particles(ByteWriter& out, std::size_t from, std::size_t to,
                                std::string* problem) const {
  ValueWriter values(out, workers_.setup().byte_names);
  std::unordered_map<const Predicts*, std::uint64_t> known;  // from 1 on
  std::vector<const Predicts*> fresh;
  for (std::size_t i = from; i < to; ++i) {
    const Execution& x = current_[i];
    out.real(weights_.log(i));
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
    if (!values.write(results_[i])) {
      *problem = "the result: " + values.problem();
      return false;
    }
  }
  return true;
}

bool Population::unpack_particles(ByteReader& in, std::size_t from, std::size_t to) {
  Arena& arena = workers_.machine().arena();
  ValueReader values(in, arena, workers_.setup().byte_names);
  std::vector<Predicts*> known{nullptr};
  for (std::size_t i = from; i < to && in.ok(); ++i) {
    weights_.log(i) = in.real();
    Execution& x = current_[i];
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
    if (!values.read(&results_[i])) return false;
  }
  return in.ok();
}

}  // namespace chancel
