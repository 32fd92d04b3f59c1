// SPDX-License-Identifier: Apache-2.0
// Calls of the library's functions: worked out now, written out as code, or left to the function itself.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "segment/lowering.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"
#include "value/run_watch.hpp"

namespace chancel::segment {

namespace {

// What some functions give whenever they give something.
struct Gives {
  const char* name;
  Type type;
  Tag tag;
};
constexpr Gives kGives[] = {
    {"vector", Type::Any, Tag::Vector},   {"count", Type::Int, Tag::Int},
    {"empty?", Type::Bool, Tag::Bool},    {"vector?", Type::Bool, Tag::Bool},
    {"contains?", Type::Bool, Tag::Bool}, {"even?", Type::Bool, Tag::Bool},
    {"odd?", Type::Bool, Tag::Bool},      {"pos?", Type::Bool, Tag::Bool},
    {"neg?", Type::Bool, Tag::Bool},      {"zero?", Type::Bool, Tag::Bool},
    {"sin", Type::Double, Tag::Double},   {"cos", Type::Double, Tag::Double},
    {"tan", Type::Double, Tag::Double},   {"atan", Type::Double, Tag::Double},
    {"floor", Type::Double, Tag::Double}, {"ceil", Type::Double, Tag::Double},
    {"pow", Type::Double, Tag::Double},   {"tanh", Type::Double, Tag::Double},
};

// Functions that change what an execution remembers, and nothing else. (Those of random processes may
// call methods of the program; then they ask for it, and the interpreter takes over.)
bool is_one_of(const NativeDef* native, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char* name) { return std::strcmp(native->name, name) == 0; });
}
bool keeps_to_values(const NativeDef* native) {
  return (native->flags & kPure) || is_one_of(native, {"produce", "absorb"});
}
bool changes_world(const NativeDef* native) {
  return is_one_of(native, {"store", "retrieve", "mem", "atom", "reset!", "deref", "%cell-new",
                            "%cell-get", "%cell-set"});
}

bool is_restaurant(const AbstractValue& k) {
  return k.process && std::strcmp(k.process->name, "CRP") == 0;
}

}  // namespace

Value example_element(const Value& vector) {
  const auto* v = vector.as<Vector>();
  if (v->count == 0 || v->count > 4096) return Value::node(0);
  const Value first = vector_nth(v, 0);
  for (std::uint32_t i = 1; i < v->count; ++i) {
    const Value other = vector_nth(v, i);
    if (other.tag != first.tag) return Value::node(0);
    if (first.is(Tag::Dist) && other.as<Dist>()->type != first.as<Dist>()->type)
      return Value::node(0);
    if (first.is(Tag::Closure) && other.as<Closure>()->function != first.as<Closure>()->function)
      return Value::node(0);
  }
  return first;
}

bool Lowering::get(const AbstractValue& collection, const AbstractValue& key,
                   const NativeDef* native, std::uint32_t dst) {
  if (collection.is_virtual()) return call_native(native, {collection, key}, dst);
  if (collection.tag != Tag::Vector || collection.type != Type::Any ||
      (key.type != Type::Int &&
       !(key.type == Type::Any && !key.is_constant() && key.tag == Tag::Nil)))
    return call_native(native, {collection, key}, dst);
  const bool uniform = collection.is_uniform() && key.is_uniform();
  if (key.type == Type::Any)
    build_->guard(build_->emit(Opcode::HasTag, {.tag = Tag::Int}, {key.id}));
  const AbstractValue at = unboxed(Type::Int, key);
  if (collection.is_constant() && !key.is_uniform() && collection.value.as<Vector>()->count > 0) {
    build_->guard(build_->emit(Opcode::InRange,
                               {at.id, build_->integer(collection.value.as<Vector>()->count)}));
    set(dst, element(collection.value, at.id));
    return true;
  }
  // Out of range: nil or an error, both rare.
  const ValueId count = build_->emit(Opcode::Count, {boxed(collection)});
  build_->guard(build_->emit(Opcode::InRange, {plain(at), count}));
  AbstractValue k = emit(Opcode::Nth, {boxed(collection), plain(at)});
  if (collection.has_example() && collection.example.is(Tag::Vector)) {
    const Value example = example_element(collection.example);
    if (uniform && key.has_example() && key.example.is(Tag::Int) &&
        static_cast<std::uint64_t>(key.example.i) < collection.example.as<Vector>()->count)
      k = of_example(k, vector_nth(collection.example.as<Vector>(),
                                   static_cast<std::uint32_t>(key.example.i)));
    else
      k.example = example;
  }
  set(dst, k);
  return true;
}

AbstractValue Lowering::element(const Value& vector, ValueId index) {
  const auto* const v = vector.as<Vector>();
  const ValueId whole = build_->constant(vector);
  const Value like = example_element(vector);
  const Type type = like.is(Tag::Node) ? Type::Any : type_of(like);
  AbstractValue k;
  if (!v->root && packing_of(v) == Packing::Values)
    k = emit(Opcode::Element, {build_->emit(Opcode::Elements, {whole}), index});
  else
    k = emit(Opcode::Nth, {whole, index});
  k = unboxed(type, k);
  if (type != Type::Any || like.is(Tag::Node)) return k;
  k.learn(like);  // all are of its kind
  k.table = vector;
  k.table_index = index;
  return k;
}

// What the function gives now, if that does not take long: the program may never call it.
std::optional<Value> Lowering::worked_out(const NativeDef* native,
                                          const std::vector<Value>& values) {
  struct Patience final : RunWatch {
    std::optional<Diagnostic> reason_to_stop() override {
      if (looks++ == 0) return std::nullopt;  // some steps had been made before
      return Diagnostic{};
    }
    int looks = 0;
  } patience;
  RunWatch* const watch = std::exchange(cx_.watch, &patience);
  cx_.callee = native;
  std::optional<Value> v;
  try {
    v = native->function(cx_, values.data(), static_cast<std::uint32_t>(values.size()));
  } catch (const RunStopped&) {
  } catch (const MemoryLimit&) {
  }
  if (!cx_.ok()) v.reset();
  cx_.status = NativeContext::Status::Ok;
  cx_.watch = watch;
  return v;
}

bool Lowering::call_native(const NativeDef* native, std::vector<AbstractValue> values,
                           std::uint32_t dst) {
  if (get_or_make(native, values, dst)) return true;
  if (!unit_ && is_one_of(native, {"%in-query?"})) {  // segments are parts of queries
    set(dst, AbstractValue::constant(Value::boolean(true)));
    return true;
  }
  if (const auto known = question_of(native, values)) {
    set(dst, *known);
    return true;
  }
  if (const auto collection = virtual_collection(native, values)) {
    set(dst, *collection);
    return true;
  }
  materialize(values);
  const bool world = changes_world(native);
  if ((!world && !keeps_to_values(native)) || (world && unit_)) return give_up();
  if (world) state_.changes_sides = true;
  bool constant = true;
  bool uniform = !world;
  bool examples = !world;
  for (const AbstractValue& k : values) {
    if (k.is_nothing()) return give_up();
    constant = constant && k.is_constant();
    uniform = uniform && k.is_uniform();
    examples = examples && k.is_uniform() && k.has_example();
  }
  if (constant && uniform) {  // a number or the like is worked out here
    std::vector<Value> plain;
    for (const AbstractValue& k : values) plain.push_back(k.value);
    const auto v = worked_out(native, plain);
    if (v && !v->is_object()) {
      set(dst, AbstractValue::constant(*v));
      return true;
    }
  }
  if (!uniform && draw_produced(native, values, dst)) return true;
  bool done = false;
  AbstractValue result = simple_native(native, values, &done);
  if (!done && !(examples && uniform)) result = make_distribution(native, values, &done);
  if (!done && !uniform) result = library_kernel(native, values, &done);
  if (!done) {
    result =
        emit(world ? Opcode::CallOnWorld : Opcode::Call, {.object = native}, all_boxed(values));
    // Without a world nothing is known to have been worked out.
    if (uniform && straight() && is_one_of(native, {"%realised?", "%all-realised?"}))
      build_->guard(build_->emit_typed(
          Opcode::Select, Type::Bool, {},
          {build_->emit(Opcode::HasWorld), build_->constant(Value::boolean(true)),
           build_->unbox(Type::Bool, result.id)}));
    for (const Gives& g : kGives)
      if (std::strcmp(native->name, g.name) == 0) {
        if (g.type == Type::Any)
          result.tag = g.tag;
        else
          result = unboxed(g.type, result);
      }
  }
  if (examples && uniform && straight()) {  // what it gave where executions begin
    std::vector<Value> plain;
    for (const AbstractValue& k : values) plain.push_back(k.example);
    if (const auto v = worked_out(native, plain)) result = of_example(result, *v);
  } else if (native->dist) {
    // The constructor of a distribution makes one, or fails.
    result.tag = Tag::Dist;
    result.distribution = native->dist;
  }
  set(dst, result);
  return true;
}

bool Lowering::get_or_make(const NativeDef* native, std::vector<AbstractValue>& values,
                           std::uint32_t dst) {
  if (!is_one_of(native, {"get"}) || values.size() != 3 || values[2].tag != Tag::Dist ||
      !values[2].is_virtual() || values[0].type != Type::Any || values[0].is_virtual() ||
      values[0].kind == AbstractValue::Kind::Nothing || values[1].is_virtual() ||
      values[1].kind == AbstractValue::Kind::Nothing ||
      held_elsewhere(values[2].virtual_object, dst))
    return false;
  const ValueId map = boxed(values[0]), key = boxed(values[1]);
  const bool was_straight = straight();
  const ValueId at = build_->emit(Opcode::Find, {map, key});
  const BlockId there = build_->new_block(false), elsewhere = build_->new_block(false),
                absent = build_->new_block(false), unknown = build_->new_block(false),
                merge = build_->new_block(was_straight);
  build_->branch(build_->emit(Opcode::LessEqual, {build_->integer(0), at}), there, elsewhere,
                 merge);
  build_->continue_in(there);
  build_->jump(merge, {build_->emit(Opcode::Entry, {map, at})});
  build_->continue_in(elsewhere);
  Made made;
  materialize(values[2], made);
  const ValueId otherwise = boxed(values[2]);
  build_->branch(build_->emit(Opcode::Equal, {at, build_->integer(-1)}), absent, unknown);
  build_->continue_in(absent);
  build_->jump(merge, {otherwise});
  build_->continue_in(unknown);
  build_->jump(merge, {build_->emit(Opcode::Call, {.object = native}, {map, key, otherwise})});
  build_->continue_in(merge);
  AbstractValue result;
  result.kind = AbstractValue::Kind::Varying;
  result.guess = values[2].distribution;
  result.id = build_->parameter(merge, Type::Any);
  set(dst, result);
  return true;
}

// (sample (produce process)): no distribution is made.
bool Lowering::draw_produced(const NativeDef* native, const std::vector<AbstractValue>& values,
                             std::uint32_t dst) {
  AbstractFrame& f = state_.top();
  const Instr* at = f.pc;
  if (!is_one_of(native, {"produce"}) || !is_restaurant(values[0]) || at->op != Op::Sample ||
      at->b != dst)
    return false;
  const Instr* next = at + 1 + op_words(at->op);
  if (at->a != dst && liveness(f.code).live(next, dst)) return false;
  const DistType* const distribution =
      given_ ? distribution_produced_by(values[0].process) : nullptr;
  if (given_ &&
      (!distribution || distribution->fit || distribution->estimated || !distribution->log_prob))
    return false;
  f.pc = next;
  ++state_.applications;
  if (given_) {
    take_produced(native, values[0], distribution, at);
    return true;
  }
  set(at->a, after_draw(emit(Opcode::DrawSeat, {.object = values[0].process, .other = native},
                             {boxed(values[0])})));
  return true;
}

// Functions whose common cases are in kernels.h.
AbstractValue Lowering::library_kernel(const NativeDef* native, const std::vector<AbstractValue>& a,
                                       bool* done) {
  *done = true;
  if (is_one_of(native, {"get"}) && a[0].type == Type::Any) {
    AbstractValue result = emit(
        Opcode::Get, {.number = static_cast<std::int64_t>(a.size()), .object = native},
        {boxed(a[0]), boxed(a[1]), a.size() > 2 ? boxed(a[2]) : build_->constant(Value::nil())});
    if (a.size() > 2) result.guess = a[2].distribution;
    return result;
  }
  if (is_one_of(native, {"assoc"}) && a.size() == 3 && a[0].type == Type::Any)
    return emit(Opcode::Assoc, {.object = native}, {boxed(a[0]), boxed(a[1]), boxed(a[2])});
  if (is_one_of(native, {"absorb"}) && is_restaurant(a[0])) {
    AbstractValue result = emit(Opcode::AbsorbSeat, {.object = a[0].process, .other = native},
                                {boxed(a[0]), boxed(a[1])});
    result.tag = Tag::Process;
    result.process = a[0].process;
    return result;
  }
  *done = false;
  return {};
}

}  // namespace chancel::segment
