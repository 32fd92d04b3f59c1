// SPDX-License-Identifier: Apache-2.0
// See functions.hpp.
#include "native/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "native/translator.hpp"

namespace chancel::native {

namespace {

constexpr std::size_t kMostFunctions = 40;
constexpr int kMostRounds = 8;
constexpr std::size_t kMostWork = 20000;                   // instructions in all rounds
constexpr std::size_t kMostText = std::size_t{200} << 10;  // bytes
constexpr std::size_t kLargestInlined = 60;                // instruction words

bool needs_self(const CodeBlock& code) {
  const Instr* at = code.instrs.data();
  const Instr* const end = at + code.instrs.size();
  for (; at < end; at += 1 + op_words(at->op)) {
    if (at->op == Op::LoadSelf || at->op == Op::LoadCaptured || at->op == Op::GetCaptured)
      return true;
    if (at->op == Op::MakeClosure) return true;
  }
  return false;
}

std::string signature_of(const CompiledFunction& f) {
  std::string text = fmt::format("static {} function_{}(cn_batch* b",
                                 f.gives ? Writer::c_type(*f.gives) : "int", f.number);
  if (f.has_self) text += ", cn_value self";
  for (std::size_t i = 0; i < f.arguments.size(); ++i)
    text += fmt::format(", {} p{}", Writer::c_type(f.arguments[i]), i);
  return text + ")";
}

}  // namespace

const CompiledFunction& FunctionUnit::callee(const FunctionProto* proto, const CodeBlock* code,
                                             std::vector<Type> arguments) {
  for (const CompiledFunction& f : functions_)
    if (f.code == code && f.arguments == arguments) return f;
  CompiledFunction f;
  f.number = functions_.size();
  f.proto = proto;
  f.code = code;
  f.has_self = needs_self(*code);
  f.arguments = std::move(arguments);
  functions_.push_back(std::move(f));
  return functions_.back();
}

const Value& FunctionUnit::global(std::uint32_t index) {
  const Value& v = globals_[index];
  if (std::none_of(globals.begin(), globals.end(),
                   [&](const GlobalKind& g) { return g.index == index; }))
    globals.push_back({index, v.tag,
                       v.is(Tag::Closure)  ? static_cast<const void*>(v.as<Closure>()->function)
                       : v.is(Tag::Native) ? static_cast<const void*>(v.native)
                                           : nullptr});
  return v;
}

std::string FunctionUnit::function(const CodeBlock* code, const Value* registers,
                                   NativeContext& cx) {
  std::vector<Type> types;
  for (std::uint32_t i = 0; i < code->params; ++i) {
    types.push_back(type_of(registers[i]));
    if (types.back() != Type::Any)
      slots.push_back({static_cast<std::int32_t>(i), registers[i].tag, nullptr});
  }
  callee(code->proto, code, types);
  return agree(cx, [&](Translator&) { return entry_of(functions_[0]); });
}

std::string FunctionUnit::loop(const CodeBlock* code, const Instr* head, const Value* registers,
                               NativeContext& cx) {
  const Liveness liveness(*code);
  std::vector<AbstractValue> known(code->frame_size + 1u);
  for (std::int32_t r = -1; r < static_cast<std::int32_t>(code->frame_size); ++r) {
    if (r < 0 ? !liveness.needs_function(head)
              : !liveness.live(head, static_cast<std::uint32_t>(r)))
      continue;
    AbstractValue& k = known[static_cast<std::size_t>(r + 1)];
    k.kind = AbstractValue::Kind::Varying;
    k.type = type_of(registers[r]);
    if (k.type == Type::Any) k.learn(registers[r]);
    k.distribution = nullptr;
    k.process = nullptr;
    slots.push_back({r, registers[r].tag, k.proto});
  }
  return agree(cx, [&](Translator& translator) { return translator.loop(code, head, known); });
}

std::string FunctionUnit::agree(NativeContext& cx,
                                const std::function<std::string(Translator&)>& entry) {
  std::size_t work = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::size_t before = functions_.size();
    bool agreed = true;
    returns = false;
    Translator translator(*this, cx);
    const std::string last = entry(translator);
    work += translator.instructions();
    std::string texts;
    for (std::size_t i = 0; i < functions_.size() && i < kMostFunctions; ++i) {
      std::optional<Type> gives;
      texts += translator.function(functions_[i], &gives);
      work += translator.instructions();
      if (work > kMostWork || texts.size() > kMostText) return {};
      if (gives != functions_[i].gives) agreed = false;
      functions_[i].gives = gives;
    }
    if (functions_.size() > kMostFunctions || !returns) return {};
    if (!agreed || functions_.size() != before) continue;
    constants = translator.tables().constants;
    pointers = translator.tables().pointers;
    std::string text;
    for (const CompiledFunction& f : functions_) text += signature_of(f) + ";\n";
    return text + texts + last;
  }
  return {};
}

std::string FunctionUnit::entry_of(const CompiledFunction& f) {
  std::string arguments = f.has_self ? ", registers[-1]" : "";
  for (std::size_t i = 0; i < f.arguments.size(); ++i)
    arguments += fmt::format(", registers[{}]{}", i, Writer::field(f.arguments[i]));
  const Type type = f.gives.value_or(Type::Any);
  const char* const box = type == Type::Int      ? "cn_int"
                          : type == Type::Double ? "cn_real"
                          : type == Type::Bool   ? "cn_bool"
                                                 : "";
  return fmt::format(
      "int64_t entry(cn_batch* b, cn_value* registers) {{\n  {} given = function_0(b{});\n"
      "  if (b->status) return -1;\n  b->results[0] = {}(given);\n  return 0;\n}}\n",
      Writer::c_type(type), arguments, box);
}

// --- the translator's part ---

void Translator::begin_plain(Mode mode) {
  mode_ = mode;
  writer_.emplace(tables_);
  leave_straight();
  forks_.clear();
  labels_.clear();
  blocks_.clear();
  met_.clear();
  fork_labels_ = label_count_ = instructions_ = 0;
  gives_.reset();
  state_ = State{};
}

std::string Translator::function(const CompiledFunction& f, std::optional<Type>* gives) {
  begin_plain(Mode::Function);
  supposed_ = f.gives;
  std::string entry =
      "  if (unlikely((char*)__builtin_frame_address(0) < b->stack_end)) goto bail;\n"
      "  if (unlikely(--b->calls_left < 0) && b->should_stop(b)) goto bail;\n";
  AbstractFrame frame;
  frame.code = f.code;
  frame.pc = f.code->instrs.data();
  frame.slots.assign(f.code->frame_size + 1u, AbstractValue{});
  const auto parameter = [&](Type type, const std::string& name) {
    AbstractValue k;
    k.kind = AbstractValue::Kind::Varying;
    k.type = type;
    k.variable = writer_->variable(type);
    entry += fmt::format("  {} = {};\n", Writer::name(k.variable), name);
    return k;
  };
  if (f.has_self) frame.slots[0] = parameter(Type::Any, "self");
  frame.slots[0].proto = f.proto;
  frame.slots[0].tag = Tag::Closure;
  for (std::size_t i = 0; i < f.arguments.size(); ++i)
    frame.slots[i + 1] = parameter(f.arguments[i], fmt::format("p{}", i));
  state_.frames.push_back(std::move(frame));
  follow();
  follow_blocks();
  *gives = gives_;
  const bool plain = !f.gives || *f.gives != Type::Any;
  return writer_->plain_function(
      signature_of(f), entry,
      fmt::format("  b->status = 1;\n  return {};\n", plain ? "0" : "cn_make(CN_NIL, 0)"));
}

std::string Translator::loop(const CodeBlock* code, const Instr* head,
                             const std::vector<AbstractValue>& registers) {
  begin_plain(Mode::Loop);
  // The outermost loop around the head: it is left when that is.
  region_begin_ = head;
  region_end_ = head;
  const Instr* const end = code->instrs.data() + code->instrs.size();
  for (bool grown = true; grown;) {
    grown = false;
    for (const Instr* at = code->instrs.data(); at < end; at += 1 + op_words(at->op)) {
      if (at->op != Op::LoopJump) continue;
      const Instr* const to = at + 1 + at->wide();
      if (to > region_begin_ || at < region_end_ || (to == region_begin_ && at == region_end_))
        continue;
      region_begin_ = to;
      region_end_ = at;
      grown = true;
    }
  }
  std::string entry;
  AbstractFrame frame;
  frame.code = code;
  frame.pc = head;
  frame.slots = registers;
  for (std::size_t s = 0; s < frame.slots.size(); ++s) {
    AbstractValue& k = frame.slots[s];
    if (k.kind == AbstractValue::Kind::Nothing) continue;
    k.variable = writer_->variable(k.type);
    entry += fmt::format("  {} = registers[{}]{};\n", Writer::name(k.variable),
                         static_cast<std::int64_t>(s) - 1, Writer::field(k.type));
  }
  state_.frames.push_back(std::move(frame));
  jump_to_label(state_);
  follow_blocks();
  return writer_->plain_function("int64_t entry(cn_batch* b, cn_value* registers)", entry,
                                 "  return -1;\n");
}

AbstractValue Translator::global(std::uint32_t index) {
  const Value& v = unit_->global(index);
  if (Program::is_unbound(v)) return {};
  if (v.is(Tag::Native)) return AbstractValue::constant(v);
  const Type type = type_of(v);
  AbstractValue k =
      writer_->compute(type, false, fmt::format("b->globals[{}]{}", index, Writer::field(type)));
  if (type == Type::Any) {
    k.tag = v.tag;
    if (v.is(Tag::Closure)) k.proto = proto_of(v.as<Closure>());
  }
  return k;
}

bool Translator::is_own_function(const CodeBlock* callee) const {
  return callee->instrs.size() > kLargestInlined ||
         std::any_of(state_.frames.begin(), state_.frames.end(),
                     [&](const AbstractFrame& f) { return f.code == callee; });
}

bool Translator::call_function(const AbstractValue& function, const CodeBlock* callee,
                               const std::vector<AbstractValue>& arguments, AbstractFrame caller) {
  std::vector<Type> types;
  for (const AbstractValue& k : arguments) {
    if (k.kind == AbstractValue::Kind::Nothing) return give_up();
    types.push_back(k.type);
  }
  const CompiledFunction& f = unit_->callee(function.proto, callee, types);
  if (f.has_self && function.kind == AbstractValue::Kind::Nothing) return give_up();
  std::string text = fmt::format("function_{}(b", f.number);
  if (f.has_self) text += ", " + writer_->boxed(function);
  for (const AbstractValue& k : arguments)
    text += ", " + (k.type == Type::Any    ? writer_->boxed(k)
                    : k.type == Type::Bool ? writer_->truth(k)
                                           : writer_->number(k));
  text += ")";
  writer_->line(fmt::format("b->applications = applications + {};", state_.applications));
  state_.applications = 0;
  if (!f.gives) {  // supposed to give nothing: looked at again when more is known
    writer_->line(text + ";");
    writer_->bail(false);
    return false;
  }
  const AbstractValue given = writer_->compute(*f.gives, false, text);
  writer_->guard(false, "!b->status");
  writer_->line("applications = b->applications;");
  state_.frames.back() = std::move(caller);
  AbstractFrame& top = state_.top();
  if (top.slots.size() < top.code->frame_size + 1u) top.slots.resize(top.code->frame_size + 1u);
  if (top.dst != kNoDestination) top.slots[top.dst + 1u] = given;
  return true;
}

bool Translator::return_from_function(const AbstractValue& value) {
  if (value.kind == AbstractValue::Kind::Nothing) return give_up();
  const std::optional<Type> before = gives_;
  gives_ = before && *before != value.type ? Type::Any : value.type;
  unit_->returns = true;
  const Type type = supposed_.value_or(value.type);
  writer_->line(fmt::format("b->applications = applications + {};", state_.applications));
  writer_->line(fmt::format("return {};", type == Type::Any    ? writer_->boxed(value)
                                          : type == Type::Bool ? writer_->truth(value)
                                                               : writer_->number(value)));
  return false;
}

bool Translator::leave_loop(const State& state) {
  const AbstractFrame& f = state.frames[0];
  const Liveness& l = liveness(f.code);
  for (std::uint32_t r = 0; r < f.code->frame_size; ++r) {
    const AbstractValue k = r + 1 < f.slots.size() && l.live(f.pc, r) ? f.reg(r) : AbstractValue{};
    // Registers that are not live become nil: the collector still reads them.
    writer_->line(fmt::format("registers[{}] = {};", r,
                              k.kind == AbstractValue::Kind::Nothing
                                  ? std::string("cn_make(CN_NIL, 0)")
                                  : writer_->boxed(k)));
  }
  writer_->line(fmt::format("b->applications = applications + {}; return {};", state.applications,
                            f.pc - f.code->instrs.data()));
  unit_->returns = true;
  return false;
}

}  // namespace chancel::native
