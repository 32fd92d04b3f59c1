// SPDX-License-Identifier: Apache-2.0
// Scalar replacement of closures, distributions, vectors and maps that do not escape (abstract_values.hpp: VirtualObject).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "segment/lowering.hpp"
#include "value/collections.hpp"

namespace chancel::segment {

namespace {
// Beyond this what is captured is made: a function that captures its predecessor would grow with each turn of a loop.
constexpr std::size_t kDeepest = 3;
constexpr std::size_t kMostParts = 12;
constexpr std::size_t kMostElements = 8;  // of a vector: they are in its tail
}  // namespace

AbstractValue Lowering::virtual_closure(const FunctionProto* proto,
                                        std::vector<AbstractValue> values) {
  auto virtual_object = std::make_shared<VirtualObject>();
  std::size_t depth = 0;
  for (const AbstractValue& k : values)
    if (k.is_virtual()) depth = std::max(depth, k.virtual_object->depth);
  if (depth >= kDeepest) {
    materialize(values);
    depth = 0;
  }
  const AbstractValue mark =
      emit(Opcode::Mark, {.number = static_cast<std::int64_t>(state_.applications)}, {});
  virtual_object->depth = depth + 1;
  virtual_object->values = std::move(values);
  virtual_object->numbers.push_back({{}, mark});
  AbstractValue k;
  k.kind = AbstractValue::Kind::Virtual;
  k.tag = Tag::Closure;
  k.proto = proto;
  k.virtual_object = std::move(virtual_object);
  if (k.virtual_object->values.size() > kMostParts) materialize({&k, 1});
  return k;
}

AbstractValue Lowering::virtual_distribution(const DistType* distribution,
                                             std::vector<AbstractValue> values,
                                             std::vector<VirtualObject::Number> numbers) {
  AbstractValue k;
  k.kind = AbstractValue::Kind::Virtual;
  k.tag = Tag::Dist;
  k.distribution = distribution;
  auto virtual_object = std::make_shared<VirtualObject>();
  virtual_object->values = std::move(values);
  virtual_object->numbers = std::move(numbers);
  k.virtual_object = std::move(virtual_object);
  return k;
}

std::optional<AbstractValue> Lowering::virtual_collection(
    const NativeDef* native, const std::vector<AbstractValue>& values) {
  const bool map = std::strcmp(native->name, "%map") == 0;
  if (unit_ || values.empty() || (!map && std::strcmp(native->name, "vector") != 0)) return {};
  if (values.size() > (map ? kMostParts : kMostElements) || (map && values.size() % 2 != 0))
    return {};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_nothing()) return {};
    if (!map || i % 2 != 0) continue;
    if (!values[i].is_constant() || !values[i].value.is(Tag::Keyword)) return {};
    for (std::size_t j = 0; j < i; j += 2)
      if (values[j].value.bits == values[i].value.bits) return {};
  }
  // What is the same for all particles is made once.
  if (std::all_of(values.begin(), values.end(),
                  [](const AbstractValue& k) { return k.is_uniform(); }))
    return {};
  auto object = std::make_shared<VirtualObject>();
  object->values = values;
  std::size_t depth = 0;
  for (const AbstractValue& k : values)
    if (k.is_virtual()) depth = std::max(depth, k.virtual_object->depth);
  if (depth >= kDeepest) {
    materialize(object->values);
    depth = 0;
  }
  object->depth = depth + 1;
  object->maker = native;
  AbstractValue k;
  k.kind = AbstractValue::Kind::Virtual;
  k.tag = map ? Tag::ArrayMap : Tag::Vector;
  k.virtual_object = std::move(object);
  return k;
}

std::optional<AbstractValue> Lowering::part_of(const AbstractValue& collection,
                                               const AbstractValue& key) {
  if (!collection.is_virtual() || !key.is_constant()) return {};
  const std::vector<AbstractValue>& values = collection.virtual_object->values;
  if (collection.tag == Tag::Vector) {
    if (key.type != Type::Int || static_cast<std::uint64_t>(key.value.i) >= values.size())
      return {};
    return values[static_cast<std::size_t>(key.value.i)];
  }
  if (collection.tag != Tag::ArrayMap || !key.value.is(Tag::Keyword)) return {};
  for (std::size_t i = 0; i < values.size(); i += 2)
    if (values[i].value.bits == key.value.bits) return values[i + 1];
  return AbstractValue::constant(Value::nil());
}

std::optional<AbstractValue> Lowering::question_of(const NativeDef* native,
                                                   const std::vector<AbstractValue>& values) {
  const auto is = [&](const char* name) { return std::strcmp(native->name, name) == 0; };
  const bool one = values.size() == 1;
  if (one && is("%destructure-map") && values[0].tag == Tag::ArrayMap) return values[0];
  if (values.empty() || !values[0].is_virtual()) return {};
  const bool vector = values[0].tag == Tag::Vector;
  if (!vector && values[0].tag != Tag::ArrayMap) return {};
  const std::vector<AbstractValue>& parts = values[0].virtual_object->values;
  const auto truth = [](bool b) { return AbstractValue::constant(Value::boolean(b)); };
  if (one && is("count"))
    return AbstractValue::constant(
        Value::integer(static_cast<std::int64_t>(vector ? parts.size() : parts.size() / 2)));
  if (one && is("empty?")) return truth(false);
  if (one && is("vector?")) return truth(vector);
  if (one && is("map?")) return truth(!vector);
  if (one && is("first") && vector) return parts[0];
  if (one && is("peek") && vector) return parts.back();
  if (values.size() == 2 && (is("get") || (is("nth") && vector)))
    return part_of(values[0], values[1]);
  return {};
}

// Number `index` of a distribution or closure that was not made.
ValueId Lowering::number_in(const VirtualObject& b, std::size_t index) {
  const VirtualObject::Number& n = b.numbers[index];
  return n.value ? real(b.values[*n.value]) : plain(n.known);
}

// The same in the state stay the same: all that are there are made together.
void Lowering::materialize(std::span<AbstractValue> seen) {
  if (std::none_of(seen.begin(), seen.end(), [](const AbstractValue& k) { return k.is_virtual(); }))
    return;
  Made made;
  for (AbstractValue& k : seen) materialize(k, made);
  for (AbstractFrame& f : state_.frames)
    for (AbstractValue& k : f.slots) materialize(k, made);
}

void Lowering::materialize(AbstractValue& k, Made& made) {
  if (!k.is_virtual()) return;
  const auto found = made.find(k.virtual_object);
  if (found != made.end()) {
    k = found->second;
    return;
  }
  VirtualObject parts = *k.virtual_object;
  for (AbstractValue& v : parts.values) materialize(v, made);
  AbstractValue object;
  object.kind = AbstractValue::Kind::Varying;
  object.tag = k.tag;
  object.proto = k.proto;
  object.distribution = k.distribution;
  Builder::Operands operands;
  if (k.tag == Tag::Closure) {
    object.shape = shape_of(parts.values);
    operands.push_back(number_in(parts, 0));
    for (const AbstractValue& v : parts.values) operands.push_back(boxed(v));
    object.id = build_->emit(Opcode::MakeClosure, {.object = k.proto}, std::move(operands));
  } else if (parts.maker) {
    object.id = build_->emit(Opcode::Call, {.object = parts.maker}, all_boxed(parts.values));
  } else {
    for (const AbstractValue& v : parts.values) operands.push_back(boxed(v));
    for (std::size_t i = 0; i < parts.numbers.size(); ++i) operands.push_back(number_in(parts, i));
    object.id = build_->emit(
        Opcode::MakeDist,
        {.number = static_cast<std::int64_t>(parts.values.size()), .object = k.distribution},
        std::move(operands));
  }
  made.emplace(k.virtual_object, object);
  k = object;
}

// Whether a register that is read later holds it, once the one for the result is written.
bool Lowering::held_elsewhere(const std::shared_ptr<const VirtualObject>& virtual_object,
                              std::uint32_t dst) {
  const auto holds = [&](const auto& self, const AbstractValue& k) -> bool {
    if (!k.is_virtual()) return false;
    const std::vector<AbstractValue>& parts = k.virtual_object->values;
    return k.virtual_object == virtual_object ||
           std::any_of(parts.begin(), parts.end(),
                       [&](const AbstractValue& p) { return self(self, p); });
  };
  const std::size_t top = state_.frames.size() - 1;
  for (std::size_t i = 0; i <= top; ++i) {
    const AbstractFrame& f = state_.frames[i];
    for (std::size_t s = 0; s < f.slots.size(); ++s) {
      if (!holds(holds, f.slots[s])) continue;
      const bool needed =
          i < top  ? live(f, false, s)
          : s == 0 ? liveness(f.code).needs_function(f.pc)
                   : s - 1 != dst && liveness(f.code).live(f.pc, static_cast<std::uint32_t>(s - 1));
      if (needed) return true;
    }
  }
  return false;
}

void Parts::own(AbstractValue& k) {
  if (k.kind == AbstractValue::Kind::Varying) varying_.push_back(&k);
  if (!k.is_virtual()) return;
  std::shared_ptr<const VirtualObject>& copy = copies_[k.virtual_object];
  if (!copy) {
    auto fresh = std::make_shared<VirtualObject>(*k.virtual_object);
    for (AbstractValue& v : fresh->values) own(v);
    for (VirtualObject::Number& n : fresh->numbers)
      if (!n.value) own(n.known);
    copies_[k.virtual_object] = fresh;
    k.virtual_object = std::move(fresh);
  } else {
    k.virtual_object = copy;
  }
}

std::vector<AbstractValue*> Parts::varying_of(std::vector<AbstractFrame>& frames) {
  for (AbstractFrame& f : frames)
    for (AbstractValue& k : f.slots) own(k);
  return varying_;
}

void StateKey::add(const AbstractValue& k) {
  switch (k.kind) {
    case AbstractValue::Kind::Nothing:
      text_ += '.';
      return;
    case AbstractValue::Kind::Constant:
      text_ += fmt::format("c{}.{} ", static_cast<std::uint64_t>(k.value.tag), k.value.bits);
      return;
    case AbstractValue::Kind::Uniform:
      text_ += variables_ ? fmt::format("u{} ", k.id) : "u";
      if (variables_) return;
      break;
    case AbstractValue::Kind::Varying:
      text_ += 'v';
      break;
    case AbstractValue::Kind::Virtual: {
      const auto [at, fresh] = met_.try_emplace(k.virtual_object.get(), met_.size());
      text_ += fmt::format("b{}", at->second);
      if (!fresh) return;
      text_ +=
          fmt::format("({}.{}.{}:", static_cast<std::uint64_t>(k.tag),
                      static_cast<const void*>(k.proto), static_cast<const void*>(k.distribution));
      for (const AbstractValue& v : k.virtual_object->values) add(v);
      text_ += ';';
      for (const VirtualObject::Number& n : k.virtual_object->numbers)
        if (!n.value) add(n.known);
      text_ += ')';
      return;
    }
  }
  text_ +=
      fmt::format("{}.{}.{}.{}.{}.{} ", static_cast<int>(k.type), static_cast<std::uint64_t>(k.tag),
                  static_cast<const void*>(k.proto), static_cast<const void*>(k.distribution),
                  static_cast<const void*>(k.process), static_cast<const void*>(k.shape));
}

}  // namespace chancel::segment
