// SPDX-License-Identifier: Apache-2.0
// See draw_bytes.hpp.
#include "runs/draw_bytes.hpp"

#include <fmt/format.h>

#include "infer/report_bytes.hpp"
#include "value/print.hpp"

namespace chancel {

namespace {
enum : std::uint8_t { kHasMove = 1, kHasVariational = 2 };
}

bool DrawPacker::add(const Value& v, const Value* label) {
  if (values_.write(v)) return true;
  problem_ = fmt::format("{}: {}", label ? "the value of " + show(*label) : "the result",
                         values_.problem());
  return false;
}

bool DrawPacker::add(const KeptDraw& draw) {
  const EngineDraw& raw = draw.raw;
  const bool variational = !raw.variational.is_nil();
  out_.byte(
      static_cast<std::uint8_t>((raw.move ? kHasMove : 0) | (variational ? kHasVariational : 0)));
  out_.real(raw.log_weight);
  out_.real(raw.log_joint);
  if (raw.move) write_plain(out_, *raw.move);
  out_.number(raw.observes.size());
  for (const ObserveScore& o : raw.observes) write_plain(out_, o);
  out_.number(raw.sweep);
  out_.number(raw.chain);
  out_.number(raw.applications);
  out_.number(draw.run_simulations);
  out_.number(draw.run_applications);
  out_.real(draw.run_seconds);
  out_.number(draw.predicts.size());
  for (const auto& [label, value] : draw.predicts)
    if (!add(label, &label) || !add(value, &label)) return false;
  return add(raw.result, nullptr) && (!variational || add(raw.variational, nullptr));
}

bool unpack_draws(ByteReader& in, std::uint64_t count, const ByteNames* names, DrawBatch& batch) {
  ValueReader values(in, batch.arena(), names);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) {
    KeptDraw& draw = batch.draws.emplace_back();
    EngineDraw& raw = draw.raw;
    const std::uint8_t has = in.byte();
    raw.log_weight = in.real();
    raw.log_joint = in.real();
    if (has & kHasMove) read_plain(in, &raw.move.emplace());
    raw.observes.resize(in.count(sizeof(ObserveScore)));
    for (ObserveScore& o : raw.observes) read_plain(in, &o);
    raw.sweep = in.number();
    raw.chain = static_cast<std::uint32_t>(in.number());
    raw.applications = in.number();
    draw.run_simulations = in.number();
    draw.run_applications = in.number();
    draw.run_seconds = in.real();
    draw.predicts.resize(in.count(2), {Value::nil(), Value::nil()});
    for (auto& [label, value] : draw.predicts)
      if (!values.read(&label) || !values.read(&value)) return false;
    if (!values.read(&raw.result)) return false;
    if (has & kHasVariational && !values.read(&raw.variational)) return false;
  }
  return in.ok();
}

}  // namespace chancel
