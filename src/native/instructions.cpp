// SPDX-License-Identifier: Apache-2.0
// One instruction at a time, as vm/run.cpp runs it: the same values, the same count of applications. What
// is not here, and every rare case, is left to the interpreter.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "native/translator.hpp"
#include "value/collections.hpp"
#include "value/number.hpp"

namespace chancel::native {

namespace {

constexpr std::size_t kMostInlined = 40;  // frames

// An example of what a vector holds: its first element, if all are of one kind.
Value example_element(const Value& vector) {
  const auto* v = vector.as<Vector>();
  if (v->count == 0 || v->count > 4096) return Value::node(0);
  const Value& first = vector_nth(v, 0);
  for (std::uint32_t i = 1; i < v->count; ++i) {
    const Value& other = vector_nth(v, i);
    if (other.tag != first.tag) return Value::node(0);
    if (first.is(Tag::Dist) && other.as<Dist>()->type != first.as<Dist>()->type)
      return Value::node(0);
    if (first.is(Tag::Closure) && other.as<Closure>()->proto != first.as<Closure>()->proto)
      return Value::node(0);
  }
  return first;
}

Type type_of(const Value& v) {
  return v.is(Tag::Bool)     ? Type::Bool
         : v.is(Tag::Int)    ? Type::Int
         : v.is(Tag::Double) ? Type::Double
                             : Type::Any;
}

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

bool is_restaurant(const Known& k) { return k.process && std::strcmp(k.process->name, "CRP") == 0; }

const char* tag_text(Type type) {
  return type == Type::Bool ? "CN_BOOL" : type == Type::Int ? "CN_INT" : "CN_DOUBLE";
}
const char* field_of(Type type) { return type == Type::Double ? ".u.d" : ".u.i"; }

}  // namespace

void Translator::set(std::uint32_t reg, Known value) {
  AbstractFrame& f = state_.top();
  if (f.slots.size() < reg + 2u) f.slots.resize(reg + 2u);
  f.slots[reg + 1u] = std::move(value);
}

// A value that looks like its example, behind a guard: a number, a constant, an object of that kind.
Known Translator::of_example(Known k, const Value& example) {
  if (k.type != Type::Any || k.is_constant()) return k;
  k.example = example;
  if (example.is(Tag::Node)) return k;
  const bool uniform = k.is_uniform();
  const std::string v = Writer::name(k.variable);
  const Type type = type_of(example);
  if (type != Type::Any) {
    writer_->guard(uniform, fmt::format("{}.tag == {}", v, tag_text(type)));
    Known typed = writer_->compute(type, uniform, v + field_of(type));
    if (uniform) typed.example = example;
    return typed;
  }
  if (!uniform) {
    k.example = example;
    return k;
  }
  if (stands_still(example)) {
    const Known constant = Known::constant(example);
    writer_->guard(true, fmt::format("{0}.tag == {1}.tag && {0}.u.bits == {1}.u.bits", v,
                                     writer_->boxed(constant)));
    return constant;
  }
  writer_->guard(true, fmt::format("{}.tag == {}", v, static_cast<std::uint64_t>(example.tag)));
  if (example.is(Tag::Closure))
    writer_->guard(true, fmt::format("((cn_closure*){}.u.o)->proto == {}", v,
                                     writer_->pointer(example.as<Closure>()->proto)));
  if (example.is(Tag::Dist))
    writer_->guard(true, fmt::format("((cn_dist*){}.u.o)->type == {}", v,
                                     writer_->pointer(example.as<Dist>()->type)));
  k.learn(example);
  return k;
}

Known Translator::captured(const Known& closure, std::size_t index) {
  if (closure.is_built()) return closure.building->values[index];
  if (closure.is_constant()) return Known::constant(closure.value.as<Closure>()->captured[index]);
  if (closure.shape) {
    const Known& held = closure.shape->held[index];
    if (held.is_constant()) return held;
    const char* const field = held.type == Type::Any ? "" : field_of(held.type);
    Known k = writer_->compute(
        held.type, closure.is_uniform(),
        fmt::format("{}->captured[{}]{}", writer_->object(closure, "cn_closure"), index, field));
    k.tag = held.tag;
    k.proto = held.proto;
    k.law = held.law;
    k.process = held.process;
    k.shape = held.shape;
    return k;
  }
  const Known k = writer_->compute(
      Type::Any, closure.is_uniform(),
      fmt::format("{}->captured[{}]", writer_->object(closure, "cn_closure"), index));
  if (closure.is_uniform() && closure.example.is(Tag::Closure))
    return of_example(k, closure.example.as<Closure>()->captured[index]);
  return k;
}

Translator::Refined Translator::refine(std::uint32_t reg) {
  Known& k = state_.top().reg(reg);
  if (k.type == Type::Int || k.type == Type::Double) return Refined::Yes;
  if (k.type == Type::Bool || k.is_constant() || k.tag != Tag::Nil) return Refined::Never;
  const Type guess = k.example.is(Tag::Int) ? Type::Int : Type::Double;
  const Type other = guess == Type::Int ? Type::Double : Type::Int;
  const std::string v = Writer::name(k.variable);
  const bool uniform = k.is_uniform();
  State elsewhere = state_;
  elsewhere.top().reg(reg).example = Value::node(0);
  elsewhere.top().reg(reg).type = other;  // the variable gets the type at the other place
  const Known typed_other = [&] {
    // Read before the test: both types have eight bytes there.
    return writer_->compute(other, uniform, v + field_of(other));
  }();
  const Known typed = writer_->compute(guess, uniform, v + field_of(guess));
  writer_->guard(uniform, fmt::format("{0}.tag == CN_INT || {0}.tag == CN_DOUBLE", v));
  elsewhere.top().reg(reg) = typed_other;
  state_.top().reg(reg) = typed;
  // The instruction is met again, by both.
  branch(uniform, fmt::format("{}.tag == {}", v, tag_text(guess)), std::move(elsewhere));
  return Refined::Forked;
}

Known Translator::as_value(Known k) {
  show(k);
  if (k.type == Type::Any) return k;
  return writer_->compute(Type::Any, k.is_uniform(), writer_->boxed(k));
}

bool Translator::instruction(const Instr* at) {
  AbstractFrame& f = state_.top();
  switch (at->op) {
    case Op::Move:
      set(at->a, f.reg(at->b));
      return true;
    case Op::LoadConst:
      set(at->a, Known::constant(f.code->constants[static_cast<std::size_t>(at->wide())]));
      return true;
    case Op::LoadInt:
      set(at->a, Known::constant(Value::integer(at->wide())));
      return true;
    case Op::LoadNil:
      set(at->a, Known::constant(Value::nil()));
      return true;
    case Op::LoadGlobal: {
      if (unit_) {
        const Known k = global(static_cast<std::uint32_t>(at->wide()));
        if (k.kind == Known::Kind::Nothing) return give_up();
        set(at->a, k);
        return true;
      }
      const Value& global = globals_[at->wide()];
      if (Program::is_unbound(global)) return give_up();
      set(at->a, Known::constant(global));
      return true;
    }
    case Op::LoadCaptured:
      set(at->a, captured(f.slots[0], at->b));
      return true;
    case Op::LoadSelf:
      set(at->a, f.slots[0]);
      return true;
    case Op::MakeClosure:
      return make_closure(at);
    case Op::Jump:
      f.pc += at->wide();
      return true;
    case Op::LoopJump:
      ++state_.applications;
      f.pc += at->wide();
      if (writer_->straight && !loops_here()) return true;
      jump_to_head(state_, written_between(*f.code, f.pc, at));
      return false;
    case Op::JumpIfFalse:
      return jump_if(at, false);
    case Op::JumpIfTrue:
      return jump_if(at, true);
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
      return compare(at, true);
    case Op::Call:
      return call(at->b, at->c, at->a, f.pc);
    case Op::CallGlobal: {
      if (unit_) {
        const Known k = global(static_cast<std::uint32_t>(word_of(at[1])));
        if (k.kind == Known::Kind::Nothing) return give_up();
        set(at->b, k);
        return call(at->b, at->c, at->a, state_.top().pc);
      }
      const Value& global = globals_[static_cast<std::uint32_t>(word_of(at[1]))];
      if (Program::is_unbound(global)) return give_up();
      set(at->b, Known::constant(global));
      return call(at->b, at->c, at->a, f.pc);
    }
    case Op::TailCall:
      return tail_call(at);
    case Op::Return:
      return give_back(f.reg(at->a));
    case Op::Native:
    case Op::Native1:
    case Op::Native2: {
      std::vector<Known> arguments;
      if (at->op == Op::Native)
        for (std::uint32_t i = 0; i < at->c; ++i) arguments.push_back(f.reg(at->b + i));
      else
        arguments.push_back(f.reg(at->b));
      if (at->op == Op::Native2) arguments.push_back(f.reg(at->c));
      ++state_.applications;
      return call_native(ext_native(at[1]), arguments, at->a);
    }
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::AddInt:
      return arithmetic(at);
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::NumEq:
    case Op::Eq:
      return compare(at, false);
    case Op::Not:
    case Op::IsNil:
    case Op::IsReduced: {
      ++state_.applications;
      const Known k = f.reg(at->b);
      const Tag tag = at->op == Op::IsNil ? Tag::Nil : Tag::Reduced;
      if (k.is_constant()) {
        const bool yes = at->op == Op::Not ? !k.value.truthy() : k.value.is(tag);
        set(at->a, Known::constant(Value::boolean(yes)));
        return true;
      }
      std::string test =
          at->op == Op::Not ? "!" + writer_->truth(k)
          : k.type != Type::Any || (k.tag != Tag::Nil && k.tag != tag)
              ? "0"
              : fmt::format("{}.tag == {}", writer_->boxed(k), static_cast<std::uint64_t>(tag));
      if (test == "0") {
        set(at->a, Known::constant(Value::boolean(false)));
        return true;
      }
      Known b = writer_->compute(Type::Bool, k.is_uniform(), test);
      if (k.is_uniform() && k.has_example())
        b.example = Value::boolean(at->op == Op::Not ? !k.example.truthy() : k.example.is(tag));
      set(at->a, b);
      return true;
    }
    case Op::Get:
    case Op::Nth:
      ++state_.applications;
      return get(f.reg(at->b), f.reg(at->c), ext_native(at[1]), at->a);
    case Op::NthOrNil: {
      ++state_.applications;
      const Known collection = f.reg(at->b), index = Known::constant(Value::integer(at->c));
      const Known nil = Known::constant(Value::nil());
      if (collection.tag != Tag::Vector)
        return call_native(ext_native(at[1]), {collection, index, nil}, at->a);
      if (collection.is_constant() && at->c >= collection.value.as<Vector>()->count) {
        set(at->a, nil);
        return true;
      }
      return get(collection, index, ext_native(at[1]), at->a);
    }
    case Op::GetCaptured: {
      ++state_.applications;
      const Known collection = captured(f.slots[0], at->b);
      return get(collection, state_.top().reg(at->c), ext_native(at[1]), at->a);
    }
    case Op::VectorNth: {
      ++state_.applications;
      const Known vector = f.reg(at->b);
      const Known index = f.reg(at->c);
      if (index.type != Type::Int || vector.is_built()) return give_up();
      Known k = writer_->compute(
          Type::Any, vector.is_uniform() && index.is_uniform(),
          fmt::format("*cn_nth(b, {}, (uint32_t){})", writer_->object(vector, "cn_vector"),
                      writer_->number(index)));
      if (vector.has_example() && vector.example.is(Tag::Vector))
        k.example = example_element(vector.example);
      set(at->a, k);
      return true;
    }
    case Op::ReduceVector:
      return reduce_vector(at);
    case Op::Conj: {
      const Known vector = f.reg(at->b);
      Known item = f.reg(at->c);
      show(item);
      ++state_.applications;
      if (vector.type != Type::Any) return give_up();
      if (vector.tag != Tag::Vector) return call_native(ext_native(at[1]), {vector, item}, at->a);
      const bool uniform = vector.is_uniform() && item.is_uniform();
      writer_->guard(uniform, fmt::format("!({}->head.flags & CN_HAS_META)",
                                          writer_->object(vector, "cn_vector")));
      Known made = writer_->compute(
          Type::Any, uniform,
          fmt::format("cn_conj(b, {}, {})", writer_->boxed(vector), writer_->boxed(item)));
      made.tag = Tag::Vector;
      if (!item.is_constant()) {
        made.last = item.variable + 1;
        made.last_type = item.type;
        if (item.is_uniform() != made.is_uniform()) made.last = 0;
      }
      set(at->a, made);
      return true;
    }
    case Op::Peek: {
      const Known vector = f.reg(at->b);
      ++state_.applications;
      if (vector.tag != Tag::Vector || vector.type != Type::Any)
        return call_native(ext_native(at[1]), {vector}, at->a);
      if (vector.last) {
        Known k;
        k.kind = vector.kind;
        k.type = vector.last_type;
        k.variable = vector.last - 1;
        set(at->a, k);
        return true;
      }
      const std::string v = writer_->object(vector, "cn_vector");
      writer_->guard(vector.is_uniform(), v + "->count > 0");
      set(at->a, writer_->compute(Type::Any, vector.is_uniform(),
                                  fmt::format("*cn_nth(b, {0}, {0}->count - 1)", v)));
      return true;
    }
    case Op::First:
    case Op::Rest:
    case Op::Next:
    case Op::Count:
    case Op::IsEmpty:
      ++state_.applications;
      return call_native(ext_native(at[1]), {f.reg(at->b)}, at->a);
    case Op::Cons:
      ++state_.applications;
      return call_native(ext_native(at[1]), {f.reg(at->b), f.reg(at->c)}, at->a);
    case Op::Sample: {
      if (unit_) return give_up();
      ++state_.applications;
      const Known law = f.reg(at->b);
      if (law.type != Type::Any) return give_up();
      const Known drawn = draw(law);
      set(at->a, drawn);
      return true;
    }
    case Op::SampleDirect: {
      if (unit_) return give_up();
      ++state_.applications;
      std::vector<Known> parameters;
      for (std::uint32_t i = 0; i < at->c; ++i) parameters.push_back(f.reg(at->b + i));
      show(parameters);
      const Known drawn =
          draw_direct(reinterpret_cast<const DistType*>(word_of(at[2])), parameters);
      set(at->a, drawn);
      return true;
    }
    case Op::Observe:
    case Op::ObserveDirect:
      if (unit_) return give_up();
      ++state_.applications;
      return observe(at);
    case Op::Predict:
      return unit_ ? give_up() : predict(at);
    case Op::Exit:
      return unit_ ? give_up() : finish(f.reg(at->a));
    default:
      return give_up();
  }
}

bool Translator::make_closure(const Instr* at) {
  AbstractFrame& f = state_.top();
  const FunctionProto* proto = f.code->functions[static_cast<std::size_t>(at->wide())];
  if (proto->is_query) return give_up();
  std::vector<Known> values;
  for (const Capture& c : proto->captures) {
    const Known k = c.index == kSelfCapture ? f.slots[0]
                    : c.from_local          ? f.reg(c.index)
                                            : captured(f.slots[0], c.index);
    if (k.kind == Known::Kind::Nothing) return give_up();  // letfn: it is filled in later
    values.push_back(k);
  }
  Known made = build_closure(proto, std::move(values));
  if (unit_) show(made);
  set(at->a, made);
  return true;
}

const Shape* Translator::shape_of(const std::vector<Known>& values) {
  std::string key;
  auto shape = std::make_unique<Shape>();
  for (const Known& k : values) {
    Known held;
    if (k.is_constant()) {
      held = k;
      key += fmt::format("c{}.{} ", static_cast<std::uint64_t>(k.value.tag), k.value.bits);
    } else {
      held.kind = Known::Kind::Varying;
      held.type = k.type;
      held.tag = k.tag;
      held.proto = k.proto;
      held.law = k.law;
      held.process = k.process;
      held.shape = k.shape;
      key += fmt::format("v{}.{}.{}.{}.{}.{} ", static_cast<int>(k.type),
                         static_cast<std::uint64_t>(k.tag), static_cast<const void*>(k.proto),
                         static_cast<const void*>(k.law), static_cast<const void*>(k.process),
                         static_cast<const void*>(k.shape));
    }
    shape->held.push_back(held);
  }
  std::unique_ptr<Shape>& known = shapes_[key];
  if (!known) known = std::move(shape);
  return known.get();
}

bool Translator::jump_if(const Instr* at, bool when) {
  AbstractFrame& f = state_.top();
  const Known k = f.reg(at->a);
  if (k.kind == Known::Kind::Nothing) return give_up();
  if (k.is_constant() || k.type == Type::Int || k.type == Type::Double ||
      (k.type == Type::Any && k.tag != Tag::Nil)) {
    const bool truthy = k.is_constant() ? k.value.truthy() : true;
    if (truthy == when) f.pc += at->wide();
    return true;
  }
  State other = state_;
  other.top().pc += at->wide();
  branch(k.is_uniform(), (when ? "!" : "") + writer_->truth(k), std::move(other));
  return true;
}

bool Translator::arithmetic(const Instr* at) {
  const bool with_constant = at->op == Op::AddInt;
  for (const std::uint32_t reg :
       {std::uint32_t{at->b}, with_constant ? at->b : std::uint32_t{at->c}}) {
    state_.top().pc = at;  // where a fork goes on
    switch (refine(reg)) {
      case Refined::Yes:
        state_.top().pc = at + 1 + op_words(at->op);
        break;
      case Refined::Forked:
        return true;
      case Refined::Never: {
        AbstractFrame& f = state_.top();
        f.pc = at + 1 + op_words(at->op);
        ++state_.applications;
        const Known second = with_constant
                                 ? Known::constant(Value::integer(static_cast<std::int16_t>(at->c)))
                                 : f.reg(at->c);
        return call_native(ext_native(at[1]), {f.reg(at->b), second}, at->a);
      }
    }
  }
  AbstractFrame& f = state_.top();
  const Known a = f.reg(at->b);
  const Known b = with_constant ? Known::constant(Value::integer(static_cast<std::int16_t>(at->c)))
                                : f.reg(at->c);
  ++state_.applications;
  const bool uniform = a.is_uniform() && b.is_uniform();
  const char* const sign = at->op == Op::Sub   ? "-"
                           : at->op == Op::Mul ? "*"
                           : at->op == Op::Div ? "/"
                                               : "+";
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  if (integers && (at->op == Op::Div || (a.is_constant() && b.is_constant())))
    return call_native(ext_native(at[1]), {a, b}, at->a);
  if (!integers) {
    set(at->a, writer_->compute(Type::Double, uniform,
                                fmt::format("{} {} {}", writer_->real(a), sign, writer_->real(b))));
    return true;
  }
  const char* const checked = at->op == Op::Sub   ? "__builtin_ssubl_overflow"
                              : at->op == Op::Mul ? "__builtin_smull_overflow"
                                                  : "__builtin_saddl_overflow";
  const Known k = writer_->compute(Type::Int, uniform, "0");
  writer_->guard(uniform, fmt::format("!{}({}, {}, &{})", checked, writer_->number(a),
                                      writer_->number(b), Writer::name(k.variable)));
  set(at->a, k);
  return true;
}

// Whether a stands before b, of numbers.
Known Translator::order(Op op, const Known& a, const Known& b) {
  const bool integers = a.type == Type::Int && b.type == Type::Int;
  const auto of = [&](const auto& holds, const char* sign) {
    if (a.is_constant() && b.is_constant()) {
      const Value &x = a.value, &y = b.value;
      const auto real = [](const Value& v) {
        return v.is(Tag::Int) ? static_cast<double>(v.i) : v.d;
      };
      return Known::constant(Value::boolean(integers ? holds(x.i, y.i) : holds(real(x), real(y))));
    }
    return writer_->compute(
        Type::Bool, a.is_uniform() && b.is_uniform(),
        fmt::format("{} {} {}", integers ? writer_->number(a) : writer_->real(a), sign,
                    integers ? writer_->number(b) : writer_->real(b)));
  };
  switch (op) {
    case Op::Lt:
    case Op::JumpUnlessLt:
      return of(std::less<>(), "<");
    case Op::Le:
    case Op::JumpUnlessLe:
      return of(std::less_equal<>(), "<=");
    case Op::Gt:
      return of(std::greater<>(), ">");
    case Op::Ge:
      return of(std::greater_equal<>(), ">=");
    default:
      return of(std::equal_to<>(), "==");
  }
}

// Comparisons, and jumps on them.
bool Translator::compare(const Instr* at, bool jumps) {
  const std::uint32_t left = jumps ? at->a : at->b;
  const std::uint32_t right = jumps ? at->b : at->c;
  const bool equality = at->op == Op::Eq || at->op == Op::JumpUnlessEq;
  const Instr* const next = at + 1 + op_words(at->op);
  Known result;
  if (equality) {
    Known sides[] = {state_.top().reg(left), state_.top().reg(right)};
    show(sides);
    const Known &a = sides[0], &b = sides[1];
    const bool uniform = a.is_uniform() && b.is_uniform();
    if (a.type == b.type && a.type != Type::Any)
      result =
          writer_->compute(Type::Bool, uniform,
                           a.type == Type::Bool ? writer_->truth(a) + " == " + writer_->truth(b)
                                                : writer_->number(a) + " == " + writer_->number(b));
    else if (a.type != Type::Any && b.type != Type::Any)
      result = Known::constant(Value::boolean(false));
    else
      result =
          writer_->compute(Type::Bool, uniform,
                           fmt::format("b->equal({}, {})", writer_->boxed(a), writer_->boxed(b)));
    if (!result.is_constant() && result.type == Type::Bool &&
        (a.type == Type::Any || b.type == Type::Any))
      writer_->guard(uniform, fmt::format("{} >= 0", Writer::name(result.variable)));
  } else {
    for (const std::uint32_t reg : {left, right}) {
      state_.top().pc = at;
      const Refined refined = refine(reg);
      if (refined == Refined::Forked) return true;
      if (refined == Refined::Never) return give_up();
    }
    state_.top().pc = next;
    const Known a = state_.top().reg(left);
    const Known b = state_.top().reg(right);
    result = order(at->op, a, b);
  }
  ++state_.applications;
  if (!jumps) {
    set(at->a, result);
    return true;
  }
  const auto offset = static_cast<std::int16_t>(at->c);
  if (result.is_constant()) {
    if (!result.value.truthy()) state_.top().pc += offset;
    return true;
  }
  State other = state_;
  other.top().pc += offset;
  branch(result.is_uniform(), writer_->truth(result), std::move(other));
  return true;
}

bool Translator::call(std::uint32_t window, std::uint32_t count, std::uint16_t dst,
                      const Instr* back) {
  AbstractFrame& f = state_.top();
  const Known function = f.reg(window);
  std::vector<Known> arguments;
  for (std::uint32_t i = 0; i < count; ++i) arguments.push_back(f.reg(window + 1 + i));
  ++state_.applications;
  if (function.is_constant() && function.value.is(Tag::Native)) {
    const NativeDef* native = function.value.native;
    if (static_cast<int>(count) < native->min_args ||
        (native->max_args >= 0 && static_cast<int>(count) > native->max_args))
      return give_up();
    return call_native(native, arguments, dst);
  }
  AbstractFrame caller = f;
  caller.pc = back;
  caller.dst = dst;
  caller.kind = FrameKind::Normal;
  caller.slots.resize(window + 1u);
  return enter_function(function, std::move(arguments), std::move(caller));
}

bool Translator::enter_function(const Known& function, std::vector<Known> arguments,
                                AbstractFrame caller) {
  if (!function.proto || state_.frames.size() > kMostInlined) return give_up();
  const CodeBlock* callee = function.proto->find(static_cast<std::uint32_t>(arguments.size()));
  if (!callee || callee->variadic) return give_up();
  if (unit_ && is_own_function(callee))
    return call_function(function, callee, arguments, std::move(caller));
  state_.frames.back() = std::move(caller);
  AbstractFrame frame;
  frame.code = callee;
  frame.pc = callee->instrs.data();
  frame.slots.assign(callee->frame_size + 1u, Known{});
  frame.slots[0] = function;
  for (std::size_t i = 0; i < arguments.size(); ++i) frame.slots[i + 1] = arguments[i];
  state_.frames.push_back(std::move(frame));
  return true;
}

bool Translator::tail_call(const Instr* at) {
  AbstractFrame& f = state_.top();
  const Known function = f.reg(at->b);
  if (!function.proto) return call(at->b, at->c, at->a, f.pc);  // a Return follows
  std::vector<Known> arguments;
  for (std::uint32_t i = 0; i < at->c; ++i) arguments.push_back(f.reg(at->b + 1u + i));
  ++state_.applications;
  if (state_.frames.size() < 2) {
    if (mode_ != Mode::Function) return give_up();
    const CodeBlock* callee = function.proto->find(at->c);
    if (!callee || callee->variadic) return give_up();
    AbstractFrame frame;  // in the place of this one
    frame.code = callee;
    frame.pc = callee->instrs.data();
    frame.slots.assign(callee->frame_size + 1u, Known{});
    frame.slots[0] = function;
    for (std::size_t i = 0; i < arguments.size(); ++i) frame.slots[i + 1] = arguments[i];
    state_.frames.back() = std::move(frame);
    jump_to_head(state_, std::vector<bool>(state_.top().slots.size(), true));
    return false;
  }
  AbstractFrame caller = state_.frames[state_.frames.size() - 2];
  state_.frames.pop_back();
  const std::size_t frames = state_.frames.size();
  if (!enter_function(function, std::move(arguments), std::move(caller))) return false;
  if (state_.frames.size() == frames) return true;  // it was called, not inlined
  if (writer_->straight && !loops_here()) return true;
  // It may be a loop by tail calls.
  jump_to_head(state_, std::vector<bool>(state_.top().slots.size(), true));
  return false;
}

bool Translator::give_back(Known value) {
  if (mode_ == Mode::Function && state_.frames.size() == 1) return return_from_function(value);
  if (state_.frames.size() < 2 || value.kind == Known::Kind::Nothing) return give_up();
  const bool joins = !writer_->straight && liveness(state_.top().code).has_several_returns();
  state_.frames.pop_back();
  AbstractFrame& f = state_.top();
  if (f.kind != FrameKind::Normal) return give_up();
  if (f.slots.size() < f.code->frame_size + 1u) f.slots.resize(f.code->frame_size + 1u);
  if (f.dst != kNoDestination) f.slots[f.dst + 1u] = value;
  if (joins && !(mode_ == Mode::Loop && state_.frames.size() == 1)) {
    jump_to_label(state_);
    return false;
  }
  return true;
}

bool Translator::reduce_vector(const Instr* at) {
  if (!at_label_ && (!writer_->straight || loops_here())) {
    if (writer_->straight || state_.top().reg(at->a + 3u).is_constant()) {
      // The head of a loop over the vector: one block for all its turns.
      state_.top().pc = at;
      jump_to_head(state_, written_between(*state_.top().code, at, at));
      return false;
    }
  }
  AbstractFrame& f = state_.top();
  Known result = f.reg(at->a + 1u);
  const Known vector = f.reg(at->a + 2u);
  const Known index = f.reg(at->a + 3u);
  if (vector.tag != Tag::Vector || index.type != Type::Int) return give_up();
  if (result.type == Type::Any && !result.is_constant() && result.tag == Tag::Nil)
    writer_->guard(result.is_uniform(), fmt::format("{}.tag != {}", Writer::name(result.variable),
                                                    static_cast<std::uint64_t>(Tag::Reduced)));
  if (result.tag == Tag::Reduced) return give_up();
  const bool uniform = vector.is_uniform() && index.is_uniform();
  const std::string v = writer_->object(vector, "cn_vector");
  Known element;
  if (vector.is_constant() && index.is_constant()) {
    const auto* items = vector.value.as<Vector>();
    if (static_cast<std::uint64_t>(index.value.i) >= items->count) return true;
    element = Known::constant(vector_nth(items, static_cast<std::uint32_t>(index.value.i)));
  } else {
    State done = state_;
    branch(uniform, fmt::format("(uint64_t){} < {}->count", writer_->number(index), v),
           std::move(done));
    element = writer_->compute(
        Type::Any, uniform, fmt::format("*cn_nth(b, {}, (uint32_t){})", v, writer_->number(index)));
    if (vector.has_example() && vector.example.is(Tag::Vector))
      element.example = example_element(vector.example);
  }
  AbstractFrame& g = state_.top();
  if (index.is_constant())
    g.slots[at->a + 4u] = Known::constant(Value::integer(index.value.i + 1));
  else
    g.slots[at->a + 4u] =
        writer_->compute(Type::Int, index.is_uniform(), writer_->number(index) + " + 1");
  ++state_.applications;
  const Known function = g.reg(at->a);
  AbstractFrame caller = g;
  caller.pc = at;
  caller.dst = static_cast<std::uint16_t>(at->a + 1);
  caller.kind = FrameKind::Normal;
  caller.slots.resize(at->a + 5u);  // the call's window begins at a+4
  return enter_function(function, {result, element}, std::move(caller));
}

bool Translator::get(const Known& collection, const Known& key, const NativeDef* native,
                     std::uint32_t dst) {
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
  // Out of range: nil or an error, both rare.
  const std::string v = writer_->object(collection, "cn_vector");
  writer_->guard(uniform, fmt::format("(uint64_t){} < {}->count", index, v));
  Known k =
      writer_->compute(Type::Any, uniform, fmt::format("*cn_nth(b, {}, (uint32_t){})", v, index));
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

bool Translator::call_native(const NativeDef* native, std::vector<Known> values,
                             std::uint32_t dst) {
  show(values);
  const bool world = changes_world(native);
  if ((!world && !keeps_to_values(native)) || (world && unit_)) return give_up();
  if (world) leave_family();
  bool constant = true;
  bool uniform = !world;
  bool examples = !world;
  for (const Known& k : values) {
    if (k.kind == Known::Kind::Nothing) return give_up();
    constant = constant && k.is_constant();
    uniform = uniform && k.is_uniform();
    examples = examples && k.is_uniform() && k.has_example();
  }
  if (constant && uniform) {  // a number or the like is worked out here
    std::vector<Value> plain;
    for (const Known& k : values) plain.push_back(k.value);
    cx_.callee = native;
    const Value v = native->function(cx_, plain.data(), static_cast<std::uint32_t>(plain.size()));
    const bool ok = cx_.ok() && !v.is_object();
    cx_.status = NativeContext::Status::Ok;
    if (ok) {
      set(dst, Known::constant(v));
      return true;
    }
  }
  if (!uniform && draw_produced(native, values, dst)) return true;
  bool done = false;
  Known result = simple_native(native, values, &done);
  if (!done && !(examples && uniform)) result = make_law(native, values, &done);
  if (!done && !uniform) result = library_kernel(native, values, &done);
  if (!done) {
    result = writer_->compute(Type::Any, uniform,
                              fmt::format("b->native(b, {}, {}, {})", writer_->pointer(native),
                                          arguments(values), values.size()));
    writer_->guard(uniform, "b->status == 0");
    for (const Gives& g : kGives)
      if (std::strcmp(native->name, g.name) == 0) {
        if (g.type == Type::Any)
          result.tag = g.tag;
        else
          result =
              writer_->compute(g.type, uniform, Writer::name(result.variable) + field_of(g.type));
      }
  }
  if (examples && uniform && writer_->straight) {  // what it gave where executions begin
    std::vector<Value> plain;
    for (const Known& k : values) plain.push_back(k.example);
    cx_.callee = native;
    const Value v = native->function(cx_, plain.data(), static_cast<std::uint32_t>(plain.size()));
    if (cx_.ok()) result = of_example(result, v);
    cx_.status = NativeContext::Status::Ok;
  } else if (native->dist) {
    // The constructor of a distribution makes one, or fails.
    result.tag = Tag::Dist;
    result.law = native->dist;
  }
  set(dst, result);
  return true;
}

// (sample (produce process)): no distribution is made.
bool Translator::draw_produced(const NativeDef* native, const std::vector<Known>& values,
                               std::uint32_t dst) {
  AbstractFrame& f = state_.top();
  const Instr* at = f.pc;
  if (!is_one_of(native, {"produce"}) || !is_restaurant(values[0]) || at->op != Op::Sample ||
      at->b != dst)
    return false;
  const Instr* next = at + 1 + op_words(at->op);
  if (at->a != dst && liveness(f.code).live(next, dst)) return false;
  f.pc = next;
  ++state_.applications;
  before_draw();
  const Known drawn =
      writer_->compute(Type::Any, false,
                       fmt::format("cn_crp_sample(b, {}, {}, {}, &s)", writer_->boxed(values[0]),
                                   writer_->pointer(values[0].process), writer_->pointer(native)));
  writer_->guard(false, "b->status == 0");
  set(at->a, after_draw(drawn));
  return true;
}

// Functions whose common cases are in kernels.h.
Known Translator::library_kernel(const NativeDef* native, const std::vector<Known>& a, bool* done) {
  Known result;
  *done = true;
  if (is_one_of(native, {"get"}) && a[0].type == Type::Any) {
    result = writer_->compute(
        Type::Any, false,
        fmt::format("cn_get(b, {}, {}, {}, {}, {})", writer_->pointer(native), writer_->boxed(a[0]),
                    writer_->boxed(a[1]),
                    a.size() > 2 ? writer_->boxed(a[2]) : "cn_make(CN_NIL, 0)", a.size()));
    if (a.size() > 2) result.guess = a[2].law;
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

bool Translator::predict(const Instr* at) {
  AbstractFrame& f = state_.top();
  Known shown[] = {f.reg(at->a), f.reg(at->b)};
  show(shown);
  const Known &label = shown[0], &value = shown[1];
  if (label.kind == Known::Kind::Nothing || value.kind == Known::Kind::Nothing) return give_up();
  leave_family();
  for (const Known* k : {&label, &value})
    if (k->type == Type::Any && !(k->is_constant() && !k->value.is_object()))
      writer_->guard(false, fmt::format("b->realised(b, {})", writer_->boxed(*k)));
  writer_->line(
      fmt::format("{{ cn_predicts* const p = cn_new(b, CN_PREDICTS, sizeof(cn_predicts)); "
                  "p->previous = predicts; "
                  "p->label = {}; p->value = {}; predicts = p; }}",
                  writer_->boxed(label), writer_->boxed(value)));
  return true;
}

bool Translator::finish(Known result) {
  show(result);
  if (result.kind == Known::Kind::Nothing) return give_up();
  leave_family();
  if (result.type == Type::Any && !(result.is_constant() && !result.value.is_object()))
    writer_->guard(false, fmt::format("b->realised(b, {})", writer_->boxed(result)));
  writer_->line(fmt::format(
      "{{ cn_execution* const y = &b->to[i]; b->results[i] = {}; y->top = 0; y->world = b->world; "
      "y->predicts = predicts; y->applications = applications + {}; continue; }}",
      writer_->boxed(result), state_.applications));
  worthwhile_ = true;
  ways_out_.ends = true;
  ways_out_.by_particle |= !writer_->straight;
  return false;
}

}  // namespace chancel::native
