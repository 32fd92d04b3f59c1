// SPDX-License-Identifier: Apache-2.0
// See report_bytes.hpp.
#include "infer/report_bytes.hpp"

namespace chancel {

namespace {

// What EngineStatistics has in fields of fixed size; one list for writing and reading.
template <class Statistics, class Each>
void each_number(Statistics& s, Each&& each) {
  each(s.has_log_evidence);
  each(s.log_evidence);
  each(s.log_evidence_se);
  each(s.evidence_parts);
  each(s.warmup);
  each(s.proposals);
  each(s.accepted);
  each(s.likelihood_variance);
  each(s.suggested_particles);
  each(s.temperatures);
  each(s.lowest_acceptance);
  each(s.lowest_acceptance_at);
  each(s.saturated);
  each(s.independent);
  each(s.resamplings);
  each(s.mean_ess);
  each(s.min_ess);
  each(s.min_ess_site);
  each(s.mean_distinct_ancestors);
  each(s.simulations);
  each(s.particle_steps);
  each(s.applications);
  each(s.zero_weight);
  each(s.peak_memory);
  each(s.left_out);
}

}  // namespace

void write(ByteWriter& out, const Diagnostic& d) {
  out.number(static_cast<std::uint64_t>(d.code));
  out.byte(static_cast<std::uint8_t>(d.severity));
  write_plain(out, d.span);
  out.text(d.message);
  out.text(d.hint);
  out.number(d.notes.size());
  for (const DiagnosticNote& note : d.notes) {
    write_plain(out, note.span);
    out.text(note.text);
  }
}

void read(ByteReader& in, Diagnostic* d) {
  const std::uint64_t code = in.number();
  if (code >= code_count()) in.fail("a message has a code that there is not");
  d->code = static_cast<Code>(code);
  d->severity = static_cast<Severity>(in.byte());
  read_plain(in, &d->span);
  d->message = in.text();
  d->hint = in.text();
  d->notes.resize(in.count());
  for (DiagnosticNote& note : d->notes) {
    read_plain(in, &note.span);
    note.text = in.text();
  }
}

void write(ByteWriter& out, const BarrierStatistics& b) { write_plain(out, b); }
void read(ByteReader& in, BarrierStatistics* b) { read_plain(in, b); }
void write(ByteWriter& out, const EngineDescent& d) { write_plain(out, d); }
void read(ByteReader& in, EngineDescent* d) { read_plain(in, d); }

void write(ByteWriter& out, const EngineStatistics& s) {
  each_number(s, [&](const auto& field) { write_plain(out, field); });
  out.number(s.moves.size());
  for (const SiteMoves& moves : s.moves) write_plain(out, moves);
  out.number(s.places.all().size());
  for (const PlaceMoments& place : s.places.all()) {
    write_plain(out, place.site);
    write_plain(out, place.ordinal);
    write_plain(out, place.sense);
    write_plain(out, place.draws);
    out.number(place.divergences.size());
    for (const double d : place.divergences) out.real(d);
  }
}

void read(ByteReader& in, EngineStatistics* s) {
  each_number(*s, [&](auto& field) { read_plain(in, &field); });
  s->moves.resize(in.count(sizeof(SiteMoves)));
  for (SiteMoves& moves : s->moves) read_plain(in, &moves);
  std::vector<PlaceMoments> places(in.count());
  for (PlaceMoments& place : places) {
    read_plain(in, &place.site);
    read_plain(in, &place.ordinal);
    read_plain(in, &place.sense);
    read_plain(in, &place.draws);
    place.divergences.resize(in.count(sizeof(double)));
    for (double& d : place.divergences) d = in.real();
  }
  s->places = DivergencePlaces(std::move(places));
}

}  // namespace chancel
