// SPDX-License-Identifier: Apache-2.0
// Calls of the library's functions: worked out now, written out as code, or left to the function itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "native/translator.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"
#include "value/run_watch.hpp"

namespace chancel::native {

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

bool Translator::get(const AbstractValue& collection, const AbstractValue& key,
                     const NativeDef* native, std::uint32_t dst) {
  if (collection.tag != Tag::Vector || collection.type != Type::Any ||
      (key.type != Type::Int &&
       !(key.type == Type::Any && !key.is_constant() && key.tag == Tag::Nil)))
    return call_native(native, {collection, key}, dst);
  const bool uniform = collection.is_uniform() && key.is_uniform();
  std::string index;
  if (key.type == Type::Int) {
    index = writer_->number(key);
  } else {
    writer_->guard(key.is_uniform(), fmt::format("{}.tag == CN_INT", Writer::name(key.variable)));
    index = Writer::name(key.variable) + ".u.i";
  }
  if (collection.is_constant() && !key.is_uniform() && collection.value.as<Vector>()->count > 0) {
    const AbstractValue at =
        key.type == Type::Int ? key : writer_->compute(Type::Int, false, index);
    writer_->guard(false, fmt::format("(uint64_t){} < {}", Writer::name(at.variable),
                                      collection.value.as<Vector>()->count));
    set(dst, element(collection.value, at.variable));
    return true;
  }
  // Out of range: nil or an error, both rare.
  const std::string v = writer_->object(collection, "cn_vector");
  writer_->guard(uniform, fmt::format("(uint64_t){} < {}->count", index, v));
  AbstractValue k =
      writer_->compute(Type::Any, uniform, fmt::format("cn_nth(b, {}, (uint32_t){})", v, index));
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

AbstractValue Translator::element(const Value& vector, std::uint32_t index) {
  const auto* const v = vector.as<Vector>();
  const AbstractValue whole = AbstractValue::constant(vector);
  const Value like = example_element(vector);
  const Type type = like.is(Tag::Node) ? Type::Any : type_of(like);
  AbstractValue k;
  if (!v->root && packing_of(v) == Packing::Values) {
    // Where the elements begin is found once a batch.
    const AbstractValue begin = writer_->compute(
        Type::Int, true,
        fmt::format("(int64_t)(intptr_t){}->tail", writer_->object(whole, "cn_vector")));
    k = writer_->compute(
        type, false,
        fmt::format("((const cn_value*)(intptr_t){})[{}]{}", Writer::name(begin.variable),
                    Writer::name(index), type == Type::Any ? "" : Writer::field(type)));
  } else {
    k = writer_->compute(
        type, false,
        fmt::format("cn_nth(b, {}, (uint32_t){}){}", writer_->object(whole, "cn_vector"),
                    Writer::name(index), type == Type::Any ? "" : Writer::field(type)));
  }
  if (type != Type::Any || like.is(Tag::Node)) return k;
  k.learn(like);  // all are of its kind
  k.table = vector;
  k.table_index = index;
  return k;
}

// What the function gives now, if that does not take long: the program may never call it.
std::optional<Value> Translator::worked_out(const NativeDef* native,
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

bool Translator::call_native(const NativeDef* native, std::vector<AbstractValue> values,
                             std::uint32_t dst) {
  if (get_or_make(native, values, dst)) return true;
  materialize(values);
  const bool world = changes_world(native);
  if ((!world && !keeps_to_values(native)) || (world && unit_)) return give_up();
  if (world) {
    leave_family();
    state_.changes_sides = true;
  }
  bool constant = true;
  bool uniform = !world;
  bool examples = !world;
  for (const AbstractValue& k : values) {
    if (k.kind == AbstractValue::Kind::Nothing) return give_up();
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
    result = writer_->compute(Type::Any, uniform,
                              fmt::format("b->native(b, {}, {}, {})", writer_->pointer(native),
                                          arguments(values), values.size()));
    writer_->guard(uniform, "b->status == 0");
    // Without a world nothing is known to have been worked out.
    if (uniform && writer_->straight && is_one_of(native, {"%realised?", "%all-realised?"}))
      writer_->guard(true, fmt::format("b->world || {}.u.i", Writer::name(result.variable)));
    for (const Gives& g : kGives)
      if (std::strcmp(native->name, g.name) == 0) {
        if (g.type == Type::Any)
          result.tag = g.tag;
        else
          result = writer_->compute(g.type, uniform,
                                    Writer::name(result.variable) + Writer::field(g.type));
      }
  }
  if (examples && uniform && writer_->straight) {  // what it gave where executions begin
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

bool Translator::get_or_make(const NativeDef* native, std::vector<AbstractValue>& values,
                             std::uint32_t dst) {
  if (!is_one_of(native, {"get"}) || values.size() != 3 || values[2].tag != Tag::Dist ||
      !values[2].is_virtual() || values[0].type != Type::Any || values[0].is_virtual() ||
      values[0].kind == AbstractValue::Kind::Nothing || values[1].is_virtual() ||
      values[1].kind == AbstractValue::Kind::Nothing ||
      held_elsewhere(values[2].virtual_object, dst))
    return false;
  AbstractValue result;
  result.kind = AbstractValue::Kind::Varying;
  result.variable = writer_->variable(Type::Any);
  result.guess = values[2].distribution;
  const std::string map = writer_->boxed(values[0]), key = writer_->boxed(values[1]);
  writer_->line(
      fmt::format("{{ const cn_value map = {}; const int64_t at = cn_find(map, {}); if (at >= 0) "
                  "v{} = ((const cn_array_map*)map.u.o)->entries[2 * at + 1]; else {{",
                  map, key, result.variable));
  Made made;
  materialize(values[2], made);
  writer_->line(
      fmt::format("v{} = at == -1 ? {} : b->native(b, {}, (cn_value[]){{map, {}, {}}}, 3); }} }}",
                  result.variable, writer_->boxed(values[2]), writer_->pointer(native), key,
                  writer_->boxed(values[2])));
  writer_->guard(false, "b->status == 0");
  set(dst, result);
  return true;
}

// (sample (produce process)): no distribution is made.
bool Translator::draw_produced(const NativeDef* native, const std::vector<AbstractValue>& values,
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
  before_draw();
  const AbstractValue drawn =
      writer_->compute(Type::Any, false,
                       fmt::format("cn_crp_sample(b, {}, {}, {}, &s)", writer_->boxed(values[0]),
                                   writer_->pointer(values[0].process), writer_->pointer(native)));
  writer_->guard(false, "b->status == 0");
  set(at->a, after_draw(drawn));
  return true;
}

// Functions whose common cases are in kernels.h.
AbstractValue Translator::library_kernel(const NativeDef* native,
                                         const std::vector<AbstractValue>& a, bool* done) {
  AbstractValue result;
  *done = true;
  if (is_one_of(native, {"get"}) && a[0].type == Type::Any) {
    result = writer_->compute(
        Type::Any, false,
        fmt::format("cn_get(b, {}, {}, {}, {}, {})", writer_->pointer(native), writer_->boxed(a[0]),
                    writer_->boxed(a[1]),
                    a.size() > 2 ? writer_->boxed(a[2]) : "cn_make(CN_NIL, 0)", a.size()));
    if (a.size() > 2) result.guess = a[2].distribution;
  } else if (is_one_of(native, {"assoc"}) && a.size() == 3 && a[0].type == Type::Any) {
    result = writer_->compute(
        Type::Any, false,
        fmt::format("cn_assoc(b, {}, {}, {}, {})", writer_->pointer(native), writer_->boxed(a[0]),
                    writer_->boxed(a[1]), writer_->boxed(a[2])));
  } else if (is_one_of(native, {"absorb"}) && is_restaurant(a[0])) {
    result = writer_->compute(
        Type::Any, false,
        fmt::format("cn_crp_absorb(b, {}, {}, {}, {})", writer_->boxed(a[0]), writer_->boxed(a[1]),
                    writer_->pointer(a[0].process), writer_->pointer(native)));
    result.tag = Tag::Process;
    result.process = a[0].process;
  } else {
    *done = false;
    return {};
  }
  writer_->guard(false, "b->status == 0");
  return result;
}

}  // namespace chancel::native
