// SPDX-License-Identifier: Apache-2.0
#include "session/loader.hpp"

#include "bytecode/verify.hpp"
#include "compile/passes.hpp"
#include "reader/reader.hpp"
#include "session/messages.hpp"
#include "session/session.hpp"

namespace chancel {

bool Loader::load(std::string text, std::string name, std::optional<Dialect> dialect, LoadMode mode,
                  LoadResult* result, const LoadEvents& events) {
  session_.evaluator().checking = mode == LoadMode::Check;
  mode_ = mode;
  bool ok = false;
  if (auto stopped = within_memory(
          [&] { ok = load_text(std::move(text), std::move(name), dialect, result, events); })) {
    session_.diagnostics().add(std::move(*stopped));
    return false;
  }
  return ok;
}

bool Loader::load_text(std::string text, std::string name, std::optional<Dialect> dialect,
                       LoadResult* result, const LoadEvents& events) {
  Evaluator& e = session_.evaluator();
  loading_ = {{name, {}}};
  e.kept.take(text.size());
  const std::uint32_t file = e.program->sources.add(std::move(name), std::move(text));
  FrontBudget data(e.heap, e.program->constants().heap(), e.run);
  std::vector<Datum> forms = read_all(e.program->sources, file, e.sink, &data);
  qualify_own_keywords(forms);
  const Dialect used = dialect ? *dialect : detect_dialect(forms, mode_ == LoadMode::Script);
  if (result) result->dialect = used;
  const auto may_continue = [&] { return e.checking || (events.failed && events.failed()); };
  if (e.sink.has_errors() && !may_continue()) return false;
  if (!front_ || dialect_ != used) {
    front_ = std::make_unique<FrontEnd>(used, session_.names(), e.nodes, e.program->constants(),
                                        e.sink, e.program->sources);
    dialect_ = used;
  }
  front_->predeclare(forms);
  if (used == Dialect::Clojure) {
    for (const Datum& form : forms)
      if (!run_form(*front_, form, result, events) && !may_continue()) return false;
  } else {
    if (events.begins && !forms.empty())
      events.begins({file, forms.front().span.begin, forms.back().span.end});
    if (!run_items(front_->translate_program(forms), result, events) && !may_continue())
      return false;
  }
  if (session_.macros().left_some()) {  // unknown names may be defined by what was not expanded
    std::vector<Diagnostic> all = e.sink.list();
    e.sink.clear();
    for (Diagnostic& d : all) {
      if (d.code == Code::F001) d.severity = Severity::Warning;
      e.sink.add(std::move(d));
    }
  }
  return !e.sink.has_errors();
}

bool Loader::run_form(FrontEnd& front, const Datum& form, LoadResult* result,
                      const LoadEvents& events) {
  session_.collect_if_needed();
  if (events.begins) events.begins(form.span);
  if (form.is_list_headed("load-file") || form.is_list_headed("load"))
    return load_file(front, form);
  Evaluator& e = session_.evaluator();
  std::vector<TopLevel> items;
  {
    FrontBudget expansions(e.heap, e.program->constants().heap(), e.run);
    const PaysForExpansions pays(e.expansions, &expansions);
    items = front.translate(form);
  }
  return run_items(std::move(items), result, events);
}

bool Loader::run_items(std::vector<TopLevel> items, LoadResult* result, const LoadEvents& events) {
  Evaluator& e = session_.evaluator();
  for (TopLevel& item : items) {
    if (!item.node) continue;
    item.node = rewritten(item.node);
    if (result) {
      result->core.push_back(item.node);
      if (item.query) result->queries.push_back(*item.query);
    }
    if (e.checking) {
      check_form(item.node, result);
      continue;
    }
    if (e.sink.has_errors()) return false;
    if (mode_ != LoadMode::Script && !item.is_definition) {
      compiled(item.node, result);
      continue;
    }
    Value out = Value::nil();
    if (!evaluate(item.node, result, &out)) return false;
    if (events.evaluated && item.shown && !events.evaluated({out, item.span, item.is_definition}))
      return false;
  }
  return !e.sink.has_errors();
}

core::Node* Loader::rewritten(core::Node* node) {
  Evaluator& e = session_.evaluator();
  CompileUnit unit{node, e.nodes, *e.program, session_.linker(), e.sink};
  unit.observes = observes;
  const Doqueries* doqueries = session_.services().doqueries();
  const core::DoqueryCheck check = [doqueries](const core::DoqueryCall& call,
                                               DiagnosticSink& sink) {
    doqueries->check(call, sink);
  };
  if (e.checking && doqueries) unit.doqueries = &check;
  run_passes(unit, PassStage::Form);
  return unit.node;
}

FunctionProto* Loader::compiled(core::Node* node, LoadResult* result) {
  Evaluator& e = session_.evaluator();
  FunctionProto* code = compile_top_level(node, e.nodes, *e.program, session_.linker(), e.sink);
  if (result && code) result->code.push_back(code);
  return code;
}

// Functions are made (macros call them), and nothing of theirs runs; all else is only compiled.
void Loader::check_form(core::Node* node, LoadResult* result) {
  if (node->kind == core::Kind::Def) {
    const auto* def = static_cast<core::Def*>(node);
    if (!session_.globals().contains(def->name)) return;  // one too many
    if (def->value == nullptr || def->value->kind == core::Kind::Lambda ||
        def->value->kind == core::Kind::Const) {
      Value unused;
      evaluate(node, result, &unused);
      return;
    }
  }
  if (session_.diagnostics().has_errors()) return;
  const FunctionProto* code = compiled(node, result);
  if (!code) return;
  const std::string problem = verify(*code);
  if (!problem.empty()) throw InternalError(problem);
}

bool Loader::evaluate(core::Node* node, LoadResult* result, Value* out) {
  session_.images().forget();
  if (node->kind == core::Kind::Def) session_.queries().define(*static_cast<core::Def*>(node));
  FunctionProto* code = compiled(node, result);
  if (!code) return false;
  Evaluator& e = session_.evaluator();
  Execution execution = e.machine.start(e.closure(code), nullptr, 0);
  execution.world = e.machine.context().world;
  e.machine.wants = {};
  const Checkpoint stop = e.machine.resume(execution, Value::nil());
  session_.images().forget();
  if (stop.kind == Stop::Result) {
    *out = stop.value;
    return true;
  }
  e.sink.add(e.machine.failure());
  return false;
}

}  // namespace chancel
