// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: functions, what they capture, and try, whose parts are functions.
#include <algorithm>

#include "compile/function_emitter.hpp"

namespace chancel {

using namespace core;

namespace {
constexpr std::size_t kMaxCaptured = 60000;
}  // namespace

std::uint16_t FunctionEmitter::capture(const Binding* b) {
  const auto [place, fresh] =
      capture_index_.try_emplace(b, static_cast<std::uint16_t>(captured_.size()));
  if (!fresh) return place->second;
  const std::uint16_t index = place->second;
  CHANCEL_ASSERT(parent_, "unresolved local");
  if (captured_.size() >= kMaxCaptured) {
    too_large();
    return 0;
  }
  unit_.program.take(2 * sizeof(Capture));
  captured_.push_back(b);
  proto_->captures.push_back(parent_->capture_of(b));
  return index;
}

Capture FunctionEmitter::capture_of(const Binding* b) {
  if (self_ == b) return {true, kSelfCapture};
  if (auto it = registers_.find(b); it != registers_.end()) return {true, it->second};
  return {false, capture(b)};
}

FunctionProto* FunctionEmitter::lambda_proto(Lambda* lam, const Name* name, const Binding* self) {
  if (const auto it = unit_.made.find(lam); it != unit_.made.end()) {
    FunctionProto* proto = it->second.proto;
    for (std::size_t k = 0; k < it->second.captured.size(); ++k)
      proto->captures[k] = capture_of(it->second.captured[k]);
    return proto;
  }
  FunctionProto* proto = unit_.program.add_function();
  proto->name = name ? name : lam->name;
  proto->span = lam->span;
  proto->is_query = lam->is_query;
  proto->is_anglican = lam->is_anglican;
  proto->source = lam->source;
  FunctionEmitter inner(unit_, this, proto, self);
  inner.function(*lam);
  if (lam->is_query) unit_.library.made_query(lam, unit_.nodes, proto, inner.captured_);
  unit_.made[lam] = {proto, std::move(inner.captured_)};
  return proto;
}

void FunctionEmitter::lambda(Lambda* lam, std::uint32_t dst, const Name* name) {
  note(dst);
  FunctionProto* proto = lambda_proto(lam, lam->name ? lam->name : name, lam->self);
  if (proto->captures.empty()) {  // no environment: one constant closure
    auto& constants = unit_.program.constants();
    auto* c = constants.make<Closure>(Tag::Closure, bytes_with<Closure>(1));
    c->function = proto;
    c->captured[0] = Value::nil();
    Value v = Value::object(c);
    if (proto->is_query) {
      auto* q = constants.make<Query>(Tag::Query);
      q->function = proto;
      q->body = v;
      v = Value::object(q);
    }
    emit_wide(Op::LoadConst, dst, constant(v), lam->span);
    return;
  }
  code_->functions.push_back(proto);
  emit_wide(Op::MakeClosure, dst, static_cast<std::int64_t>(code_->functions.size() - 1),
            lam->span);
}

void FunctionEmitter::fix(Fix* f, std::uint32_t dst, bool tail) {
  std::vector<std::uint16_t> regs;
  for (auto& [binding, lam] : f->functions) {
    load_value(Value::nil(), top_, lam->span);
    const std::uint16_t r = push();
    registers_[binding] = r;
    regs.push_back(r);
  }
  std::vector<FunctionProto*> protos;
  for (std::size_t k = 0; k < f->functions.size(); ++k) {
    Lambda* lam = f->functions[k].second;
    FunctionProto* proto = lambda_proto(lam, lam->name ? lam->name : f->functions[k].first->name,
                                        f->functions[k].first);
    protos.push_back(proto);
    code_->functions.push_back(proto);
    emit_wide(Op::MakeClosure, regs[k], static_cast<std::int64_t>(code_->functions.size() - 1),
              lam->span);
  }
  for (std::size_t k = 0; k < protos.size(); ++k)
    for (std::size_t c = 0; c < protos[k]->captures.size(); ++c) {
      const Capture cap = protos[k]->captures[c];
      if (!cap.from_local || cap.index == kSelfCapture) continue;
      if (std::find(regs.begin(), regs.end(), cap.index) != regs.end())
        emit(Op::PatchCapture, regs[k], static_cast<std::uint32_t>(c), cap.index, f->span);
    }
  expr(f->body, dst, tail);
}

void FunctionEmitter::try_form(Try* t, std::uint32_t dst) {
  const std::uint32_t base = top_;
  lambda(t->body, base, nullptr);
  push();
  if (t->handler)
    lambda(t->handler, top_, nullptr);
  else
    load_value(Value::nil(), top_, t->span);
  push();
  if (t->finally)
    lambda(t->finally, top_, nullptr);
  else
    load_value(Value::nil(), top_, t->span);
  push();
  note(top_ + 4);
  emit(Op::Try, dst, base, 0, t->span);
  if (t->finally) {
    emit(Op::Move, top_, base + 2, 0, t->span);
    emit(Op::Call, top_, top_, 0, t->span);
  }
  top_ = base;
}

}  // namespace chancel
