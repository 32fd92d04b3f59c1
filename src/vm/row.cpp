// SPDX-License-Identifier: Apache-2.0
// See row.hpp.
#include "vm/row.hpp"

#include <algorithm>

namespace chancel {

namespace {

Tag tag_in(SlotIn in) {
  return in == SlotIn::Int ? Tag::Int : in == SlotIn::Double ? Tag::Double : Tag::Bool;
}

std::uint64_t* numbers_of(Row* row, const RestPoint& p) {
  return reinterpret_cast<std::uint64_t*>(row->values + p.values);
}

bool same_values(const Common* a, const Common* b) {
  return a->point == b->point &&
         std::equal(a->values, a->values + a->count, b->values, [](const Value& x, const Value& y) {
           return x.tag == y.tag && x.bits == y.bits;
         });
}

}  // namespace

bool ValueRule::holds(const Value& v) const {
  if (constant) return v.tag == constant->tag && v.bits == constant->bits;
  if (tag && v.tag != *tag) return false;
  if (!kind) return true;
  switch (v.tag) {
    case Tag::Closure: {
      const auto* c = v.as<Closure>();
      if (c->proto != kind) return false;
      for (std::size_t i = 0; i < held.size(); ++i)
        if (!held[i].holds(c->captured[i])) return false;
      return true;
    }
    case Tag::Dist:
      return v.as<Dist>()->type == kind;
    case Tag::Process:
      return v.as<Process>()->type == kind;
    default:
      return false;
  }
}

Frame* frames_of(Arena& arena, const Row* row) {
  const RestPoint& p = *row->common->point;
  const auto* numbers = reinterpret_cast<const std::uint64_t*>(row->values + p.values);
  Frame* below = nullptr;
  std::vector<Value> slots;
  for (const RestFrame& f : p.frames) {
    slots.clear();
    for (const SlotPlace& s : f.slots) {
      switch (s.in) {
        case SlotIn::Nowhere:
          slots.push_back(Value::nil());
          break;
        case SlotIn::Constant:
          slots.push_back(p.constants[s.index]);
          break;
        case SlotIn::Common:
          slots.push_back(row->common->values[s.index]);
          break;
        case SlotIn::Value:
          slots.push_back(row->values[s.index]);
          break;
        default:
          slots.push_back(Value::make(tag_in(s.in), numbers[s.index]));
      }
    }
    below = freeze(arena, below, f.code, f.pc, f.dst, f.kind, slots.data(),
                   static_cast<std::uint32_t>(slots.size()));
  }
  return below;
}

Row* row_of(Arena& arena, const RestPoint& p, const Frame* top, const Common* like) {
  const Frame* frame = top;
  for (auto f = p.frames.rbegin(); f != p.frames.rend(); ++f, frame = frame->below)
    if (!frame || frame->code != f->code || frame->pc != f->pc || frame->dst != f->dst ||
        frame->kind != f->kind || frame->count != f->slots.size())
      return nullptr;
  if (frame) return nullptr;
  auto* common = static_cast<Common*>(arena.allocate(Tag::Common, bytes_with<Common>(p.common)));
  common->point = &p;
  common->count = p.common;
  auto* row = static_cast<Row*>(arena.allocate(Tag::Row, row_bytes(p)));
  row->aux = static_cast<std::uint16_t>(p.values);
  row->common = common;
  frame = top;
  for (auto f = p.frames.rbegin(); f != p.frames.rend(); ++f, frame = frame->below)
    for (std::size_t i = 0; i < f->slots.size(); ++i) {
      const SlotPlace s = f->slots[i];
      const Value& v = frame->slots[i];
      if (s.rule && !p.rules[s.rule - 1].holds(v)) return nullptr;
      switch (s.in) {
        case SlotIn::Nowhere:
          break;
        case SlotIn::Constant:
          if (v.tag != p.constants[s.index].tag || v.bits != p.constants[s.index].bits)
            return nullptr;
          break;
        case SlotIn::Common:
          common->values[s.index] = v;
          break;
        case SlotIn::Value:
          row->values[s.index] = v;
          break;
        default:
          if (v.tag != tag_in(s.in)) return nullptr;
          numbers_of(row, p)[s.index] = v.bits;
      }
    }
  if (like && same_values(common, like)) row->common = const_cast<Common*>(like);
  return row;
}

}  // namespace chancel
