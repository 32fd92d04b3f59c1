// SPDX-License-Identifier: Apache-2.0
// Names for values: let, letfn, binding, and patterns that take vectors and maps apart. A vector
// pattern reads elements with (nth v i nil) and the rest with (nthnext v n), as Clojure does:
// missing parts are nil. A map pattern reads with get; a sequence of keys and values in its place
// is made a map first.
#include <fmt/format.h>

#include "front/translator.hpp"

namespace chancel::front {

using core::Node;

bool Translator::is_binding_vector(const Datum& form, std::size_t index, const char* shape) {
  const std::string head =
      form.items[0].is(DatumKind::Symbol) ? form.items[0].name->full : "binding";
  if (index >= form.items.size() || !form.items[index].is(DatumKind::Vector)) {
    error(Code::F003, form.span, fmt::format("{}: needs a vector of names and values", head),
          std::string("write ") + shape);
    return false;
  }
  const Datum& vector = form.items[index];
  if (vector.items.size() % 2 != 0) {
    error(Code::F003, vector.span, fmt::format("{}: names and values must come in pairs", head),
          std::string("write ") + shape);
    return false;
  }
  for (std::size_t i = 0; i < vector.items.size(); i += 2) {
    const Datum& name = vector.items[i];
    if (name.is(DatumKind::Symbol) || is_pattern(name)) continue;
    error(Code::F003, name.span, fmt::format("{}: {} cannot be given a value", head, to_text(name)),
          "a name, or a vector or map of names, stands left of each value");
    return false;
  }
  return true;
}

namespace {

void take_vector_apart(Translator& t, const Datum& pattern, Node* value,
                       Translator::Bindings& out) {
  const core::Binding* whole = nullptr;
  // A value that is a variable already needs no second one.
  if (value->kind == core::Kind::Local) {
    whole = static_cast<core::Local*>(value)->binding;
  } else {
    whole = t.fresh("vec", pattern.span);
    out.emplace_back(whole, value);
  }
  auto again = [&](Span span) { return t.local(span, whole); };
  std::int64_t index = 0;
  for (std::size_t i = 0; i < pattern.items.size(); ++i) {
    const Datum& part = pattern.items[i];
    if (part.is_symbol("&")) {
      if (i + 1 >= pattern.items.size()) {
        t.error(Code::F003, part.span, "& must be followed by a name", "[a b & more]");
        return;
      }
      const Datum& rest = pattern.items[++i];
      Node* more = t.library_call(rest.span, "nthnext",
                                  {again(rest.span), t.constant(rest.span, Value::integer(index))});
      t.destructure(rest, more, out);
    } else if (part.is(DatumKind::Keyword) && part.name->full == "as") {
      if (i + 1 >= pattern.items.size() || !pattern.items[i + 1].is(DatumKind::Symbol)) {
        t.error(Code::F003, part.span, ":as must be followed by a name", "[a b :as all]");
        return;
      }
      const Datum& all = pattern.items[++i];
      t.destructure(all, again(all.span), out);
    } else {
      Node* item = t.library_call(
          part.span, "nth",
          {again(part.span), t.constant(part.span, Value::integer(index)), t.nil(part.span)});
      t.destructure(part, item, out);
      ++index;
    }
  }
}

const Datum* default_for(const Datum* defaults, const Name* name) {
  if (defaults == nullptr) return nullptr;
  for (std::size_t i = 0; i + 1 < defaults->items.size(); i += 2)
    if (defaults->items[i].is(DatumKind::Symbol) && defaults->items[i].name == name)
      return &defaults->items[i + 1];
  return nullptr;
}

class MapPattern {
 public:
  MapPattern(Translator& t, const Datum& pattern, Translator::Bindings& out)
      : t_(t), pattern_(pattern), out_(out) {}

  void take_apart(Node* value) {
    whole_ = t_.fresh("map", pattern_.span);
    out_.emplace_back(whole_, t_.library_call(pattern_.span, "%destructure-map", {value}));
    for (std::size_t i = 0; i + 1 < pattern_.items.size(); i += 2)
      if (is_key(pattern_.items[i], "or") && pattern_.items[i + 1].is(DatumKind::Map))
        defaults_ = &pattern_.items[i + 1];
    for (std::size_t i = 0; i + 1 < pattern_.items.size(); i += 2)
      entry(pattern_.items[i], pattern_.items[i + 1]);
  }

 private:
  static bool is_key(const Datum& datum, const char* name) {
    return datum.is(DatumKind::Keyword) && datum.name->base == name;
  }

  void entry(const Datum& left, const Datum& right) {
    if (is_key(left, "or") && left.name->ns.empty()) return;
    if (is_key(left, "as") && left.name->ns.empty()) {
      if (right.is(DatumKind::Symbol)) {
        t_.destructure(right, t_.local(right.span, whole_), out_);
      } else {
        t_.error(Code::F003, right.span, ":as must be followed by a name", "{:keys [a] :as all}");
      }
    } else if (is_key(left, "keys") || is_key(left, "strs") || is_key(left, "syms")) {
      if (!right.is(DatumKind::Vector)) {
        t_.error(Code::F003, right.span,
                 fmt::format("{} must be followed by a vector of names", to_text(left)),
                 "{:keys [a b]}");
        return;
      }
      for (const Datum& name : right.items) keyed(left, name);
    } else if (left.is(DatumKind::Symbol) || t_.is_pattern(left)) {
      const Name* name = left.is(DatumKind::Symbol) ? left.name : nullptr;
      t_.destructure(left, lookup(left.span, t_.translate(right), name), out_);
    } else {
      t_.error(Code::F003, left.span, fmt::format("{} cannot be given a value", to_text(left)),
               "a map pattern holds name :key pairs, :keys [names], :or {..} and :as name");
    }
  }

  // :keys [a b/c], :n/keys [a], :strs [a], :syms [a]
  void keyed(const Datum& kind, const Datum& name) {
    if (!name.is(DatumKind::Symbol) && !name.is(DatumKind::Keyword)) {
      t_.error(Code::F003, name.span, fmt::format("{} is not a name", to_text(name)),
               "{:keys [a b]}");
      return;
    }
    const Name* key = name.name;
    if (key->ns.empty() && !kind.name->ns.empty()) key = intern(kind.name->ns, key->base);
    Value value = Value::keyword(key);
    if (kind.name->base == "strs")
      value = datum_to_value(make_string(key->full, name.span), t_.constants);
    if (kind.name->base == "syms") value = Value::symbol(key);
    const Datum local = make_symbol(name.name->base, name.span);
    t_.destructure(local, lookup(name.span, t_.constant(name.span, value), local.name), out_);
  }

  Node* lookup(Span span, Node* key, const Name* name) {
    std::vector<Node*> args = {t_.local(span, whole_), key};
    if (const Datum* fallback = name == nullptr ? nullptr : default_for(defaults_, name))
      args.push_back(t_.translate(*fallback));
    return t_.library_call(span, "get", std::move(args));
  }

  Translator& t_;
  const Datum& pattern_;
  Translator::Bindings& out_;
  const core::Binding* whole_ = nullptr;
  const Datum* defaults_ = nullptr;
};

}  // namespace

void Translator::destructure(const Datum& pattern, Node* value, Bindings& out) {
  if (pattern.is(DatumKind::Symbol)) {
    const core::Binding* binding = nodes.bind(pattern.name, pattern.span);
    out.emplace_back(binding, value);
    scope.bind(pattern.name, binding);
  } else if (pattern.is(DatumKind::Vector)) {
    take_vector_apart(*this, pattern, value, out);
  } else if (pattern.is(DatumKind::Map)) {
    MapPattern(*this, pattern, out).take_apart(value);
  } else {
    error(Code::F003, pattern.span, fmt::format("{} cannot be given a value", to_text(pattern)),
          "a pattern is a name, a vector or a map");
  }
}

namespace {

// (let [pattern value ...] body...)
Node* translate_let(Translator& t, const Datum& form, Position at) {
  if (!t.is_binding_vector(form, 1, "(let [name value ...] body ...)")) return t.nil(form.span);
  const std::vector<Datum>& items = form.items[1].items;
  Scope::Block block(t.scope);
  Translator::Bindings bindings;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    const Name* name = items[i].is(DatumKind::Symbol) ? items[i].name : nullptr;
    t.destructure(items[i], t.translate(items[i + 1], {false, false, name}), bindings);
  }
  Node* body = t.body(form, 2, at.inner());
  return t.let_node(form.span, std::move(bindings), body);
}

// (letfn [(name [params] body...) ...] body...)
Node* translate_letfn(Translator& t, const Datum& form, Position at) {
  constexpr const char* kShape = "(letfn [(name [parameters] body ...) ...] body ...)";
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Vector))
    return t.bad_form(form, "letfn: needs a vector of functions", kShape);
  Scope::Block block(t.scope);
  auto* fix = t.make<core::Fix>(form.span);
  std::vector<std::pair<const core::Binding*, const Datum*>> functions;
  for (const Datum& function : form.items[1].items) {
    if (!function.is(DatumKind::List) || function.items.size() < 2 ||
        !function.items[0].is(DatumKind::Symbol)) {
      t.bad_form(function, "letfn: this is not a function", kShape);
      continue;
    }
    functions.emplace_back(t.bind(function.items[0]), &function);
  }
  for (auto& [binding, datum] : functions) {
    Translator::Function function;
    function.name = binding->name;
    fix->functions.emplace_back(binding, t.lambda(*datum, 1, function));
  }
  fix->body = t.body(form, 2, at.inner());
  if (fix->functions.empty()) return fix->body;
  return fix;
}

// (binding [*x* value ...] body...): the cells of dynamic variables hold the values while the body
// runs. Other names are bound as by let.
Node* translate_binding(Translator& t, const Datum& form, Position at) {
  if (!t.is_binding_vector(form, 1, "(binding [*name* value ...] body ...)"))
    return t.nil(form.span);
  const std::vector<Datum>& items = form.items[1].items;
  std::vector<const Name*> cells;
  for (std::size_t i = 0; i < items.size(); i += 2) {
    const Name* name = items[i].is(DatumKind::Symbol) ? t.names.resolve(items[i].name) : nullptr;
    if (name == nullptr || !t.names.is_dynamic(name)) return translate_let(t, form, at);
    cells.push_back(name);
  }
  const Span span = form.items[1].span;
  Translator::Bindings bindings;
  std::vector<const core::Binding*> given, before;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    given.push_back(t.fresh("given", span));
    bindings.emplace_back(given.back(), t.translate(items[2 * i + 1]));
  }
  for (const Name* cell : cells) {
    before.push_back(t.fresh("before", span));
    bindings.emplace_back(before.back(), t.global(span, cell));
  }
  auto set = [&](const std::vector<const core::Binding*>& values) {
    std::vector<Node*> parts;
    for (std::size_t i = 0; i < cells.size(); ++i)
      parts.push_back(t.library_call(
          span, "%cell-set", {t.make<core::Global>(span, cells[i]), t.local(span, values[i])}));
    return parts;
  };
  auto* attempt = t.make<core::Try>(form.span);
  attempt->body = t.thunk(form, 2, RecurFrame::Kind::Wall);
  attempt->finally = t.make<core::Lambda>(form.span);
  core::Arity restore;
  restore.span = form.span;
  restore.body = t.sequence(span, set(before));
  attempt->finally->arities.push_back(std::move(restore));
  std::vector<Node*> parts = set(given);
  parts.push_back(attempt);
  return t.let_node(form.span, std::move(bindings), t.sequence(form.span, std::move(parts)));
}

// (with-primitive-procedures [names] body...): needs nothing, except that qualified names lose
// their namespace.
Node* translate_with_primitives(Translator& t, const Datum& form, Position at) {
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Vector))
    return t.bad_form(form, "with-primitive-procedures: needs a vector of names",
                      "(with-primitive-procedures [f g] body ...)");
  Scope::Block block(t.scope);
  alias_primitives(t, form.items[1]);
  return t.body(form, 2, at.inner());
}

}  // namespace

void alias_primitives(Translator& t, const Datum& list) {
  for (const Datum& name : list.items) {
    if (!name.is(DatumKind::Symbol) || name.name->ns.empty()) continue;
    const Name* plain = intern(name.name->base);
    if (const Name* global = t.names.resolve(name.name); global != nullptr && global != plain)
      t.scope.alias(plain, global);
  }
}

void add_binding_forms(FormTable& table) {
  add_form(table, {"let"}, translate_let);
  add_form(table, {"binding"}, translate_binding);
  add_form(table, {"let*"}, translate_let, true);
  add_form(table, {"letfn"}, translate_letfn);
  add_form(table, {"with-primitive-procedures"}, translate_with_primitives);
}

}  // namespace chancel::front
