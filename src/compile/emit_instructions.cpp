// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: instructions with their source text, registers, constants and variables.
#include <fmt/format.h>

#include "compile/function_emitter.hpp"

namespace chancel {

using namespace core;

namespace {
constexpr std::uint32_t kMaxRegisters = 8000;
}  // namespace

std::uint16_t FunctionEmitter::push() {
  const std::uint32_t r = top_++;
  note(r);
  return static_cast<std::uint16_t>(r);
}

void FunctionEmitter::note(std::uint32_t r) {
  if (r >= most_) most_ = r + 1;
  if (r > kMaxRegisters) {
    too_large();
    top_ = 0;
    most_ = 1;
  }
}

void FunctionEmitter::too_large() {
  if (!unit_.too_large)
    unit_.sink.error(Code::C001, proto_->span,
                     fmt::format("this function is too large: it holds more than {} values at "
                                 "once (local names, arguments of calls)",
                                 kMaxRegisters),
                     "split it into smaller functions");
  unit_.too_large = true;
}

std::size_t FunctionEmitter::emit(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                  Span span) {
  unit_.program.take(sizeof(Instr) + sizeof(Span));
  code_->instrs.push_back({op, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                           static_cast<std::uint16_t>(c)});
  code_->spans.push_back(span);
  code_->live.push_back(static_cast<std::uint16_t>(top_));
  return code_->instrs.size() - 1;
}

std::size_t FunctionEmitter::emit_wide(Op op, std::uint32_t a, std::int64_t wide, Span span) {
  const auto w = static_cast<std::uint32_t>(wide);
  return emit(op, a, w & 0xffff, w >> 16, span);
}

void FunctionEmitter::word(Instr w, Span span) {
  unit_.program.take(sizeof(Instr) + sizeof(Span));
  code_->instrs.push_back(w);
  code_->spans.push_back(span);
  code_->live.push_back(static_cast<std::uint16_t>(top_));
}

void FunctionEmitter::native_word(const NativeDef* def, Span span) {
  word(make_pointer_word(def, static_cast<std::uint16_t>(top_)), span);
}

std::size_t FunctionEmitter::here() const { return code_->instrs.size(); }

void FunctionEmitter::patch(std::size_t jump) {
  const std::ptrdiff_t offset =
      static_cast<std::ptrdiff_t>(here()) - static_cast<std::ptrdiff_t>(jump) - 1;
  Instr& i = code_->instrs[jump];
  switch (i.op) {
    case Op::JumpUnlessLt:
    case Op::JumpUnlessLe:
    case Op::JumpUnlessEq:
      if (offset > 32000) throw TooFar{};
      i.c = static_cast<std::uint16_t>(offset);
      return;
    default:
      i.b = static_cast<std::uint16_t>(offset & 0xffff);
      i.c = static_cast<std::uint16_t>((offset >> 16) & 0xffff);
  }
}

void FunctionEmitter::argument_spans(std::size_t pc, const std::vector<Node*>& args) {
  ArgumentSpans entry{static_cast<std::uint32_t>(pc), {}};
  unit_.program.take(sizeof(ArgumentSpans) + 16 + args.size() * sizeof(Span));
  entry.spans.reserve(args.size());
  for (const Node* a : args) entry.spans.push_back(a->span);
  code_->argument_spans.push_back(std::move(entry));
}

std::uint32_t FunctionEmitter::constant(const Value& v) {
  const auto [place, fresh] =
      constants_.try_emplace({v.tag, v.bits}, static_cast<std::uint32_t>(code_->constants.size()));
  if (fresh) {
    unit_.program.take(2 * sizeof(Value));
    code_->constants.push_back(v);
  }
  return place->second;
}

void FunctionEmitter::load_value(const Value& v, std::uint32_t dst, Span span) {
  note(dst);
  if (v.is_nil())
    emit(Op::LoadNil, dst, 0, 0, span);
  else if (v.is(Tag::Int) && v.i >= INT32_MIN && v.i <= INT32_MAX)
    emit_wide(Op::LoadInt, dst, v.i, span);
  else
    emit_wide(Op::LoadConst, dst, constant(v), span);
}

void FunctionEmitter::load_local(const Binding* b, std::uint32_t dst, Span span) {
  note(dst);
  if (auto it = registers_.find(b); it != registers_.end()) {
    if (it->second != dst) emit(Op::Move, dst, it->second, 0, span);
  } else if (b == self_) {
    emit(Op::LoadSelf, dst, 0, 0, span);
  } else {
    emit(Op::LoadCaptured, dst, capture(b), 0, span);
  }
}

std::uint16_t FunctionEmitter::operand(Node* node) {
  if (node->kind == Kind::Local) {
    const auto it = registers_.find(static_cast<Local*>(node)->binding);
    if (it != registers_.end()) return it->second;
  }
  const std::uint32_t r = top_;
  expr(node, r, false);
  top_ = r;
  return push();
}

}  // namespace chancel
