// SPDX-License-Identifier: Apache-2.0
// Resume points: where executions stop, how rows are laid out there, and how they are written and
// read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "segment/lowering.hpp"

namespace chancel::segment {

namespace {
constexpr std::size_t kMostVersions = 6;  // of a place
constexpr std::size_t kMostFrames = 24;

bool same_example(const AbstractValue& a, const AbstractValue& b) {
  return a.example.tag == b.example.tag && a.example.bits == b.example.bits;
}
std::string state_key(const std::vector<AbstractFrame>& frames) {
  StateKey key(false);
  for (const AbstractFrame& f : frames)
    for (const AbstractValue& k : f.slots) key.add(k);
  return key.text();
}
std::string state_key(const AbstractValue& k) {
  StateKey key(false);
  key.add(k);
  return key.text();
}

// What holds of two states, slot by slot. Objects that were not made are the same in the result where they are in both.
class Join {
 public:
  AbstractValue operator()(const AbstractValue& a, const AbstractValue& b);

 private:
  static AbstractValue anything(const AbstractValue& a, const AbstractValue& b);
  AbstractValue join_virtual(const AbstractValue& a, const AbstractValue& b);
  std::map<const VirtualObject*, std::pair<const VirtualObject*, AbstractValue>> by_first_;
  std::map<const VirtualObject*, const VirtualObject*> by_second_;
};

AbstractValue Join::operator()(const AbstractValue& a, const AbstractValue& b) {
  if (a.is_nothing() || b.is_nothing()) return AbstractValue{};
  if (a.is_virtual() && b.is_virtual()) return join_virtual(a, b);
  if (!a.is_virtual() && !b.is_virtual() && state_key(a) == state_key(b)) {
    AbstractValue k = a;
    if (!same_example(a, b)) k.example = Value::node(0);
    return k;
  }
  return anything(a, b);
}

AbstractValue Join::anything(const AbstractValue& a, const AbstractValue& b) {
  AbstractValue k;
  k.kind = a.is_uniform() && b.is_uniform() ? AbstractValue::Kind::Uniform
                                            : AbstractValue::Kind::Varying;
  k.type = a.type == b.type ? a.type : Type::Any;
  if (a.tag == b.tag) k.tag = a.tag;
  if (a.proto == b.proto) k.proto = a.proto;
  if (a.distribution == b.distribution) k.distribution = a.distribution;
  if (a.process == b.process) k.process = a.process;
  if (a.shape == b.shape) k.shape = a.shape;
  if (a.guess == b.guess) k.guess = a.guess;
  if (same_example(a, b)) k.example = a.example;
  return k;
}

AbstractValue Join::join_virtual(const AbstractValue& a, const AbstractValue& b) {
  const VirtualObject *left = a.virtual_object.get(), *right = b.virtual_object.get();
  const auto known = by_first_.find(left);
  const auto other = by_second_.find(right);
  if (known != by_first_.end() || other != by_second_.end()) {
    const bool met = known != by_first_.end() && known->second.first == right;
    return met ? known->second.second : anything(a, b);
  }
  if (a.tag != b.tag || a.proto != b.proto || a.distribution != b.distribution ||
      left->values.size() != right->values.size() || left->maker != right->maker)
    return anything(a, b);
  if (a.tag == Tag::ArrayMap)
    for (std::size_t i = 0; i < left->values.size(); i += 2)
      if (left->values[i].value.bits != right->values[i].value.bits) return anything(a, b);
  auto both = std::make_shared<VirtualObject>(*left);
  both->depth = std::max(left->depth, right->depth);
  for (std::size_t i = 0; i < both->values.size(); ++i)
    both->values[i] = (*this)(left->values[i], right->values[i]);
  for (const VirtualObject::Number& n :
       both->numbers)  // numbers of both kinds are none that code can use
    if (n.value && !both->values[*n.value].is_number()) return anything(a, b);
  for (std::size_t i = 0; i < both->numbers.size(); ++i)
    if (!both->numbers[i].value)
      both->numbers[i].known = (*this)(left->numbers[i].known, right->numbers[i].known);
  AbstractValue k = a;
  k.virtual_object = std::move(both);
  by_first_.emplace(left, std::pair{right, k});
  by_second_.emplace(right, left);
  return k;
}

// A vector or map that is a constant, where the other state has one of fields: joined, both would have to be made, so they
// are states of their own.
bool differ_in_form(const AbstractValue& a, const AbstractValue& b) {
  const auto collection = [](const AbstractValue& k) {
    return k.tag == Tag::Vector || k.tag == Tag::ArrayMap;
  };
  return a.is_uniform() && collection(a) && b.is_virtual() && b.tag == a.tag;
}

// Something that was not made in one of them would have to be made for the other.
bool must_be_made(const AbstractValue& is, const AbstractValue& wanted) {
  if (!is.is_virtual()) return false;
  if (!wanted.is_virtual()) return !wanted.is_nothing();
  for (std::size_t i = 0; i < is.virtual_object->values.size(); ++i)
    if (must_be_made(is.virtual_object->values[i], wanted.virtual_object->values[i])) return true;
  return false;
}
}  // namespace

bool Lowering::live(const AbstractFrame& frame, bool top, std::size_t slot) {
  if (!top && frame.kind != FrameKind::Normal) return true;
  const Liveness& l = liveness(frame.code);
  if (slot == 0) return l.needs_function(frame.pc);
  return (slot - 1 != frame.dst) && l.live(frame.pc, static_cast<std::uint32_t>(slot - 1));
}

// At a label no frame waits for a value but those below the top.
void Lowering::drop_dead(std::vector<AbstractFrame>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    AbstractFrame& f = frames[i];
    const bool top = i + 1 == frames.size();
    const Liveness& l = liveness(f.code);
    for (std::size_t s = 0; s < f.slots.size(); ++s) {
      const bool needed =
          top ? (s == 0 ? l.needs_function(f.pc) : l.live(f.pc, static_cast<std::uint32_t>(s - 1)))
              : live(f, false, s);
      if (!needed) f.slots[s] = AbstractValue{};
    }
  }
}

void Lowering::first_point(const Start& start) {
  TranslatedPoint p;
  const auto known = [&](const Value& v) {
    if (stands_still(v)) return AbstractValue::constant(v);
    AbstractValue k;
    k.kind = AbstractValue::Kind::Uniform;
    k.example = v;
    k.learn(v);
    return k;
  };
  std::vector<const Frame*> stack;
  for (const auto* f = static_cast<const Frame*>(start.at.top); f; f = f->below) stack.push_back(f);
  for (auto f = stack.rbegin(); f != stack.rend(); ++f) {
    AbstractFrame frame;
    frame.code = (*f)->code;
    frame.pc = (*f)->pc;
    frame.dst = (*f)->dst;
    frame.kind = (*f)->kind;
    for (std::uint32_t s = 0; s < (*f)->count; ++s) {
      frame.slots.push_back(known((*f)->slots[s]));
      if (!live(frame, *f == stack.front(), s)) frame.slots.back() = AbstractValue{};
    }
    p.frames.push_back(std::move(frame));
  }
  p.draws_first = start.draws_from.has_value();
  if (p.draws_first) p.distribution = known(*start.draws_from);
  make_layout(p, start.site);
  points_.push_back(std::move(p));
}

namespace {

// What rows rely on; nothing: the value may be any.
std::optional<ValueRule> rule_of(const AbstractValue& k) {
  ValueRule rule;
  if (k.is_constant()) {
    rule.constant = k.value;
    return rule;
  }
  if (k.type != Type::Any) {
    rule.tag = k.type == Type::Int ? Tag::Int : k.type == Type::Double ? Tag::Double : Tag::Bool;
    return rule;
  }
  if (k.tag == Tag::Nil) return std::nullopt;
  rule.tag = k.tag;
  rule.kind = k.tag == Tag::Closure   ? static_cast<const void*>(k.proto)
              : k.tag == Tag::Dist    ? static_cast<const void*>(k.distribution)
              : k.tag == Tag::Process ? static_cast<const void*>(k.process)
                                      : nullptr;
  if (k.shape)
    for (const AbstractValue& held : k.shape->held)
      rule.held.push_back(rule_of(held).value_or(ValueRule{}));
  return rule;
}

}  // namespace

SlotPlace Lowering::place_for(ResumePoint& l, const AbstractValue& k,
                              VirtualPlaces& virtual_objects) {
  SlotPlace place;
  switch (k.kind) {
    case AbstractValue::Kind::Nothing:
      break;
    case AbstractValue::Kind::Constant:
      place = {SlotIn::Constant, static_cast<std::uint32_t>(l.constants.size())};
      l.constants.push_back(k.value);
      break;
    case AbstractValue::Kind::Uniform:
      place = {SlotIn::Common, l.common++};
      break;
    case AbstractValue::Kind::Varying:
      if (k.type == Type::Any && k.tag >= kFirstObject)
        place = {SlotIn::Pointer, l.pointers++};
      else if (k.type == Type::Any)
        place = {SlotIn::Value, l.values++};
      else
        place = {k.type == Type::Int      ? SlotIn::Int
                 : k.type == Type::Double ? SlotIn::Double
                                          : SlotIn::Bool,
                 l.numbers++};
      break;
    case AbstractValue::Kind::Virtual: {
      const auto found = virtual_objects.find(k.virtual_object.get());
      if (found != virtual_objects.end()) return {SlotIn::Virtual, found->second};
      VirtualPlace b{k.tag, k.proto, k.distribution, {}, {}};
      for (const AbstractValue& v : k.virtual_object->values)
        b.values.push_back(place_for(l, v, virtual_objects));
      for (const VirtualObject::Number& n : k.virtual_object->numbers)
        b.numbers.push_back({n.value ? b.values[*n.value] : place_for(l, n.known, virtual_objects),
                             n.value.has_value()});
      l.virtual_objects.push_back(std::move(b));
      place = {SlotIn::Virtual, static_cast<std::uint32_t>(l.virtual_objects.size() - 1)};
      virtual_objects.emplace(k.virtual_object.get(), place.index);
      return place;
    }
  }
  if (place.in == SlotIn::Common || place.in == SlotIn::Value || place.in == SlotIn::Pointer)
    if (auto rule = rule_of(k)) {
      l.rules.push_back(*rule);
      place.rule = static_cast<std::uint32_t>(l.rules.size());
    }
  return place;
}

void Lowering::make_layout(TranslatedPoint& p, std::uint32_t site) {
  p.layout = std::make_unique<ResumePoint>();
  ResumePoint& l = *p.layout;
  l.site = site;
  l.segment = static_cast<std::uint32_t>(points_.size());
  VirtualPlaces virtual_objects;
  for (AbstractFrame& f : p.frames) {
    ResumeFrame frame{f.code, f.pc, f.dst, f.kind, {}};
    for (const AbstractValue& k : f.slots) frame.slots.push_back(place_for(l, k, virtual_objects));
    l.frames.push_back(std::move(frame));
  }
  if (p.distribution.kind == AbstractValue::Kind::Uniform) ++l.common;  // the last one
}

std::string Lowering::place_of(const std::vector<AbstractFrame>& frames) const {
  std::string place;
  for (const AbstractFrame& f : frames)
    place +=
        fmt::format("{}:{}:{}:{}:{} ", static_cast<const void*>(f.code),
                    f.pc - f.code->instrs.data(), f.dst, static_cast<int>(f.kind), f.slots.size());
  return place;
}

std::size_t Lowering::point_of(const std::vector<AbstractFrame>& frames, std::uint32_t site) {
  if (frames.size() > kMostFrames) return kNoPoint;
  std::vector<std::size_t>& versions = versions_[place_of(frames)];
  std::vector<AbstractFrame> wanted = frames;
  if (!versions.empty()) {
    const std::vector<AbstractFrame>& last = points_[versions.back()].frames;
    bool alike = true;
    for (std::size_t f = 0; f < wanted.size(); ++f)
      for (std::size_t s = 0; s < wanted[f].slots.size(); ++s)
        alike = alike && !differ_in_form(last[f].slots[s], wanted[f].slots[s]);
    Join join;
    if (alike)
      for (std::size_t f = 0; f < wanted.size(); ++f)
        for (std::size_t s = 0; s < wanted[f].slots.size(); ++s)
          wanted[f].slots[s] = join(last[f].slots[s], wanted[f].slots[s]);
    for (std::size_t f = 0; f < wanted.size() && alike; ++f)
      for (std::size_t s = 0; s < wanted[f].slots.size(); ++s)
        if (must_be_made(frames[f].slots[s], wanted[f].slots[s])) return kMakeFirst;
  }
  const std::string key = state_key(wanted);
  for (const std::size_t v : versions)
    if (state_key(points_[v].frames) == key) return v;
  if (versions.size() >= kMostVersions) return kNoPoint;
  TranslatedPoint p;
  p.frames = std::move(wanted);
  for (AbstractValue* k : Parts().varying_of(p.frames)) k->forget_origin();
  make_layout(p, site);
  points_.push_back(std::move(p));
  versions.push_back(points_.size() - 1);
  return points_.size() - 1;
}

void Lowering::stop_at(std::size_t point, const std::vector<AbstractFrame>& frames, ValueId score) {
  const ResumePoint& l = *points_[point].layout;
  auto& next = exits_.points;
  if (const auto at = std::lower_bound(next.begin(), next.end(), point);
      at == next.end() || *at != point)
    next.insert(at, point);
  exits_.by_particle |= !straight();
  // A place that no slot has is never read.
  const ValueId nothing = build_->constant(Value::nil());
  Builder::Operands common(l.common, nothing), values(l.values, nothing),
      pointers(l.pointers, nothing), numbers(l.numbers, build_->integer(0));
  std::vector<bool> stored(l.virtual_objects.size());
  const auto store = [&](const auto& self, const SlotPlace& place, const AbstractValue& k) -> void {
    switch (place.in) {
      case SlotIn::Nowhere:
      case SlotIn::Constant:
        break;
      case SlotIn::Common:
        common[place.index] = boxed(k);
        break;
      case SlotIn::Value:
        values[place.index] = boxed(k);
        break;
      case SlotIn::Pointer:
        pointers[place.index] = boxed(k);
        break;
      case SlotIn::Int:
      case SlotIn::Double:
        numbers[place.index] = plain(k);
        break;
      case SlotIn::Bool:
        numbers[place.index] = truth(k);
        break;
      case SlotIn::Virtual: {
        if (stored[place.index]) break;
        stored[place.index] = true;
        const VirtualPlace& b = l.virtual_objects[place.index];
        for (std::size_t i = 0; i < b.values.size(); ++i)
          self(self, b.values[i], k.virtual_object->values[i]);
        for (std::size_t i = 0; i < b.numbers.size(); ++i)
          if (!b.numbers[i].is_value)
            self(self, b.numbers[i].place, k.virtual_object->numbers[i].known);
      }
    }
  };
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t s = 0; s < frames[f].slots.size(); ++s)
      store(store, l.frames[f].slots[s], frames[f].slots[s]);
  RestPlan plan;
  plan.point = static_cast<std::uint32_t>(point);
  plan.site = l.site;
  plan.common = l.common;
  plan.values = l.values;
  plan.pointers = l.pointers;
  plan.numbers = l.numbers;
  plan.applications = state_.applications;
  plan.given = given_;
  // Where all go together, with the same sides, rows need no heads.
  plan.together = straight() && !state_.changes_sides && !given_;
  points_[point].in_blocks |= plan.together;
  Builder::Operands operands{score};
  for (const Builder::Operands& part : {common, values, pointers, numbers})
    operands.insert(operands.end(), part.begin(), part.end());
  build_->rest(plan, std::move(operands));
  worthwhile_ = true;
}

State Lowering::enter(TranslatedPoint& point) {
  const ResumePoint& l = *point.layout;
  State state;
  state.frames = point.frames;
  std::vector<std::shared_ptr<VirtualObject>> taken(l.virtual_objects.size());
  const auto common = [&](std::uint32_t index) {
    return build_->emit_typed(Opcode::LoadCommon, Type::Any, {.number = index}, {});
  };
  const auto take = [&](const auto& self, AbstractValue& k, const SlotPlace& place) -> void {
    if (k.kind == AbstractValue::Kind::Uniform) {
      k.id = build_->unbox(k.type, common(place.index));
    } else if (k.kind == AbstractValue::Kind::Varying) {
      k.id = build_->emit_typed(Opcode::LoadRow, k.type,
                                {.number = place.index,
                                 .index = static_cast<std::int64_t>(place.in),
                                 .tag = place.in == SlotIn::Pointer ? k.tag : Tag::Nil},
                                {});
    } else if (k.is_virtual()) {
      std::shared_ptr<VirtualObject>& b = taken[place.index];
      if (!b) {
        b = std::make_shared<VirtualObject>(*k.virtual_object);
        const VirtualPlace& at = l.virtual_objects[place.index];
        for (std::size_t i = 0; i < b->values.size(); ++i) self(self, b->values[i], at.values[i]);
        for (std::size_t i = 0; i < b->numbers.size(); ++i)
          if (!b->numbers[i].value) self(self, b->numbers[i].known, at.numbers[i].place);
      }
      k.virtual_object = b;
    }
  };
  for (std::size_t f = 0; f < state.frames.size(); ++f)
    for (std::size_t s = 0; s < state.frames[f].slots.size(); ++s)
      take(take, state.frames[f].slots[s], l.frames[f].slots[s]);
  // The top waits for the answer of its checkpoint: nil, or the draw of the prefix.
  AbstractFrame& top = state.top();
  if (top.dst != kNoDestination) {
    if (top.slots.size() < top.dst + 2u) top.slots.resize(top.dst + 2u);
    top.slots[top.dst + 1u] = AbstractValue::constant(Value::nil());
  }
  if (point.distribution.kind == AbstractValue::Kind::Uniform)
    point.distribution.id = common(l.common - 1);
  return state;
}

}  // namespace chancel::segment
