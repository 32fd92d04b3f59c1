// SPDX-License-Identifier: Apache-2.0
#include "session/hoisted_queries.hpp"

#include <algorithm>

#include "compile/hoist.hpp"
#include "session/plain_data.hpp"

namespace chancel {

const Closure* closure_of_query(const Value& query) {
  const Value body = query.is(Tag::Query) ? query.as<Query>()->body : query;
  return body.is(Tag::Closure) ? body.as<Closure>() : nullptr;
}

Value query_of(FunctionProto* code, const std::vector<Value>& captured, Arena& arena) {
  const std::size_t count = std::max<std::size_t>(1, captured.size());
  auto* closure = arena.make<Closure>(Tag::Closure, bytes_with<Closure>(count));
  closure->function = code;
  closure->captured[0] = Value::nil();
  std::copy(captured.begin(), captured.end(), closure->captured);
  auto* out = arena.make<Query>(Tag::Query);
  out->function = code;
  out->body = Value::object(closure);
  return Value::object(out);
}

void HoistedQueries::define(const core::Def& def) {
  definitions_[def.name] = def.value;
  hoisted_.clear();
}

void HoistedQueries::made(core::Lambda* query, const core::NodeArena& nodes, FunctionProto* code,
                          const std::vector<const core::Binding*>& captured) {
  if (&nodes != &evaluator_.nodes) return;  // eval: its core goes
  cores_[code] = {query, captured};
  newest_ = code;
}

core::LibraryUse HoistedQueries::library_use(const Name* name) const {
  if (globals_.contains(name)) return core::LibraryUse::Unknown;
  if (library_.is_free_of_draws(name) || name->full == "apply") return core::LibraryUse::Free;
  const NativeDef* def = library_.native(name);
  return def && (def->flags & kWorld) == 0 ? core::LibraryUse::GivesData
                                           : core::LibraryUse::Unknown;
}

core::Node* HoistedQueries::reordered(const QueryCore& query, const core::LibraryUses& uses,
                                      const PassObserver& observer) {
  const QueryOrder order{definitions_, uses, query.captured};
  CompileUnit unit{query.lambda, evaluator_.nodes, *evaluator_.program, linker_, evaluator_.sink};
  unit.order = &order;
  run_passes(unit, PassStage::Query, observer);
  return unit.node;
}

FunctionProto* HoistedQueries::code_of(const QueryCore& query, const core::LibraryUses& uses) {
  core::Node* const node = reordered(query, uses);
  return node == query.lambda ? nullptr : compiled(node);
}

const QueryCore* HoistedQueries::source_of(const FunctionProto* code) const {
  const auto found = cores_.find(code);
  return found == cores_.end() ? nullptr : &found->second;
}

FunctionProto* HoistedQueries::compiled(core::Node* node) {
  DiagnosticSink sink;
  newest_ = nullptr;
  compile_top_level(node, evaluator_.nodes, *evaluator_.program, linker_, sink);
  return sink.has_errors() ? nullptr : newest_;  // inner queries are made first
}

Value HoistedQueries::hoisted(const Value& query, const Value& argument, Arena& arena) {
  return hoisted(query, argument, arena, [this](const Name* name) { return library_use(name); });
}

Value HoistedQueries::hoisted(const Value& query, const Value& argument, Arena& arena,
                              const core::LibraryUses& uses) {
  const std::lock_guard lock(evaluator_.compile_mutex);
  const Closure* before = closure_of_query(query);
  const auto found = before ? cores_.find(proto_of(before)) : cores_.end();
  if (found == cores_.end() || !is_plain_data(argument)) return query;
  const QueryCore core = found->second;
  for (std::size_t i = 0; i < core.captured.size(); ++i)
    if (!is_plain_data(before->captured[i])) return query;
  const auto [made, is_new] = hoisted_.try_emplace(proto_of(before), nullptr);
  if (is_new) made->second = code_of(core, uses);
  FunctionProto* const code = hoisted_[proto_of(before)];
  if (!code) return query;

  const std::vector<const core::Binding*>& order = cores_.at(code).captured;
  std::vector<Value> captured;
  for (const core::Binding* b : order)
    captured.push_back(before->captured[std::find(core.captured.begin(), core.captured.end(), b) -
                                        core.captured.begin()]);
  return query_of(code, captured, arena);
}

const core::Node* HoistedQueries::core_of(const Name* name, const PassObserver& observer) {
  const std::lock_guard lock(evaluator_.compile_mutex);
  const auto found = definitions_.find(name);
  if (found == definitions_.end() || !found->second || found->second->kind != core::Kind::Lambda)
    return nullptr;
  return reordered(
      {static_cast<core::Lambda*>(found->second), {}},
      [this](const Name* n) { return library_use(n); }, observer);
}

}  // namespace chancel
