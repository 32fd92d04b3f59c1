// SPDX-License-Identifier: Apache-2.0
// Constant folding, inside out: see fold.hpp. Only functions whose results are small are folded.
#include "compile/fold.hpp"

#include <string_view>

#include "core/children.hpp"

namespace chancel {

namespace {

bool foldable(const NativeDef* def) {
  if (!(def->flags & kPure)) return false;
  if (def->dist) return true;
  static constexpr std::string_view kSmall[] = {
      "vector", "list", "hash-map", "hash-set", "array-map", "+",   "-",
      "*",      "/",    "sqrt",     "exp",      "log",       "pow", "set"};
  for (const std::string_view name : kSmall)
    if (name == def->name) return true;
  return false;
}

bool fold_call(const NativeDef* def, const std::vector<core::Node*>& args, Program& program,
               Value* out) {
  std::vector<Value> values;
  for (const core::Node* a : args) {
    if (a->kind != core::Kind::Const) return false;
    values.push_back(static_cast<const core::Const*>(a)->value);
  }
  const auto count = static_cast<int>(values.size());
  if (count < def->min_args || (def->max_args >= 0 && count > def->max_args)) return false;
  NativeContext cx(program.constants());
  cx.in_query = true;
  cx.callee = def;
  *out = def->function(cx, values.data(), static_cast<std::uint32_t>(values.size()));
  return cx.ok();
}

}  // namespace

namespace {
// The parts of the call are folded already.
void fold(core::Node*& node, core::NodeArena& nodes, Program& program, Library& library) {
  if (node->kind != core::Kind::Call) return;
  auto* call = static_cast<core::Call*>(node);
  if (call->function->kind != core::Kind::Global) return;
  const Library::Meaning m = library.resolve(static_cast<core::Global*>(call->function)->name);
  if (m.kind != Library::Meaning::Native || !foldable(m.native)) return;
  Value folded;
  if (!fold_call(m.native, call->args, program, &folded)) return;
  auto* constant = nodes.make<core::Const>(node->span, folded);
  constant->expanded_from = node->expanded_from;
  node = constant;
}
}  // namespace

void fold_constants(core::Node*& root, core::NodeArena& nodes, Program& program, Library& library) {
  // Parents come before their children in this list, so that its reverse does children first.
  std::vector<core::Node*> order = {root};
  for (std::size_t i = 0; i < order.size(); ++i)
    core::each_child(order[i], [&](core::Node*& child) { order.push_back(child); });
  for (std::size_t i = order.size(); i-- > 0;)
    core::each_child(order[i], [&](core::Node*& child) { fold(child, nodes, program, library); });
  fold(root, nodes, program, library);
}

}  // namespace chancel
