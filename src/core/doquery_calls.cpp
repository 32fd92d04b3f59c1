// SPDX-License-Identifier: Apache-2.0
#include "core/doquery_calls.hpp"

#include <optional>

#include "core/children.hpp"

namespace chancel::core {

namespace {

const Const* keyword(const Call& call, std::size_t i) {
  if (i >= call.args.size() || call.args[i]->kind != Kind::Const) return nullptr;
  const auto* constant = as<Const>(call.args[i]);
  return constant->value.is(Tag::Keyword) ? constant : nullptr;
}

// Its engine is argument `engine_at`, its options begin at argument `first`.
std::optional<DoqueryCall> read_call(const Call& call, std::size_t engine_at, std::size_t first) {
  const Const* engine = keyword(call, engine_at);
  if (!engine) return std::nullopt;
  DoqueryCall out{call.span, engine->value.name, engine->span, {}};
  for (std::size_t i = first; i + 1 < call.args.size(); i += 2) {
    const Const* name = keyword(call, i);
    if (!name) break;
    out.options.push_back(name->value);
    out.options.push_back(Value::nil());
  }
  return out;
}

}  // namespace

std::vector<DoqueryCall> doquery_calls(Node* root) {
  std::vector<DoqueryCall> out;
  std::vector<Node*> open = {root};  // code may be nested as deeply as memory allows
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    each_child(node, [&](Node*& child) { open.push_back(child); });
    if (node->kind != Kind::Call) continue;
    const auto& call = *as<Call>(node);
    if (call.function->kind != Kind::Global) continue;
    const std::string& name = as<Global>(call.function)->name->full;
    std::optional<DoqueryCall> found;
    if (name == "doquery") found = read_call(call, 0, 3);
    if (name == "conditional") found = read_call(call, 1, 2);
    if (found) out.push_back(std::move(*found));
  }
  return out;
}

}  // namespace chancel::core
