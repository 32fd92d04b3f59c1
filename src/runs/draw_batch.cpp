// SPDX-License-Identifier: Apache-2.0
// See draw_batch.hpp.
#include "runs/draw_batch.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "runs/printable.hpp"
#include "runs/query_stream.hpp"
#include "value/collections.hpp"
#include "value/print.hpp"
#include "vm/run_state.hpp"

namespace chancel {

namespace {
constexpr std::size_t kMostChecked = 1024;
}  // namespace

DrawBatch::DrawBatch(const RunSetup& setup)
    : run_(setup.run), heap_(setup.max_memory, setup.budget) {}

void DrawBatch::check_printable(const Value& v, const Value* label) {
  NativeContext cx(*arena_);
  cx.watch = cx.run = run_;
  if (can_be_printed(cx, v)) return;
  throw RunStopped{{Code::R009,
                    Severity::Error,
                    {},
                    label ? fmt::format("predict: the value of {} is infinite", show(*label))
                          : "the result of the query is infinite",
                    "take a part of it first, as in (take 10 xs)",
                    {}}};
}

void DrawBatch::add(const EngineDraw& draw, std::span<const Heap* const> outlive) {
  KeptDraw kept;
  kept.raw = draw;
  kept.predicts = ordered_predicts(draw.predicts);
  const auto stays = [=](const Object* o) {
    return std::find(outlive.begin(), outlive.end(), block_of(o)->heap) != outlive.end();
  };
  const auto moves = [&](const Value& v) { return v.is_object() && !stays(v.o); };
  // A constant of the query is in many draws: one look at it is enough.
  const auto check = [&](const Value& v, const Value* label) {
    if (!v.is_object() || (stays(v.o) && !checked_.insert(v.o).second)) return;
    check_printable(v, label);
  };
  if (checked_.size() > kMostChecked) checked_.clear();
  for (const auto& [label, value] : kept.predicts) check(value, &label);
  check(draw.result, nullptr);
  bool objects = moves(draw.result);
  for (const auto& [label, value] : kept.predicts)
    objects = objects || moves(label) || moves(value);
  if (objects) {
    // One scaffold value, so that sharing inside the draw is kept by a single copy.
    flat_.clear();
    for (const auto& [label, value] : kept.predicts) {
      flat_.push_back(label);
      flat_.push_back(value);
    }
    flat_.push_back(draw.result);
    auto* all = arena_->make<ValueArray>(Tag::ValueArray, bytes_with<ValueArray>(flat_.size()));
    all->count = flat_.size();
    std::copy(flat_.begin(), flat_.end(), all->values);
    const Value copied = deep_copy(Value::object(all), *arena_, stays);
    const Value* at = copied.as<ValueArray>()->values;
    for (auto& [label, value] : kept.predicts) {
      label = *at++;
      value = *at++;
    }
    kept.raw.result = *at;
  }
  draws.push_back(std::move(kept));
}

}  // namespace chancel
