// SPDX-License-Identifier: Apache-2.0
// See tempered_ranks.hpp.
#include "tempering/tempered_ranks.hpp"

#include "infer/report_bytes.hpp"

namespace chancel {

namespace {

Diagnostic damaged(const ByteReader& in) {
  return {Code::X001, Severity::Error,
          {},         "a message between ranks is damaged: " + in.problem(),
          "",         {}};
}

}  // namespace

std::optional<Diagnostic> TemperedRanks::exchange(const std::optional<Failure>& mine,
                                                  ByteWriter& written, const Read& read) {
  if (!ranks_) return mine ? std::optional(mine->why) : std::nullopt;
  ByteWriter out;
  out.byte(mine.has_value());
  if (mine) {
    out.number(mine->at);
    write(out, mine->why);
  } else {
    out.raw(written.bytes());
  }
  const std::vector<std::string> all = ranks_->all_gather(out.take());
  std::optional<Failure> first;
  for (const std::string& message : all) {
    ByteReader in(message);
    if (!in.byte()) continue;
    Failure failure{in.number(), {}};
    chancel::read(in, &failure.why);
    if (!in.done()) return damaged(in);
    if (!first || failure.at < first->at) first = std::move(failure);
  }
  if (first) return std::move(first->why);
  for (unsigned r = 0; r < all.size(); ++r) {
    if (r == rank()) continue;
    ByteReader in(all[r]);
    in.byte();
    read(r, in);
    if (!in.done()) return damaged(in);
  }
  return std::nullopt;
}

void TemperedRanks::give(std::string bytes, const std::optional<Diagnostic>& failure) {
  ByteWriter out;
  out.byte(failure.has_value());
  if (failure)
    write(out, *failure);
  else
    out.raw(bytes);
  ranks_->send(0, kSweepTag, out.take());
}

std::optional<Diagnostic> TemperedRanks::take(const Read& read) {
  for (unsigned r = 1; r < size(); ++r) {
    const std::string message = ranks_->receive(r, kSweepTag);
    ByteReader in(message);
    if (in.byte()) {
      Diagnostic why{};
      chancel::read(in, &why);
      return in.done() ? std::move(why) : damaged(in);
    }
    read(r, in);
    if (!in.done()) return damaged(in);
  }
  return std::nullopt;
}

}  // namespace chancel
