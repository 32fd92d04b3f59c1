// SPDX-License-Identifier: Apache-2.0
// clojure.test: deftest, is, are, testing, use-fixtures. A test is a function of no arguments that is
// registered with its place; what an assertion expects is data, and what it got is worked out by the
// functions of prelude/test.clj.
#include <fmt/format.h>

#include "front/definitions.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

// The file and line of a datum, as the last arguments of a call.
void add_place(Translator& t, Span span, std::vector<Node*>& args) {
  std::string file;
  std::int64_t line = 0;
  if (span.known()) {
    file = t.sources.name(span.file);
    line = static_cast<std::int64_t>(t.sources.position(span.file, span.begin).line);
  }
  args.push_back(t.constant(span, make_string(t.constants, file)));
  args.push_back(t.constant(span, Value::integer(line)));
}

// A call of an ordinary function, so that its arguments can be shown.
bool is_function_call(Translator& t, const Datum& form) {
  if (!form.is(DatumKind::List) || form.items.empty() || !form.items[0].is(DatumKind::Symbol))
    return false;
  const Name* head = form.items[0].name;
  if (t.scope.find(head) != nullptr) return true;
  const Name* global = t.names.resolve(head);
  if (global == nullptr || t.names.globals().is_macro(global)) return false;
  const Name* language = t.names.form(head);
  return language == nullptr || t.forms->count(language) == 0 || t.names.defined(head);
}

core::Lambda* thunk_of(Translator& t, Span span, Node* body) {
  auto* lambda = t.make<core::Lambda>(span);
  core::Arity arity;
  arity.span = span;
  arity.body = body;
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

// (is form), (is form message)
Node* translate_is(Translator& t, const Datum& form, Position) {
  if (form.items.size() != 2 && form.items.size() != 3)
    return t.bad_form(form, "is: takes a test and perhaps a message", "(is test \"message\")");
  const Datum& test = form.items[1];
  Node* message = form.items.size() == 3 ? t.translate(form.items[2]) : t.nil(form.span);
  RecurFrame wall;  // a recur does not leave the test
  t.recur_frames.push_back(std::move(wall));
  Setting<bool> inside(t.in_function, true);
  std::vector<Node*> args;
  const char* check = "%check-value";
  const bool thrown =
      test.is(DatumKind::List) && !test.items.empty() && test.items[0].is(DatumKind::Symbol) &&
      (test.items[0].name->base == "thrown?" || test.items[0].name->base == "thrown-with-msg?");
  if (thrown) {
    const bool with_message = test.items[0].name->base == "thrown-with-msg?";
    const std::size_t body = with_message ? 3 : 2;
    if (test.items.size() < body || !test.items[1].is(DatumKind::Symbol)) {
      t.bad_form(test, fmt::format("{}: needs a class", test.items[0].name->full),
                 with_message ? "(thrown-with-msg? Class #\"pattern\" body ...)"
                              : "(thrown? Class body ...)");
    } else {
      check = "%check-thrown";
      const Name* type = t.class_at(test.items[1], test.items[0].name->full.c_str());
      args.push_back(thunk_of(t, test.span, t.body(test, body)));
      args.push_back(type ? t.constant(test.span, Value::class_value(type)) : t.nil(test.span));
      args.push_back(with_message ? t.translate(test.items[2]) : t.nil(test.span));
    }
  } else if (is_function_call(t, test)) {
    check = "%check-call";
    std::vector<Node*> parts = {t.translate(test.items[0])};
    for (Node* argument : t.arguments(test)) parts.push_back(argument);
    args.push_back(thunk_of(t, test.span, t.library_call(test.span, "vector", std::move(parts))));
  } else {
    args.push_back(thunk_of(t, test.span, t.translate(test)));
  }
  t.recur_frames.pop_back();
  args.push_back(t.quoted(test));
  args.push_back(message);
  add_place(t, form.span, args);
  return t.library_call(form.span, check, std::move(args));
}

Datum replaced(const Datum& datum, const std::vector<Datum>& names, const Datum* values) {
  if (datum.is(DatumKind::Symbol))
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].name == datum.name) return values[i];
  Datum out = datum;
  for (Datum& item : out.items) item = replaced(item, names, values);
  return out;
}

// (are [x y] (= x y) 1 1 2 2): one is for each group of values.
Node* translate_are(Translator& t, const Datum& form, Position) {
  constexpr const char* kShape = "(are [names] test values ...)";
  if (form.items.size() < 3 || !form.items[1].is(DatumKind::Vector) || form.items[1].items.empty())
    return t.bad_form(form, "are: takes names, a test and values", kShape);
  const std::vector<Datum>& names = form.items[1].items;
  for (const Datum& name : names)
    if (!name.is(DatumKind::Symbol)) return t.bad_form(form, "are: takes names", kShape);
  const std::size_t values = form.items.size() - 3;
  if (values % names.size() != 0)
    return t.bad_form(form, fmt::format("are: {} values for {} names", values, names.size()),
                      kShape);
  std::vector<Node*> parts;
  for (std::size_t i = 3; i < form.items.size(); i += names.size()) {
    Datum test = make_list(
        {make_symbol("is", form.items[i].span), replaced(form.items[2], names, &form.items[i])},
        form.items[i].span);
    parts.push_back(translate_is(t, test, {}));
  }
  return t.sequence(form.span, std::move(parts));
}

// (testing "what" body ...)
Node* translate_testing(Translator& t, const Datum& form, Position) {
  if (form.items.size() < 2)
    return t.bad_form(form, "testing: takes a text", "(testing \"what\" body ...)");
  Node* what = t.translate(form.items[1]);
  return t.library_call(form.span, "%testing", {what, t.thunk(form, 2, RecurFrame::Kind::Wall)});
}

// (use-fixtures :each f ...), (use-fixtures :once f ...)
Node* translate_fixtures(Translator& t, const Datum& form, Position) {
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Keyword))
    return t.bad_form(form, "use-fixtures: takes :each or :once, and functions",
                      "(use-fixtures :each f)");
  const Name* global =
      intern(fmt::format("%fixtures:{}:{}", form.items[1].name->full, t.names.ns()));
  t.names.globals().declare(global, form.span);
  auto* def = t.make<core::Def>(form.span, global);
  def->value = t.library_call(form.span, "vector", t.arguments(form, 2));
  return def;
}

}  // namespace

// (deftest name body ...)
void define_test(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(deftest name body ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  core::Lambda* test = t.thunk(form, 2, RecurFrame::Kind::Wall);
  test->name = name;
  core::Arity& arity = test->arities.front();
  arity.body = t.sequence(form.span, {arity.body, t.nil(form.span)});
  add_definition(t, form, name, test, out);
  std::vector<Node*> args = {t.constant(form.span, Value::symbol(name))};
  add_place(t, form.span, args);
  TopLevel item;
  item.node = t.library_call(form.span, "%register-test", std::move(args));
  item.span = form.span;
  item.is_definition = true;
  out.push_back(std::move(item));
}

void add_testing_forms(FormTable& table) {
  add_form(table, {"is"}, translate_is);
  add_form(table, {"are"}, translate_are);
  add_form(table, {"testing"}, translate_testing);
  add_form(table, {"use-fixtures"}, translate_fixtures);
}

}  // namespace chancel::front
