// SPDX-License-Identifier: Apache-2.0
#include "runs/check_doquery.hpp"

#include <vector>

#include "core/children.hpp"
#include "engines/check_options.hpp"
#include "engines/registry.hpp"
#include "infer/query_options.hpp"

namespace chancel {

namespace {

const core::Const* constant(const core::Call& call, std::size_t i) {
  if (i >= call.args.size() || call.args[i]->kind != core::Kind::Const) return nullptr;
  return static_cast<const core::Const*>(call.args[i]);
}

// Options from argument `first` on; values that are not literals are taken as they may be.
void check_call(const core::Call& call, std::size_t engine_at, std::size_t first,
                DiagnosticSink& sink) {
  const core::Const* engine = constant(call, engine_at);
  if (!engine || !engine->value.is(Tag::Keyword)) return;
  std::vector<Value> items;
  for (std::size_t i = first; i < call.args.size(); i += 2) {
    const core::Const* name = constant(call, i);
    if (!name || !name->value.is(Tag::Keyword) || i + 1 >= call.args.size()) break;
    items.push_back(name->value);
    items.push_back(Value::nil());
  }
  DiagnosticSink found;
  const auto options = read_options(items.data(), items.size(), call.span, found);
  const EngineDef* def = options ? find_engine(engine->value.name->full, found) : nullptr;
  if (def) {
    std::vector<OptionValue> given = options->engine;
    if (auto ignored = ignore_foreign_options(*def, given)) found.add(std::move(*ignored));
    check_option_names(*def, given, found);
  }
  for (Diagnostic d : found.list()) {
    d.span = d.code == Code::I001 ? engine->span : call.span;
    sink.add(std::move(d));
  }
}

}  // namespace

void check_doqueries(core::Node* root, DiagnosticSink& sink) {
  std::vector<core::Node*> left = {root};  // code may be nested as deeply as memory allows
  while (!left.empty()) {
    core::Node* node = left.back();
    left.pop_back();
    core::each_child(node, [&](core::Node*& child) { left.push_back(child); });
    if (node->kind != core::Kind::Call) continue;
    const auto& call = *static_cast<core::Call*>(node);
    if (call.function->kind != core::Kind::Global) continue;
    const std::string& name = static_cast<core::Global*>(call.function)->name->full;
    if (name == "doquery") check_call(call, 0, 3, sink);
    if (name == "conditional") check_call(call, 1, 2, sink);
  }
}

}  // namespace chancel
