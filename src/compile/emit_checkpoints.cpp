// SPDX-License-Identifier: Apache-2.0
// See function_emitter.hpp: sample and observe, where executions stop and are resumed.
#include <algorithm>

#include "compile/function_emitter.hpp"

namespace chancel {

using namespace core;

const NativeDef* FunctionEmitter::direct_dist(Node* node) {
  if (node->kind != Kind::Call) return nullptr;
  auto* c = static_cast<core::Call*>(node);
  const NativeDef* def = native_callee(c->function);
  // A constructor with a user pointer is called as the native it is.
  return def && def->dist && !def->user && takes(def, c->args.size()) ? def : nullptr;
}

std::uint16_t FunctionEmitter::id_register(Node* id) {
  return id ? static_cast<std::uint16_t>(operand(id) + 1) : std::uint16_t{0};
}

void FunctionEmitter::sample(Sample* s, std::uint32_t dst) {
  const std::uint32_t saved = top_;
  const std::uint32_t site = unit_.program.add_site(SiteKind::Sample, s->span, proto_->name);
  const std::uint16_t id = id_register(s->id);
  if (const NativeDef* def = direct_dist(s->dist)) {
    auto* c = static_cast<core::Call*>(s->dist);
    const std::uint32_t base = top_;
    arguments(c->args);
    note(top_ + 4);
    const std::size_t at =
        emit(Op::SampleDirect, dst, base, static_cast<std::uint32_t>(c->args.size()), c->span);
    argument_spans(at, c->args);
    top_ = saved;
    site_word(site, id, s->span);
    word(instr_of(reinterpret_cast<std::uint64_t>(def->dist)), s->span);
    return;
  }
  const std::uint16_t d = operand(s->dist);
  note(top_ + 4);
  const std::size_t at = emit(Op::Sample, dst, d, 0, s->span);
  argument_spans(at, {s->dist});
  top_ = saved;
  site_word(site, id, s->span);
}

void FunctionEmitter::observe(Observe* o, std::uint32_t dst) {
  const std::uint32_t saved = top_;
  const std::uint32_t site = unit_.program.add_site(SiteKind::Observe, o->span, proto_->name);
  const std::uint16_t id = id_register(o->id);
  if (const NativeDef* def = direct_dist(o->dist)) {
    auto* c = static_cast<core::Call*>(o->dist);
    const std::uint32_t base = top_;
    arguments(c->args);
    const std::uint32_t r = top_;
    expr(o->value, r, false);
    top_ = r;
    push();
    note(top_ + 4);
    const std::size_t at =
        emit(Op::ObserveDirect, dst, base, static_cast<std::uint32_t>(c->args.size()), c->span);
    std::vector<Node*> all = c->args;
    all.push_back(o->value);
    argument_spans(at, all);
    top_ = saved;
    site_word(site, id, o->span);
    word(instr_of(reinterpret_cast<std::uint64_t>(def->dist)), o->span);
    return;
  }
  const std::uint16_t d = operand(o->dist);
  const std::uint16_t v = operand(o->value);
  note(top_ + 4);
  const std::size_t at = emit(Op::Observe, dst, d, v, o->span);
  argument_spans(at, {o->dist, o->value});
  top_ = saved;
  site_word(site, id, o->span);
}

void FunctionEmitter::site_word(std::uint32_t site, std::uint16_t id, Span span) {
  // When the checkpoint has an id, its register must be thawed with the rest.
  const std::uint32_t live = id ? std::max<std::uint32_t>(top_, id) : top_;
  word(make_site_word({site, static_cast<std::uint16_t>(live), id}), span);
}

}  // namespace chancel
