// SPDX-License-Identifier: Apache-2.0
// See report_bytes.hpp.
#include "infer/report_bytes.hpp"

namespace chancel {

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

}  // namespace chancel
