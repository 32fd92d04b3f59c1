// SPDX-License-Identifier: Apache-2.0
// See flow_outputs.hpp.
#include "record/flow_outputs.hpp"

#include <algorithm>
#include <set>

#include "record/substitute.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/metadata.hpp"

namespace chancel {

namespace {
constexpr std::size_t kDeepest = 16;  // levels of vectors and maps; deeper ones are made as a whole
}

FlowOutputs::FlowOutputs(NativeContext& cx, Dataflow& flow) : flow_(flow) {
  for (const Predicts* p = flow.end.predicts; p; p = p->previous)
    items_.push_back({p->label, p->value, Value::nil()});
  std::reverse(items_.begin(), items_.end());
  items_.push_back({Value::nil(), flow.result, Value::nil()});
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    find_places(cx, i);
    items_[i].now = present(cx, items_[i].shape);
  }
  std::stable_sort(places_.begin(), places_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  first_place_.assign(flow.size() + 1, 0);
  for (const auto& [node, place] : places_) {
    flow.node(node).shown = true;
    ++first_place_[node + 1];
  }
  for (std::size_t i = 0; i < flow.size(); ++i) first_place_[i + 1] += first_place_[i];
  cells_.resize(items_.size() - 1);
  make_cells(*cx.arena, 0);
}

Value FlowOutputs::present(NativeContext& cx, const Value& shape) const {
  return substitute(cx, shape, ValueOf([&](NodeIndex i) { return flow_.node(i).value; }));
}

void FlowOutputs::find_places(NativeContext& cx, std::uint32_t item) {
  struct Open {
    Value at;
    std::vector<Value> steps;
  };
  std::vector<Open> open{{items_[item].shape, {}}};
  while (!open.empty()) {
    const Open here = std::move(open.back());
    open.pop_back();
    cx.tick();
    if (here.at.is(Tag::Node)) {
      places_.push_back({static_cast<NodeIndex>(here.at.bits),
                         {item, static_cast<std::uint32_t>(steps_.size()),
                          static_cast<std::uint32_t>(here.steps.size())}});
      steps_.insert(steps_.end(), here.steps.begin(), here.steps.end());
      continue;
    }
    if (!here.at.is_object() || !holds_nodes(cx, here.at)) continue;
    const auto look = [&](const Value& step, const Value& part) {
      if (!may_hold_nodes(part)) return;
      open.push_back({part, here.steps});
      open.back().steps.push_back(step);
    };
    const bool deep = here.steps.size() == kDeepest || has_meta(here.at);
    if (!deep && here.at.is(Tag::Vector)) {
      for (std::uint32_t i = 0; i < here.at.as<Vector>()->count; ++i)
        look(Value::integer(i), vector_nth(here.at.as<Vector>(), i));
    } else if (!deep && is_map(here.at) && !here.at.is(Tag::Record)) {
      map_each(here.at, [&](const Value& key, const Value& part) { look(key, part); });
    } else {
      items_[item].whole = true;
      substitute(cx, here.at, ValueOf([&](NodeIndex i) {
                   places_.push_back({i, {item, 0, 0}});
                   return flow_.node(i).value;
                 }));
    }
  }
}

void FlowOutputs::touch(NodeIndex i) {
  FlowNode& n = flow_.node(i);
  if (!n.shown || n.touched) return;
  n.touched = true;
  touched_.push_back(i);
}

// Where a predict has nodes inside other things than vectors and maps, they need not be seen: they may
// be metadata, or stand before the first element of a sequence.
bool FlowOutputs::other_predicts(NativeContext& cx,
                                 std::span<const Dataflow::Changed> changes) const {
  std::set<std::uint32_t> whole;
  for (const Dataflow::Changed& c : changes) {
    const FlowNode& n = flow_.node(c.node);
    if (!n.shown || equal(n.value, c.before)) continue;
    for (std::uint32_t k = first_place_[c.node]; k < first_place_[c.node + 1]; ++k) {
      const std::uint32_t item = places_[k].second.item;
      if (item + 1 == items_.size()) continue;  // the result
      if (!items_[item].whole) return true;
      whole.insert(item);
    }
  }
  const auto before = [&](NodeIndex i) {
    const auto c = std::find_if(changes.begin(), changes.end(),
                                [&](const Dataflow::Changed& at) { return at.node == i; });
    return c == changes.end() ? flow_.node(i).value : c->before;
  };
  return std::any_of(whole.begin(), whole.end(), [&](std::uint32_t item) {
    const Value& shape = items_[item].shape;
    return !equal(substitute(cx, shape, ValueOf(before)), present(cx, shape));
  });
}

Value FlowOutputs::put(Arena& arena, const Value& into, const Value* step, std::uint32_t steps,
                       const Value& value) {
  if (steps == 0) return value;
  if (into.is(Tag::Vector)) {
    const auto i = static_cast<std::uint32_t>(step->i);
    return vector_assoc(arena, into, i,
                        put(arena, vector_nth(into.as<Vector>(), i), step + 1, steps - 1, value));
  }
  return map_assoc(arena, into, *step,
                   put(arena, *map_find(into, *step), step + 1, steps - 1, value));
}

bool FlowOutputs::refresh(NativeContext& cx) {
  std::size_t from = items_.size();
  for (const NodeIndex i : touched_) {
    flow_.node(i).touched = false;
    for (std::uint32_t k = first_place_[i]; k < first_place_[i + 1]; ++k) {
      const Place& place = places_[k].second;
      Item& item = items_[place.item];
      if (item.whole)
        item.now = Value::nil();  // made below
      else
        item.now = put(*cx.arena, item.now, steps_.data() + place.first_step, place.steps,
                       flow_.node(i).value);
      from = std::min<std::size_t>(from, place.item);
    }
  }
  touched_.clear();
  for (std::size_t i = from; i < items_.size(); ++i)
    if (items_[i].whole && items_[i].now.is_nil()) items_[i].now = present(cx, items_[i].shape);
  make_cells(*cx.arena, from);
  return cx.ok();
}

void FlowOutputs::make_cells(Arena& arena, std::size_t from) {
  for (std::size_t i = from; i < cells_.size(); ++i) {
    auto* cell = arena.make<Predicts>(Tag::Predicts);
    cell->previous = i == 0 ? nullptr : cells_[i - 1];
    cell->label = items_[i].label;
    cell->value = items_[i].now;
    cells_[i] = cell;
  }
}

std::size_t FlowOutputs::bytes() const {
  return items_.capacity() * sizeof(Item) + cells_.capacity() * sizeof(Predicts*) +
         places_.capacity() * sizeof(places_[0]) + first_place_.capacity() * 4 +
         steps_.capacity() * sizeof(Value);
}

void FlowOutputs::visit(Evacuator& e) {
  for (Item& item : items_) {
    e.visit(item.label);
    e.visit(item.shape);
    e.visit(item.now);
  }
  for (Predicts*& cell : cells_) e.visit(cell);
  for (Value& step : steps_) e.visit(step);
}

}  // namespace chancel
