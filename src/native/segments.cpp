// SPDX-License-Identifier: Apache-2.0
// See segments.hpp.
#include "native/segments.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "native/emit_c.hpp"

namespace chancel::native {

namespace {
constexpr std::size_t kPiece = std::size_t{150} << 10;  // pieces are compiled at the same time
// Bytes, in all: the text grows with the program, but not with the ways through it. Some 6000 lines of a program.
constexpr std::size_t kMostText = std::size_t{2} << 20, kLeastText = std::size_t{64} << 10;
constexpr std::size_t kTextOfInstruction = 200;  // of the program, however often it is translated
constexpr std::size_t kBytesOfValue = 50;        // of C, about
}  // namespace

Segments make_segments(const Prefix& prefix, const Value* globals, const Heap* run,
                       NativeContext& context, const SegmentChoices& choices) {
  using segment::Form;
  using segment::Function;
  Segments out;
  Tables tables;
  segment::Start start{prefix.at, std::nullopt, prefix.site};
  if (prefix.kind == Stop::Sample) start.draws_from = prefix.dist;
  segment::SegmentLowering lowering(start, globals, run, context, choices.futures);
  std::size_t length = 0;             // of the pieces that are done
  std::size_t made = 0, futures = 1;  // segments; the first has no future
  std::string text;
  const auto room = [&] {
    const std::size_t most = std::min(kMostText, kLeastText + kTextOfInstruction * lowering.met());
    const std::size_t now = length + text.size();
    return now < most ? (most - now) / kBytesOfValue : 0;
  };
  const auto timed = [&](std::string_view name, const auto& step) {
    if (!choices.observer) return step();
    const auto begun = std::chrono::steady_clock::now();
    step();
    choices.observer(
        name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  };
  segment::PassObserver pass_observer;
  if (choices.observer)
    pass_observer = [&](const segment::Pass& pass, const Function&, double seconds) {
      choices.observer(pass.name, seconds);
    };
  while (const std::size_t left = room()) {
    std::optional<Function> f;
    timed("lower", [&] { f = lowering.next(left); });
    if (!f) break;
    segment::run_passes(*f, choices.wanted, pass_observer);
    if (choices.forms) out.forms += segment::print(*f);
    (f->form == Form::Segment ? made : futures) = f->number + 1;
    if (choices.evaluated) {
      auto& to = f->form == Form::Segment ? out.functions : out.futures;
      to.resize(f->number);
      length += kBytesOfValue * f->values.size();
      to.push_back(std::move(*f));
      continue;
    }
    timed("emit", [&] { text += emit_c(*f, tables); });
    if (text.size() < kPiece) continue;
    length += text.size();
    out.texts.push_back(std::exchange(text, {}));
  }
  std::string in_blocks;  // the points that may have headerless rows
  std::size_t points = 0;
  for (; points < lowering.points(); ++points)
    in_blocks += emit_c_point(points, lowering.in_blocks(points));
  for (std::size_t i = made; i < points; ++i) text += emit_c_stub(Form::Segment, i);
  for (std::size_t i = futures; i < points && choices.futures; ++i)
    text += emit_c_stub(Form::Future, i);
  out.worthwhile = lowering.worthwhile();
  out.exits = lowering.exits();
  out.points = lowering.take_points();
  out.constants = std::move(tables.constants);
  out.pointers = std::move(tables.pointers);
  out.functions.resize(points);
  out.futures.resize(points);
  if (choices.evaluated) return out;
  if (out.texts.empty() || !text.empty()) out.texts.push_back(std::move(text));
  for (std::string& piece : out.texts) piece = in_blocks + piece;
  return out;
}

}  // namespace chancel::native
