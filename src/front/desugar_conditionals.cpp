// SPDX-License-Identifier: Apache-2.0
// Choices: when, cond, case, condp, and, or, if-let and their relatives. All become If; what a
// choice depends on is evaluated once and kept in a variable where its value is needed again.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "front/translator.hpp"
#include "reader/duplicates.hpp"

namespace chancel::front {

using core::Node;

namespace {

Node* truth(Translator& t, Span span, bool value) {
  return t.constant(span, Value::boolean(value));
}

// (when test body...), (when-not test body...)
Node* translate_when(Translator& t, const Datum& form, Position at) {
  const bool negated = form.items[0].name->base == "when-not";
  if (form.items.size() < 2)
    return t.bad_form(form, fmt::format("{}: needs a test", form.items[0].name->full),
                      "(when test body ...)");
  Node* test = t.translate(form.items[1], {false, true});
  Node* body = t.body(form, 2, at);
  return negated ? t.if_node(form.span, test, t.nil(form.span), body)
                 : t.if_node(form.span, test, body, t.nil(form.span));
}

Node* translate_if_not(Translator& t, const Datum& form, Position at) {
  if (form.items.size() != 3 && form.items.size() != 4)
    return t.bad_form(form, "if-not: takes a test and one or two branches",
                      "(if-not test then else)");
  Node* test = t.translate(form.items[1], {false, true});
  Node* then = t.translate(form.items[2], at.inner());
  Node* otherwise =
      form.items.size() == 4 ? t.translate(form.items[3], at.inner()) : t.nil(form.span);
  return t.if_node(form.span, test, otherwise, then);
}

bool always_true(const Datum& test) {
  return test.is(DatumKind::Keyword) || (test.is(DatumKind::Bool) && test.boolean);
}

// (cond test value ...)
Node* translate_cond(Translator& t, const Datum& form, Position at) {
  if (form.items.size() % 2 == 0)
    return t.bad_form(form, "cond: tests and values must come in pairs",
                      "(cond test value ... :else value)");
  std::vector<std::pair<Node*, Node*>> clauses;
  Node* otherwise = nullptr;
  for (std::size_t i = 1; i + 1 < form.items.size(); i += 2) {
    if (always_true(form.items[i])) {
      otherwise = t.translate(form.items[i + 1], at.inner());
      break;
    }
    Node* test = t.translate(form.items[i], {false, true});
    clauses.emplace_back(test, t.translate(form.items[i + 1], at.inner()));
  }
  if (otherwise == nullptr) otherwise = t.nil(form.span);
  for (std::size_t i = clauses.size(); i-- > 0;)
    otherwise = t.if_node(clauses[i].first->span, clauses[i].first, clauses[i].second, otherwise);
  return otherwise;
}

// The value that decides, kept in a variable unless only its truth matters.
Node* logical(Translator& t, const Datum& form, Position at, bool conjunction) {
  if (form.items.size() == 1) return conjunction ? truth(t, form.span, true) : t.nil(form.span);
  std::vector<Node*> parts;
  for (std::size_t i = 1; i < form.items.size(); ++i) {
    const bool last = i + 1 == form.items.size();
    parts.push_back(t.translate(form.items[i], last ? at.inner() : Position{false, at.test}));
  }
  Node* result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    const Span span = parts[i]->span;
    if (at.test) {
      result = conjunction ? t.if_node(form.span, parts[i], result, truth(t, span, false))
                           : t.if_node(form.span, parts[i], truth(t, span, true), result);
      continue;
    }
    const core::Binding* decided = t.fresh(conjunction ? "and" : "or", span);
    Node* choice =
        conjunction ? t.if_node(form.span, t.local(span, decided), result, t.local(span, decided))
                    : t.if_node(form.span, t.local(span, decided), t.local(span, decided), result);
    result = t.let_node(form.span, {{decided, parts[i]}}, choice);
  }
  return result;
}

Node* translate_and(Translator& t, const Datum& form, Position at) {
  return logical(t, form, at, true);
}
Node* translate_or(Translator& t, const Datum& form, Position at) {
  return logical(t, form, at, false);
}

// (not x) where only truth matters
Node* translate_not(Translator& t, const Datum& form, Position at) {
  if (!at.test || form.items.size() != 2) return t.call(form);
  return t.if_node(form.span, t.translate(form.items[1], {false, true}), truth(t, form.span, false),
                   truth(t, form.span, true));
}

// (case key constant value ... default?): constants are not evaluated, a list is several of them.
Node* translate_case(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 2)
    return t.bad_form(form, "case: needs a value to compare",
                      "(case value constant result ... default)");
  const core::Binding* key = t.fresh("key", form.items[1].span);
  Node* value = t.translate(form.items[1]);
  std::unordered_multimap<std::size_t, const Datum*> seen;
  auto equals = [&](const Datum& constant) {
    const std::size_t hash = structure_hash(constant);
    const auto [first, last] = seen.equal_range(hash);
    if (std::any_of(first, last, [&](const auto& s) { return same_data(*s.second, constant); }))
      t.error(Code::F002, constant.span,
              fmt::format("case: the constant {} stands here twice", to_text(constant)));
    else
      seen.emplace(hash, &constant);
    return t.library_call(constant.span, "=", {t.local(constant.span, key), t.quoted(constant)});
  };
  std::vector<std::pair<Node*, Node*>> clauses;
  std::size_t i = 2;
  for (; i + 1 < form.items.size(); i += 2) {
    const Datum& constant = form.items[i];
    // 'x reads as (quote x): what was meant is x, as everybody writes it once.
    const bool quoted = constant.is_list_headed("quote") && constant.items.size() == 2;
    Node* test = nullptr;
    if (constant.is(DatumKind::List) && !quoted) {
      for (std::size_t j = constant.items.size(); j-- > 0;) {
        Node* one = equals(constant.items[j]);
        test = test == nullptr ? one
                               : t.if_node(constant.span, one, truth(t, constant.span, true), test);
      }
      if (test == nullptr) test = truth(t, constant.span, false);
    } else {
      test = equals(quoted ? constant.items[1] : constant);
    }
    clauses.emplace_back(test, t.translate(form.items[i + 1], at.inner()));
  }
  Node* otherwise = i < form.items.size() ? t.translate(form.items[i], at.inner())
                                          : t.library_call(form.span, "%no-matching-clause",
                                                           {t.local(form.span, key)});
  for (std::size_t c = clauses.size(); c-- > 0;)
    otherwise = t.if_node(clauses[c].first->span, clauses[c].first, clauses[c].second, otherwise);
  return t.let_node(form.span, {{key, value}}, otherwise);
}

// (condp pred value test result ... default?), with test :>> function as a clause of three.
Node* translate_condp(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 3)
    return t.bad_form(form, "condp: needs a predicate and a value",
                      "(condp predicate value test result ... default)");
  const core::Binding* pred = t.fresh("pred", form.items[1].span);
  const core::Binding* value = t.fresh("value", form.items[2].span);
  Translator::Bindings bindings = {{pred, t.translate(form.items[1])},
                                   {value, t.translate(form.items[2])}};
  struct Clause {
    Node* test;
    Node* result;                  // or
    const core::Binding* matched;  // given to result as a function
  };
  std::vector<Clause> clauses;
  std::size_t i = 3;
  while (i + 1 < form.items.size()) {
    const Span span = form.items[i].span;
    Node* test =
        t.call_of(span, t.local(span, pred), {t.translate(form.items[i]), t.local(span, value)});
    const bool threaded =
        form.items[i + 1].is(DatumKind::Keyword) && form.items[i + 1].name->full == ">>";
    if (threaded && i + 2 < form.items.size()) {
      clauses.push_back({test, t.translate(form.items[i + 2]), t.fresh("matched", span)});
      i += 3;
    } else {
      clauses.push_back({test, t.translate(form.items[i + 1], at.inner()), nullptr});
      i += 2;
    }
  }
  Node* otherwise = i < form.items.size() ? t.translate(form.items[i], at.inner())
                                          : t.library_call(form.span, "%no-matching-clause",
                                                           {t.local(form.span, value)});
  for (std::size_t c = clauses.size(); c-- > 0;) {
    const Clause& clause = clauses[c];
    const Span span = clause.test->span;
    if (clause.matched == nullptr) {
      otherwise = t.if_node(span, clause.test, clause.result, otherwise);
    } else {
      Node* result = t.call_of(span, clause.result, {t.local(span, clause.matched)});
      otherwise = t.let_node(span, {{clause.matched, clause.test}},
                             t.if_node(span, t.local(span, clause.matched), result, otherwise));
    }
  }
  return t.let_node(form.span, std::move(bindings), otherwise);
}

// (if-let [pattern value] then else), when-let, if-some, when-some
Node* translate_if_let(Translator& t, const Datum& form, Position at) {
  const std::string head(form.items[0].name->base);
  const bool when = head.compare(0, 4, "when") == 0;
  const bool some = head.ends_with("some");
  const std::string shape =
      when ? "(when-let [name value] body ...)" : "(if-let [name value] then else)";
  if (!t.is_binding_vector(form, 1, shape.c_str())) return t.nil(form.span);
  if (form.items[1].items.size() != 2 ||
      (!when && (form.items.size() < 3 || form.items.size() > 4)))
    return t.bad_form(form, fmt::format("{}: takes one name and its value", head), shape);
  const Datum& pattern = form.items[1].items[0];
  const Span span = form.items[1].span;
  const core::Binding* value = t.fresh("value", span);
  Node* tested = t.translate(form.items[1].items[1]);
  Node* otherwise =
      !when && form.items.size() == 4 ? t.translate(form.items[3], at.inner()) : t.nil(form.span);
  Scope::Block block(t.scope);
  Translator::Bindings parts;
  t.destructure(pattern, t.local(span, value), parts);
  Node* then = when ? t.body(form, 2, at) : t.translate(form.items[2], at.inner());
  then = t.let_node(form.span, std::move(parts), then);
  Node* choice = some ? t.if_node(form.span, t.library_call(span, "nil?", {t.local(span, value)}),
                                  otherwise, then)
                      : t.if_node(form.span, t.local(span, value), then, otherwise);
  return t.let_node(form.span, {{value, tested}}, choice);
}

// (when-first [x xs] body...)
Node* translate_when_first(Translator& t, const Datum& form, Position at) {
  constexpr const char* kShape = "(when-first [name sequence] body ...)";
  if (!t.is_binding_vector(form, 1, kShape)) return t.nil(form.span);
  if (form.items[1].items.size() != 2)
    return t.bad_form(form, "when-first: takes one name", kShape);
  const Span span = form.items[1].span;
  const core::Binding* seq = t.fresh("seq", span);
  Node* value = t.library_call(span, "seq", {t.translate(form.items[1].items[1])});
  Scope::Block block(t.scope);
  Translator::Bindings parts;
  t.destructure(form.items[1].items[0], t.library_call(span, "first", {t.local(span, seq)}), parts);
  Node* body = t.body(form, 2, at);
  body = t.let_node(form.span, std::move(parts), body);
  return t.let_node(form.span, {{seq, value}},
                    t.if_node(form.span, t.local(span, seq), body, t.nil(form.span)));
}

}  // namespace

void add_conditionals(FormTable& table) {
  add_form(table, {"when", "when-not"}, translate_when);
  add_form(table, {"if-not"}, translate_if_not);
  add_form(table, {"cond"}, translate_cond);
  add_form(table, {"and"}, translate_and);
  add_form(table, {"or"}, translate_or);
  add_form(table, {"not"}, translate_not);
  add_form(table, {"case"}, translate_case);
  add_form(table, {"condp"}, translate_condp);
  add_form(table, {"if-let", "when-let", "if-some", "when-some"}, translate_if_let);
  add_form(table, {"when-first"}, translate_when_first);
}

}  // namespace chancel::front
