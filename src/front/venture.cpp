// SPDX-License-Identifier: Apache-2.0
// The paper's syntax: [assume x e] [observe e c] [predict e]. Lists and vectors are the same;
// assume and define bind for the rest of their body, so a program is one flat let. Applying a
// random primitive samples it and the head of an observe is scored, unless the program writes
// sample itself: then primitives are distributions (defanglican style). Functions know the name
// that they are bound to, and consecutive functions see each other.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "front/definitions.hpp"
#include "front/dialects.hpp"
#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

namespace {

bool is_form(const Datum& datum) {
  return (datum.is(DatumKind::List) || datum.is(DatumKind::Vector)) && !datum.items.empty();
}
bool is_headed(const Datum& datum, const char* head) {
  return is_form(datum) && datum.items[0].is_symbol(head);
}

template <class F>
void each_symbol(const Datum& datum, const F& f) {
  if (datum.is(DatumKind::Symbol)) f(datum.name);
  for (const Datum& item : datum.items) each_symbol(item, f);
}

bool writes_sample(const Datum& datum) {
  if (is_headed(datum, "sample")) return true;
  if (is_headed(datum, "quote")) return false;
  return std::any_of(datum.items.begin(), datum.items.end(), writes_sample);
}

bool makes_exchangeable(Translator& t, const Datum& value) {
  for (const char* maker : {"crp", "beta-bernoulli", "dirichlet-multinomial", "polya-urn-mem"})
    if (is_headed(value, maker)) return t.scope.find(value.items[0].name) == nullptr;
  return false;
}

// A binding directive in one shape: name, and either a value or a function's parameters and body.
struct Assumption {
  const Datum* name = nullptr;
  const Datum* value = nullptr;
  const Datum* function = nullptr;  // (define (f a b) body...)
};

bool is_assumption(const Datum& item) {
  return is_headed(item, "assume") || is_headed(item, "define");
}

bool read_assumption(Translator& t, const Datum& item, Assumption* out) {
  const std::string head = item.items[0].name->full;
  if (item.items.size() >= 3 && is_form(item.items[1]) &&
      item.items[1].items[0].is(DatumKind::Symbol)) {
    *out = {&item.items[1].items[0], nullptr, &item};
    return true;
  }
  if (item.items.size() != 3 || !item.items[1].is(DatumKind::Symbol)) {
    t.error(Code::F002, item.span, fmt::format("{}: needs a name and one value", head),
            fmt::format("write [{} name value]", head));
    return false;
  }
  *out = {&item.items[1], &item.items[2], nullptr};
  return true;
}

// Parameters of a lambda as a vector: a list of names, or one name for all arguments.
bool read_parameters(Translator& t, const Datum& params, std::size_t from, Datum* out) {
  out->kind = DatumKind::Vector;
  out->span = params.span;
  if (params.is(DatumKind::Symbol)) {
    out->items = {make_symbol("&", params.span), params};
    return true;
  }
  if (!params.is(DatumKind::List) && !params.is(DatumKind::Vector)) {
    t.error(Code::F003, params.span, "lambda: needs a list of parameters",
            "write (lambda (a b) body)");
    return false;
  }
  out->items.assign(params.items.begin() + static_cast<std::ptrdiff_t>(from), params.items.end());
  return true;
}

core::Lambda* function_of(Translator& t, const Datum& form, const Name* name, const Name* self) {
  Translator::Function function;
  function.name = name;
  function.self = self;
  Datum params;
  if (form.items.size() < 2 ||
      !read_parameters(t, form.items[1], is_headed(form, "lambda") ? 0 : 1, &params)) {
    if (form.items.size() < 2)
      t.bad_form(form, "lambda: needs parameters and a body", "(lambda (a b) body)");
    params.kind = DatumKind::Vector;
    Datum empty = make_list({}, form.span);
    return t.lambda_of(params, empty, 0, function);
  }
  return t.lambda_of(params, form, 2, function);
}

Node* translate_lambda(Translator& t, const Datum& form, Position at) {
  return function_of(t, form, at.name, at.name);
}

// A run of assumptions that are all functions, of which one mentions a later one: they see each
// other.
// `clear_to`: when there is none, also from any later one before here there is none.
std::size_t mutual_run(const std::vector<Datum>& items, std::size_t from, std::size_t to,
                       std::size_t* clear_to) {
  auto function = [&](std::size_t i) {
    return i < to && is_assumption(items[i]) && items[i].items.size() == 3 &&
           items[i].items[1].is(DatumKind::Symbol) && is_headed(items[i].items[2], "lambda");
  };
  std::size_t end = from;
  std::unordered_map<const Name*, std::size_t> places;
  // The same name twice: the second shadows the first.
  while (function(end) && places.try_emplace(items[end].items[1].name, end).second) ++end;
  *clear_to = function(end) ? from + 1 : end;
  std::size_t needed = from;
  for (std::size_t i = from; i < end; ++i)
    each_symbol(items[i].items[2], [&](const Name* name) {
      const auto place = places.find(name);
      if (place != places.end() && place->second > i) needed = std::max(needed, place->second + 1);
    });
  return needed;
}

Node* body_from(Translator& t, const Datum& form, std::size_t from, std::size_t to, Position at) {
  const Translator::Level level(t);
  if (level.too_deep()) return t.too_deep(form.span);
  Translator::Bindings bindings;
  std::vector<Node*> pending;  // effects that wait for the next variable or the end
  std::size_t clear_to = from;
  auto add = [&](const core::Binding* binding, Node* value) {
    if (!pending.empty()) {
      pending.push_back(value);
      value = t.sequence(value->span, std::move(pending));
      pending.clear();
    }
    bindings.emplace_back(binding, value);
  };
  for (std::size_t i = from; i < to; ++i) {
    const Datum& item = form.items[i];
    const bool last = i + 1 == to;
    if (!is_assumption(item)) {
      pending.push_back(t.translate(item, last ? at : Position{}));
      continue;
    }
    if (const std::size_t end = i < clear_to ? i : mutual_run(form.items, i, to, &clear_to);
        end > i + 1) {
      auto* fix = t.make<core::Fix>(item.span);
      std::vector<const core::Binding*> names;
      for (std::size_t j = i; j < end; ++j) names.push_back(t.bind(form.items[j].items[1]));
      for (std::size_t j = i; j < end; ++j) {
        const Datum& function = form.items[j].items[2];
        fix->functions.emplace_back(names[j - i],
                                    function_of(t, function, names[j - i]->name, nullptr));
      }
      fix->body = body_from(t, form, end, to, at);
      pending.push_back(fix);
      break;
    }
    Assumption assumption;
    if (!read_assumption(t, item, &assumption)) continue;
    const Name* name = assumption.name->name;
    Node* value = assumption.function != nullptr
                      ? function_of(t, *assumption.function, name, name)
                      : t.translate(*assumption.value, {false, false, name});
    const bool exchangeable =
        assumption.value != nullptr && makes_exchangeable(t, *assumption.value);
    add(t.bind(*assumption.name), value);
    if (exchangeable) t.scope.mark_exchangeable();
    if (last) pending.push_back(t.nil(item.span));
  }
  return t.let_node(form.span, std::move(bindings), t.sequence(form.span, std::move(pending)));
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

// While it lives, the translator speaks Venture.
class SpeakVenture {
 public:
  SpeakVenture(Translator& t, const Datum& program)
      : dialect_(t.dialect, Dialect::Venture),
        forms_(t.forms, &venture_forms()),
        sampling_(t.primitives_sample, !writes_sample(program)),
        recur_(t.liberal_recur, true) {}

 private:
  Setting<Dialect> dialect_;
  Setting<const FormTable*> forms_;
  Setting<bool> sampling_;
  Setting<bool> recur_;
};

core::Lambda* program_query(Translator& t, const Datum& form, std::size_t from, const Name* name,
                            QuerySignature* info) {
  SpeakVenture venture(t, form);
  auto* query = t.make<core::Lambda>(form.span);
  query->is_query = true;
  query->name = info->name = name;
  query->source = t.source_text(form);
  info->span = form.span;
  Scope::Block block(t.scope);
  Setting<bool> inside(t.in_function, true);
  Setting<bool> inside_query(t.in_query, true);
  t.recur_frames.push_back({});
  core::Arity arity;
  arity.span = form.span;
  arity.params.push_back(t.fresh("value", form.span));
  arity.body = t.body(form, from);
  t.recur_frames.pop_back();
  query->arities.push_back(std::move(arity));
  return query;
}

// (anglican name? forms...)
Node* translate_anglican(Translator& t, const Datum& form, Position at) {
  const bool named = form.items.size() > 2 && form.items[1].is(DatumKind::Symbol);
  QuerySignature info;
  return program_query(t, form, named ? 2 : 1, named ? form.items[1].name : at.name, &info);
}

Node* translate_legacy_lambda(Translator& t, const Datum& form, Position at) {
  SpeakVenture venture(t, form);
  Setting<bool> explicit_sample(t.primitives_sample, false);
  return function_of(t, form, at.name, at.name);
}

}  // namespace

const FormTable& venture_forms() {
  static const FormTable table = make_table();
  return table;
}

Node* venture_body(Translator& t, const Datum& form, std::size_t from, std::size_t to,
                   Position at) {
  Scope::Block block(t.scope);
  return body_from(t, form, from, to, at);
}

Node* translate_venture_expression(Translator& t, const Datum& form) {
  SpeakVenture venture(t, form);
  return t.translate(form);
}

void define_legacy_query(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defanglican name [assume x e] ... [predict x])");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  QuerySignature info;
  const bool documented = form.items.size() > 3 && form.items[2].is(DatumKind::String);
  if (documented) info.doc = form.items[2].text;
  core::Lambda* query = program_query(t, form, documented ? 3 : 2, name, &info);
  add_definition(t, form, name, query, out);
  out.back().query = std::move(info);
}

// (defun name (a b) body...)
void define_legacy_function(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defun name (a b) body ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  Datum function = form;
  function.items.erase(function.items.begin());
  function.items[0] = make_symbol("lambda", form.items[0].span);
  add_definition(t, form, name, translate_legacy_lambda(t, function, {}), out);
}

void add_legacy_forms(FormTable& table) {
  add_form(table, {"anglican"}, translate_anglican);
  add_form(table, {"lambda"}, translate_legacy_lambda);
}

std::vector<TopLevel> translate_venture(Translator& t, const std::vector<Datum>& forms) {
  std::vector<TopLevel> out;
  // Here it makes an exchangeable procedure; elsewhere it is the distribution of counts.
  t.names.rename(intern("dirichlet-multinomial"), intern("%dirichlet-multinomial"));
  Datum program =
      make_list({}, forms.empty() ? Span{} : join(forms.front().span, forms.back().span));
  for (const Datum& form : forms) {
    if (form.is_list_headed("defanglican")) {
      define_legacy_query(t, form, out);
    } else {
      program.items.push_back(form);
    }
  }
  if (program.items.empty() && !out.empty()) return out;
  const Name* name = intern("main");
  t.names.globals().declare(name, program.span);
  QuerySignature info;
  core::Lambda* query = program_query(t, program, 0, name, &info);
  add_definition(t, program, name, query, out);
  out.back().query = std::move(info);
  return out;
}

}  // namespace chancel::front
