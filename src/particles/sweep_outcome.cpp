// SPDX-License-Identifier: Apache-2.0
// See sweep_outcome.hpp.
#include "particles/sweep_outcome.hpp"

#include "infer/report_bytes.hpp"

namespace chancel {

void SweepOutcome::begin() {
  failure.reset();
  alive = aligned = true;
  fragile = false;
  evidence_error = {};
  applications = particle_steps = proposals = accepted = 0;
  barriers.clear();
}

void SweepOutcome::write(ByteWriter& out) const {
  out.byte(failure.has_value());
  if (failure) {
    chancel::write(out, *failure);
    return;
  }
  out.byte(alive);
  out.byte(fragile);
  out.byte(observed);
  out.byte(aligned);
  out.byte(estimated);
  out.number(unaligned_site);
  out.real(log_evidence);
  write_plain(out, evidence_error);
  out.number(applications);
  out.number(particle_steps);
  out.number(proposals);
  out.number(accepted);
  out.number(barriers.size());
  for (const BarrierStatistics& b : barriers) chancel::write(out, b);
}

bool SweepOutcome::read(ByteReader& in) {
  if (in.byte()) {
    chancel::read(in, &failure.emplace());
    return in.ok();
  }
  alive = in.byte();
  fragile = in.byte();
  observed = in.byte();
  aligned = in.byte();
  estimated = in.byte();
  unaligned_site = static_cast<std::uint32_t>(in.number());
  log_evidence = in.real();
  read_plain(in, &evidence_error);
  applications = in.number();
  particle_steps = in.number();
  proposals = in.number();
  accepted = in.number();
  barriers.resize(in.count(sizeof(BarrierStatistics)));
  for (BarrierStatistics& b : barriers) chancel::read(in, &b);
  return in.ok();
}

}  // namespace chancel
