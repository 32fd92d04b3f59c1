// SPDX-License-Identifier: Apache-2.0
// for, doseq, dotimes, while. doseq, dotimes and while are loops in the function where they stand.
// for is a nest of map and mapcat, which are lazy at top level and eager in queries, so for is,
// too. :while needs to end the sequence of its level: there %mapcat-while is called, whose function
// gives the symbol %stop for "no more".
#include <fmt/format.h>

#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

namespace {

constexpr const char* kForShape = "(for [name sequence :when test :let [name value] ...] body)";

bool is_modifier(const Datum& datum, const char* name) {
  return datum.is(DatumKind::Keyword) && datum.name->full == name;
}

bool check_clauses(Translator& t, const Datum& form) {
  const std::string& head = form.items[0].name->full;
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Vector) ||
      form.items[1].items.size() % 2 != 0 || form.items[1].items.empty()) {
    t.error(Code::F003, form.span, fmt::format("{}: needs a vector of names and sequences", head),
            std::string("write ") + kForShape);
    return false;
  }
  const std::vector<Datum>& clauses = form.items[1].items;
  for (std::size_t i = 0; i < clauses.size(); i += 2) {
    const Datum& left = clauses[i];
    const bool modifier =
        is_modifier(left, "when") || is_modifier(left, "while") || is_modifier(left, "let");
    const bool name = left.is(DatumKind::Symbol) || t.is_pattern(left);
    if ((i == 0 && !name) || (!name && !modifier)) {
      t.error(Code::F003, left.span, fmt::format("{}: {} cannot stand here", head, to_text(left)),
              std::string("write ") + kForShape);
      return false;
    }
    if (is_modifier(left, "let") &&
        (!clauses[i + 1].is(DatumKind::Vector) || clauses[i + 1].items.size() % 2 != 0)) {
      t.error(Code::F003, clauses[i + 1].span,
              fmt::format("{}: :let needs a vector of names and values", head));
      return false;
    }
  }
  return true;
}

Translator::Bindings let_clause(Translator& t, const Datum& vector) {
  Translator::Bindings bindings;
  for (std::size_t i = 0; i + 1 < vector.items.size(); i += 2)
    t.destructure(vector.items[i], t.translate(vector.items[i + 1]), bindings);
  return bindings;
}

class ForExpansion {
 public:
  ForExpansion(Translator& t, const Datum& form)
      : t_(t), form_(form), clauses_(form.items[1].items) {}

  // The level whose name is at `i`: a call of map, mapcat or %mapcat-while.
  Node* level(std::size_t i) {
    const Translator::Level level(t_);
    if (level.too_deep()) return t_.too_deep(clauses_[i].span);
    std::size_t end = i + 2;
    bool modified = false, stops = false;
    while (end < clauses_.size() && clauses_[end].is(DatumKind::Keyword)) {
      modified = modified || !is_modifier(clauses_[end], "let");
      stops = stops || is_modifier(clauses_[end], "while");
      end += 2;
    }
    const bool last = end >= clauses_.size();
    const bool plain = last && !modified;
    const Span span = clauses_[i].span;
    Node* sequence = t_.translate(clauses_[i + 1]);
    auto* lambda = t_.make<core::Lambda>(form_.span);
    lambda->name = intern("for");
    core::Arity arity;
    arity.span = form_.span;
    {
      Scope::Block block(t_.scope);
      RecurFrame frame;
      frame.kind = RecurFrame::Kind::Thunk;
      t_.recur_frames.push_back(std::move(frame));
      Translator::Bindings parts;
      if (clauses_[i].is(DatumKind::Symbol)) {
        arity.params.push_back(t_.bind(clauses_[i]));
      } else {
        arity.params.push_back(t_.fresh("item", span));
        t_.destructure(clauses_[i], t_.local(span, arity.params[0]), parts);
      }
      Node* inside = items(i + 2, end, plain);
      arity.body = t_.let_node(form_.span, std::move(parts), inside);
      t_.recur_frames.pop_back();
    }
    lambda->arities.push_back(std::move(arity));
    return t_.library_call(form_.span,
                           stops   ? "%mapcat-while"
                           : plain ? "map"
                                   : "mapcat",
                           {lambda, sequence});
  }

 private:
  // What one item of the level gives: the body's value (plain), or a sequence of values.
  Node* items(std::size_t i, std::size_t end, bool plain) {
    const Translator::Level level(t_);
    if (level.too_deep()) return t_.too_deep(form_.span);
    if (i >= end) {
      if (end < clauses_.size()) return this->level(end);
      Node* value = t_.body(form_, 2);
      return plain ? value : t_.library_call(form_.span, "list", {value});
    }
    const Datum& modifier = clauses_[i];
    const Datum& argument = clauses_[i + 1];
    if (is_modifier(modifier, "let")) {
      Scope::Block block(t_.scope);
      Translator::Bindings bindings = let_clause(t_, argument);
      Node* inside = items(i + 2, end, plain);
      return t_.let_node(argument.span, std::move(bindings), inside);
    }
    Node* otherwise = is_modifier(modifier, "while")
                          ? t_.constant(modifier.span, Value::symbol(intern("%stop")))
                          : t_.nil(modifier.span);
    Node* test = t_.translate(argument, {false, true});
    return t_.if_node(modifier.span, test, items(i + 2, end, plain), otherwise);
  }

  Translator& t_;
  const Datum& form_;
  const std::vector<Datum>& clauses_;
};

Node* translate_for(Translator& t, const Datum& form, Position) {
  if (!check_clauses(t, form)) return t.nil(form.span);
  Setting<bool> inside(t.in_function, true);
  return ForExpansion(t, form).level(0);
}

class DoseqExpansion {
 public:
  DoseqExpansion(Translator& t, const Datum& form)
      : t_(t), form_(form), clauses_(form.items[1].items) {}

  // (loop [s (seq xs)] (if s (let [x (first s)] inside... (recur (next s)))))
  Node* level(std::size_t i) {
    const Span span = clauses_[i].span;
    const Translator::Level level(t_);
    if (level.too_deep()) return t_.too_deep(span);
    auto* loop = t_.make<core::Loop>(form_.span);
    const core::Binding* seq = t_.fresh("seq", span);
    loop->bindings.emplace_back(seq, t_.library_call(span, "seq", {t_.translate(clauses_[i + 1])}));
    Scope::Block block(t_.scope);
    Translator::Bindings parts;
    t_.destructure(clauses_[i], t_.library_call(span, "first", {t_.local(span, seq)}), parts);
    auto go_on = [&, loop, seq]() -> Node* {
      auto* recur = t_.make<core::Recur>(form_.span);
      recur->target = loop;
      recur->args.push_back(t_.library_call(form_.span, "next", {t_.local(form_.span, seq)}));
      return recur;
    };
    Node* inside = items(i + 2, go_on);
    loop->body = t_.if_node(form_.span, t_.local(span, seq),
                            t_.let_node(form_.span, std::move(parts), inside), t_.nil(form_.span));
    return loop;
  }

 private:
  template <class GoOn>
  Node* items(std::size_t i, const GoOn& go_on) {
    const Translator::Level level(t_);
    if (level.too_deep()) return t_.too_deep(form_.span);
    if (i >= clauses_.size()) {
      Node* body = t_.body(form_, 2);
      return t_.sequence(form_.span, {body, go_on()});
    }
    const Datum& left = clauses_[i];
    if (!left.is(DatumKind::Keyword)) {
      Node* nested = this->level(i);
      return t_.sequence(form_.span, {nested, go_on()});
    }
    const Datum& argument = clauses_[i + 1];
    if (is_modifier(left, "let")) {
      Scope::Block block(t_.scope);
      Translator::Bindings bindings = let_clause(t_, argument);
      Node* inside = items(i + 2, go_on);
      return t_.let_node(argument.span, std::move(bindings), inside);
    }
    Node* test = t_.translate(argument, {false, true});
    Node* inside = items(i + 2, go_on);
    return t_.if_node(left.span, test, inside,
                      is_modifier(left, "while") ? t_.nil(left.span) : go_on());
  }

  Translator& t_;
  const Datum& form_;
  const std::vector<Datum>& clauses_;
};

Node* translate_doseq(Translator& t, const Datum& form, Position) {
  if (!check_clauses(t, form)) return t.nil(form.span);
  return DoseqExpansion(t, form).level(0);
}

// (dotimes [i n] body...)
Node* translate_dotimes(Translator& t, const Datum& form, Position) {
  constexpr const char* kShape = "(dotimes [name count] body ...)";
  if (!t.is_binding_vector(form, 1, kShape)) return t.nil(form.span);
  const Datum& vector = form.items[1];
  if (vector.items.size() != 2 || !vector.items[0].is(DatumKind::Symbol))
    return t.bad_form(form, "dotimes: takes one name and a count", kShape);
  const Span span = vector.span;
  const core::Binding* count = t.fresh("count", span);
  Node* times = t.translate(vector.items[1]);
  Scope::Block block(t.scope);
  auto* loop = t.make<core::Loop>(form.span);
  const core::Binding* index = t.bind(vector.items[0]);
  loop->bindings.emplace_back(index, t.constant(span, Value::integer(0)));
  Node* body = t.body(form, 2);
  auto* recur = t.make<core::Recur>(form.span);
  recur->target = loop;
  recur->args.push_back(t.library_call(span, "inc", {t.local(span, index)}));
  loop->body =
      t.if_node(form.span, t.library_call(span, "<", {t.local(span, index), t.local(span, count)}),
                t.sequence(form.span, {body, recur}), t.nil(form.span));
  return t.let_node(form.span, {{count, times}}, loop);
}

// (while test body...)
Node* translate_while(Translator& t, const Datum& form, Position) {
  if (form.items.size() < 2)
    return t.bad_form(form, "while: needs a test", "(while test body ...)");
  auto* loop = t.make<core::Loop>(form.span);
  Node* test = t.translate(form.items[1], {false, true});
  Node* body = t.body(form, 2);
  auto* recur = t.make<core::Recur>(form.span);
  recur->target = loop;
  loop->body = t.if_node(form.span, test, t.sequence(form.span, {body, recur}), t.nil(form.span));
  return loop;
}

}  // namespace

void add_iteration(FormTable& table) {
  add_form(table, {"for"}, translate_for);
  add_form(table, {"doseq"}, translate_doseq);
  add_form(table, {"dotimes"}, translate_dotimes);
  add_form(table, {"while"}, translate_while);
}

}  // namespace chancel::front
