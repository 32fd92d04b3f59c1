// SPDX-License-Identifier: Apache-2.0
// See row.hpp.
#include "vm/row.hpp"

#include <algorithm>

#include "value/collections.hpp"
#include "value/metadata.hpp"

namespace chancel {

namespace {

Tag tag_in(SlotIn in) {
  return in == SlotIn::Int ? Tag::Int : in == SlotIn::Double ? Tag::Double : Tag::Bool;
}

}  // namespace

bool same_common(const Common* a, const Common* b) {
  return a->point == b->point &&
         std::equal(a->values, a->values + a->count, b->values, [](const Value& x, const Value& y) {
           return x.tag == y.tag && x.bits == y.bits;
         });
}

bool ValueRule::holds(const Value& v) const {
  if (constant) return v.tag == constant->tag && v.bits == constant->bits;
  if (tag && v.tag != *tag) return false;
  if (!kind) return true;
  switch (v.tag) {
    case Tag::Closure: {
      const auto* c = v.as<Closure>();
      if (c->function != kind) return false;
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

namespace {

// The values of a row, with its objects that were not made.
class Unpacked {
 public:
  Unpacked(Arena& arena, const Row* row)
      : arena_(arena), row_(row), point_(*row->common->point), words_(row->words()) {
    for (const VirtualPlace& b : point_.virtual_objects) virtual_objects_.push_back(make(b));
  }

  Value at(const SlotPlace& s) const {
    switch (s.in) {
      case SlotIn::Nowhere:
        return Value::nil();
      case SlotIn::Constant:
        return point_.constants[s.index];
      case SlotIn::Common:
        return row_->common->values[s.index];
      case SlotIn::Value:
        return row_->values[s.index];
      case SlotIn::Pointer:
        return Value::make(point_.tag_of(s), words_[s.index]);
      case SlotIn::Virtual:
        return virtual_objects_[s.index];
      default:
        return Value::make(tag_in(s.in), words_[point_.pointers + s.index]);
    }
  }

 private:
  Value make(const VirtualPlace& b) {
    if (b.tag == Tag::Closure) {
      auto* c = static_cast<Closure*>(
          arena_.allocate(Tag::Closure, bytes_with<Closure>(b.values.size())));
      c->function = b.proto;
      c->aux = static_cast<std::uint16_t>(at(b.numbers[0].place).i);
      for (std::size_t i = 0; i < b.values.size(); ++i) c->captured[i] = at(b.values[i]);
      return Value::object(c);
    }
    if (b.tag == Tag::Vector) {
      std::vector<Value> items;
      for (const SlotPlace& place : b.values) items.push_back(at(place));
      return make_vector(arena_, items.data(), items.size());
    }
    if (b.tag == Tag::ArrayMap) {
      Value map = empty_map(arena_);
      for (std::size_t i = 0; i < b.values.size(); i += 2)
        map = map_assoc(arena_, map, at(b.values[i]), at(b.values[i + 1]));
      return map;
    }
    auto* d = static_cast<Dist*>(
        arena_.allocate(Tag::Dist, bytes_with<Dist>(b.values.size()) + 8 * b.numbers.size()));
    d->type = b.distribution;
    d->value_count = static_cast<std::uint32_t>(b.values.size());
    d->number_count = static_cast<std::uint32_t>(b.numbers.size());
    for (std::size_t i = 0; i < b.values.size(); ++i) d->values[i] = at(b.values[i]);
    for (std::size_t i = 0; i < b.numbers.size(); ++i) {
      const Value n = at(b.numbers[i].place);
      d->numbers()[i] = n.is(Tag::Int) ? static_cast<double>(n.i) : n.d;
    }
    return Value::object(d);
  }

  Arena& arena_;
  const Row* row_;
  const ResumePoint& point_;
  const std::uint64_t* words_;  // pointers, then numbers
  std::vector<Value> virtual_objects_;
};

// Values on their way into a row.
class Packer {
 public:
  Packer(const ResumePoint& point, Row* row)
      : point_(point), row_(row), seen_(point.virtual_objects.size()) {}

  // False: the place is for something else.
  bool put(const SlotPlace& s, const Value& v) {
    if (s.rule && !point_.rules[s.rule - 1].holds(v)) return false;
    switch (s.in) {
      case SlotIn::Nowhere:
        return true;
      case SlotIn::Constant:
        return v.tag == point_.constants[s.index].tag && v.bits == point_.constants[s.index].bits;
      case SlotIn::Common:
        row_->common->values[s.index] = v;
        return true;
      case SlotIn::Value:
        row_->values[s.index] = v;
        return true;
      case SlotIn::Pointer:  // its rule says that it is one
        row_->pointers()[s.index] = v.o;
        return true;
      case SlotIn::Virtual:
        return take_apart(s.index, v);
      default:
        if (v.tag != tag_in(s.in)) return false;
        row_->numbers()[s.index] = v.bits;
        return true;
    }
  }

 private:
  // One object of the resume point has to be one object in the frames, and two have to be two.
  bool take_apart(std::uint32_t index, const Value& v) {
    if (!v.is_object()) return false;
    if (seen_[index]) return seen_[index] == v.o;
    if (std::find(seen_.begin(), seen_.end(), v.o) != seen_.end()) return false;
    seen_[index] = v.o;
    const VirtualPlace& b = point_.virtual_objects[index];
    if (v.tag != b.tag || (v.o->flags & kHasMeta)) return false;
    if (b.tag == Tag::Closure) {
      const auto* c = v.as<Closure>();
      return c->function == b.proto && put_all(b.values, c->captured) &&
             put(b.numbers[0].place, Value::integer(c->aux));
    }
    if (b.tag == Tag::Vector) {
      const auto* const vector = v.as<Vector>();
      if (vector->count != b.values.size()) return false;
      for (std::uint32_t i = 0; i < vector->count; ++i)
        if (!put(b.values[i], vector_nth(vector, i))) return false;
      return true;
    }
    if (b.tag == Tag::ArrayMap) {
      const auto* const map = v.as<ArrayMap>();
      return 2 * map->count == b.values.size() && put_all(b.values, map->entries);
    }
    const auto* d = v.as<Dist>();
    if (d->type != b.distribution || d->value_count != b.values.size() ||
        d->number_count != b.numbers.size() || !put_all(b.values, d->values))
      return false;
    for (std::size_t i = 0; i < b.numbers.size(); ++i)
      if (!b.numbers[i].is_value && !put(b.numbers[i].place, Value::real(d->numbers()[i])))
        return false;
    return true;
  }
  bool put_all(const std::vector<SlotPlace>& places, const Value* values) {
    for (std::size_t i = 0; i < places.size(); ++i)
      if (!put(places[i], values[i])) return false;
    return true;
  }

  const ResumePoint& point_;
  Row* row_;
  std::vector<const Object*> seen_;
};

}  // namespace

Frame* frames_of(Arena& arena, const Row* row) {
  const Unpacked unpacked(arena, row);
  Frame* below = nullptr;
  std::vector<Value> slots;
  for (const ResumeFrame& f : row->common->point->frames) {
    slots.clear();
    for (const SlotPlace& s : f.slots) slots.push_back(unpacked.at(s));
    below = freeze(arena, below, f.code, f.pc, f.dst, f.kind, slots.data(),
                   static_cast<std::uint32_t>(slots.size()));
  }
  return below;
}

Row* row_of(Arena& arena, const ResumePoint& p, const Frame* top, const Common* like) {
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
  Packer packer(p, row);
  for (auto f = p.frames.rbegin(); f != p.frames.rend(); ++f, frame = frame->below)
    for (std::size_t i = 0; i < f->slots.size(); ++i)
      if (!packer.put(f->slots[i], frame->slots[i])) return nullptr;
  if (like && same_common(common, like)) row->common = const_cast<Common*>(like);
  return row;
}

}  // namespace chancel
