// SPDX-License-Identifier: Apache-2.0
// Forms of Venture beside assumptions: let, loop, mem, cond, case, observe, and those that it shares with Clojure.
#include <fmt/format.h>

#include <algorithm>

#include "front/venture.hpp"

namespace chancel::front {

using core::Node;

namespace {

Node* translate_lambda(Translator& t, const Datum& form, Position at) {
  return function_of(t, form, at.name, at.name);
}

Node* translate_misplaced_assumption(Translator& t, const Datum& form, Position) {
  return t.error(Code::F002, form.span,
                 fmt::format("{}: stands in the body of the program or of a function only",
                             form.items[0].name->full),
                 "use let for a local name");
}

// (let ((x e) ...) body...), also (let (x e ...) body...); parts of a binding list as name and
// value.
bool read_bindings(Translator& t, const Datum& form, const char* shape,
                   std::vector<std::pair<const Datum*, const Datum*>>* out) {
  if (form.items.size() < 2 ||
      (!form.items[1].is(DatumKind::List) && !form.items[1].is(DatumKind::Vector))) {
    t.bad_form(form, fmt::format("{}: needs a list of names and values", form.items[0].name->full),
               shape);
    return false;
  }
  const Datum& list = form.items[1];
  const bool flat =
      !list.items.empty() && list.items[0].is(DatumKind::Symbol) && list.items.size() % 2 == 0;
  if (flat) {
    for (std::size_t i = 0; i < list.items.size(); i += 2) {
      if (!list.items[i].is(DatumKind::Symbol)) {
        t.error(Code::F003, list.items[i].span,
                fmt::format("{} is not a name", to_text(list.items[i])),
                std::string("write ") + shape);
        return false;
      }
      out->emplace_back(&list.items[i], &list.items[i + 1]);
    }
    return true;
  }
  for (const Datum& pair : list.items) {
    if (!is_form(pair) || pair.items.size() != 2 || !pair.items[0].is(DatumKind::Symbol)) {
      t.error(Code::F003, pair.span,
              fmt::format("{}: {} is not a name and its value", form.items[0].name->full,
                          to_text(pair)),
              std::string("write ") + shape);
      return false;
    }
    out->emplace_back(&pair.items[0], &pair.items[1]);
  }
  return true;
}

Node* translate_let(Translator& t, const Datum& form, Position at) {
  std::vector<std::pair<const Datum*, const Datum*>> pairs;
  if (!read_bindings(t, form, "(let ((name value) ...) body ...)", &pairs)) return t.nil(form.span);
  Scope::Block block(t.scope);
  Translator::Bindings bindings;
  for (auto& [name, value] : pairs) {
    Node* node = t.translate(*value, {false, false, name->name});
    const bool exchangeable = makes_exchangeable(t, *value);
    bindings.emplace_back(t.bind(*name), node);
    if (exchangeable) t.scope.mark_exchangeable();
  }
  Node* body = t.body(form, 2, at);
  return t.let_node(form.span, std::move(bindings), body);
}

// Initialisers do not see each other, as in the reference.
Node* translate_loop(Translator& t, const Datum& form, Position) {
  std::vector<std::pair<const Datum*, const Datum*>> pairs;
  if (!read_bindings(t, form, "(loop ((name value) ...) body ...)", &pairs))
    return t.nil(form.span);
  std::vector<Node*> values;
  for (auto& [name, value] : pairs) values.push_back(t.translate(*value));
  Scope::Block block(t.scope);
  auto* loop = t.make<core::Loop>(form.span);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    loop->bindings.emplace_back(t.bind(*pairs[i].first), values[i]);
  RecurFrame frame;
  frame.kind = RecurFrame::Kind::Loop;
  frame.count = pairs.size();
  t.recur_frames.push_back(std::move(frame));
  loop->body = t.body(form, 2, {true});
  frame = std::move(t.recur_frames.back());
  t.recur_frames.pop_back();
  return t.finish_loop(loop, std::move(frame));
}

Node* translate_mem(Translator& t, const Datum& form, Position at) {
  if (form.items.size() != 2)
    return t.bad_form(form, "mem: takes one function", "(mem (lambda (a) body))");
  const Datum& function = form.items[1];
  if (at.name != nullptr && is_headed(function, "lambda") &&
      t.scope.find(function.items[0].name) == nullptr)
    return t.memoised(form.span, at.name,
                      [&] { return function_of(t, function, at.name, nullptr); });
  return t.library_call(form.span, "mem", {t.translate(function)});
}

// (cond (test value) ... (else value))
Node* translate_cond(Translator& t, const Datum& form, Position at) {
  std::vector<std::pair<Node*, Node*>> clauses;
  Node* otherwise = nullptr;
  for (std::size_t i = 1; i < form.items.size() && otherwise == nullptr; ++i) {
    const Datum& clause = form.items[i];
    if (!is_form(clause) || clause.items.size() < 2)
      return t.bad_form(clause, "cond: a clause is a test and a value",
                        "(cond (test value) ... (else value))");
    if (clause.items[0].is_symbol("else")) {
      otherwise = t.body(clause, 1, at);
    } else {
      Node* test = t.translate(clause.items[0], {false, true});
      clauses.emplace_back(test, t.body(clause, 1, at));
    }
  }
  if (otherwise == nullptr) otherwise = t.nil(form.span);
  for (std::size_t i = clauses.size(); i-- > 0;)
    otherwise = t.if_node(clauses[i].first->span, clauses[i].first, clauses[i].second, otherwise);
  return otherwise;
}

// (case key (constant value) ... (else value)); a list of constants is any of them.
Node* translate_case(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 2)
    return t.bad_form(form, "case: needs a value to compare",
                      "(case key (constant value) ... (else value))");
  const core::Binding* key = t.fresh("key", form.items[1].span);
  Node* value = t.translate(form.items[1]);
  auto equals = [&](const Datum& constant) {
    return t.library_call(constant.span, "=", {t.local(constant.span, key), t.quoted(constant)});
  };
  std::vector<std::pair<Node*, Node*>> clauses;
  Node* otherwise = nullptr;
  for (std::size_t i = 2; i < form.items.size() && otherwise == nullptr; ++i) {
    const Datum& clause = form.items[i];
    if (!is_form(clause) || clause.items.size() < 2)
      return t.bad_form(clause, "case: a clause is a constant and a value",
                        "(case key (constant value) ... (else value))");
    const Datum& constant = clause.items[0];
    if (constant.is_symbol("else")) {
      otherwise = t.body(clause, 1, at);
      continue;
    }
    Node* test = nullptr;
    if (is_form(constant) && !is_headed(constant, "quote")) {
      for (std::size_t j = constant.items.size(); j-- > 0;) {
        Node* one = equals(constant.items[j]);
        test = test == nullptr ? one
                               : t.if_node(constant.span, one,
                                           t.constant(constant.span, Value::boolean(true)), test);
      }
    } else {
      test = equals(is_headed(constant, "quote") && constant.items.size() == 2 ? constant.items[1]
                                                                               : constant);
    }
    clauses.emplace_back(test, t.body(clause, 1, at));
  }
  if (otherwise == nullptr)
    otherwise = t.library_call(form.span, "%no-matching-clause", {t.local(form.span, key)});
  for (std::size_t i = clauses.size(); i-- > 0;)
    otherwise = t.if_node(clauses[i].first->span, clauses[i].first, clauses[i].second, otherwise);
  return t.let_node(form.span, {{key, value}}, otherwise);
}

Node* translate_begin(Translator& t, const Datum& form, Position at) { return t.body(form, 1, at); }

Node* not_observable(Translator& t, const Datum& operator_datum) {
  const bool name = operator_datum.is(DatumKind::Symbol);
  return t.error(
      Code::F006, operator_datum.span,
      name ? fmt::format("observe: {} is not a random primitive", operator_datum.name->full)
           : "observe: the operator must be a random primitive",
      "write [observe (normal mean sd) value] with the random primitive outermost");
}

Node* translate_observe(Translator& t, const Datum& form, Position at) {
  if (!t.primitives_sample) {
    FormTable basic;
    add_basic_forms(basic);
    return basic[intern("observe")].handler(t, form, at);
  }
  if (form.items.size() != 3)
    return t.bad_form(form, "observe: needs an expression and a value",
                      "[observe (normal mean sd) value]");
  const Datum& expression = form.items[1];
  if (!is_form(expression)) return not_observable(t, expression);
  const Datum& head = expression.items[0];
  const Scope::Entry* entry = head.is(DatumKind::Symbol) ? t.scope.find(head.name) : nullptr;
  if ((entry != nullptr && entry->exchangeable) || makes_exchangeable(t, head)) {
    Node* process = t.translate(head);
    Node* args = t.library_call(expression.span, "list", t.arguments(expression));
    return t.library_call(form.span, "%observe-exchangeable",
                          {process, args, t.translate(form.items[2])});
  }
  if (entry != nullptr || !head.is(DatumKind::Symbol)) return not_observable(t, head);
  const Name* global = t.names.resolve(head.name);
  if (global == nullptr) return t.symbol(head);
  if (!t.names.globals().is_distribution(global)) return not_observable(t, head);
  auto* node = t.make<core::Observe>(form.span);
  t.check_arity(global, expression.items.size() - 1, expression.span);
  node->dist =
      t.call_of(expression.span, t.make<core::Global>(head.span, global), t.arguments(expression));
  node->value = t.translate(form.items[2]);
  return node;
}

Node* translate_import(Translator& t, const Datum& form, Position) {
  return t.error(Code::F007, form.span, "import: this directive is not part of the language");
}

FormTable make_table() {
  FormTable shared;
  add_basic_forms(shared);
  add_function_forms(shared);
  add_loop_forms(shared);
  add_conditionals(shared);
  add_effects(shared);
  FormTable table;
  for (const char* name : {"quote", "if"}) table[intern(name)] = shared[intern(name)];
  for (const char* name : {"sample", "predict", "factor", "score", "fn", "fn*", "recur", "when",
                           "when-not", "and", "or", "not", "catch", "throw"})
    table[intern(name)] = {shared[intern(name)].handler, false};
  add_form(table, {"lambda"}, translate_lambda, true);
  add_form(table, {"observe"}, translate_observe);
  add_form(table, {"let", "let*", "letrec"}, translate_let);
  add_form(table, {"loop"}, translate_loop);
  add_form(table, {"mem"}, translate_mem);
  add_form(table, {"cond"}, translate_cond);
  add_form(table, {"case"}, translate_case);
  add_form(table, {"begin", "do"}, translate_begin);
  add_form(table, {"assume", "define"}, translate_misplaced_assumption);
  add_form(table, {"import"}, translate_import);
  return table;
}

}  // namespace

const FormTable& venture_forms() {
  static const FormTable table = make_table();
  return table;
}

}  // namespace chancel::front
