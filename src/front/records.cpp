// SPDX-License-Identifier: Apache-2.0
// defdist, defproc, defrecord, defprotocol, extend-type, reify. A type is a hidden global made by
// %record-type; its methods are hidden globals, too, which the type names, so that methods are
// found without being part of a value. A constructor is an ordinary function that computes all
// fields and calls %record. Methods read the fields that they mention from their first parameter.
// reify is a type whose fields are the locals that its methods mention.
#include <fmt/format.h>

#include <algorithm>

#include "front/definitions.hpp"
#include "front/translator.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

bool mentions(const Datum& datum, const Name* name) {
  if (datum.is(DatumKind::Symbol)) return datum.name == name;
  return std::any_of(datum.items.begin(), datum.items.end(),
                     [&](const Datum& d) { return mentions(d, name); });
}

struct Method {
  const Name* name;
  std::vector<const Datum*> forms;  // (name [this ...] body...), one per arity
};

struct RecordShape {
  const Name* name;  // as printed
  const char* kind;  // distribution, process, plain
  std::vector<Datum> fields;
  std::size_t parameters = 0;
  std::vector<Method> methods;
};

// The name of a protocol before its methods. False: nothing would ever call the methods.
bool check_protocol(Translator& t, const Datum& form, const Datum& symbol) {
  const Name* name = symbol.name;
  if (name->base == "distribution" || name->base == "random-process") return true;
  if (t.names.resolve(name) != nullptr) return true;
  const std::string& head = form.items[0].name->full;
  if (find_class(name->full) != nullptr || name->full.find('.') != std::string::npos) {
    t.error(
        Code::F007, symbol.span,
        fmt::format("{}: methods of the interface {} would never be called", head, name->full),
        "there is no Java: write a protocol (defprotocol) and call its functions, or an ordinary "
        "function");
  } else {
    t.error(Code::F001, symbol.span, fmt::format("{}: unknown protocol {}", head, name->full),
            fmt::format("define it before: (defprotocol {} (method [this]))", name->base));
  }
  return false;
}

// Anglican's distributions had the methods sample and observe before they were called sample* and observe*.
const Name* current_name(std::string_view method, const RecordShape& shape) {
  const bool old =
      shape.kind == std::string_view("distribution") && (method == "sample" || method == "observe");
  return intern(old ? std::string(method) + "*" : std::string(method));
}

// Methods of items[from..]; protocol names in between tell the kind.
bool read_methods(Translator& t, const Datum& form, std::size_t from, RecordShape* shape) {
  for (std::size_t i = from; i < form.items.size(); ++i) {
    const Datum& item = form.items[i];
    if (item.is(DatumKind::Symbol)) {
      if (!check_protocol(t, form, item)) return false;
      if (item.name->base == "distribution") shape->kind = "distribution";
      if (item.name->base == "random-process") shape->kind = "process";
      continue;
    }
    if (!item.is(DatumKind::List) || item.items.size() < 2 ||
        !item.items[0].is(DatumKind::Symbol) || !item.items[1].is(DatumKind::Vector) ||
        item.items[1].items.empty()) {
      t.error(Code::F008, item.span,
              fmt::format("{}: this is not a method", form.items[0].name->full),
              "write (method [this argument ...] body ...)");
      return false;
    }
    const Name* name = current_name(item.items[0].name->base, *shape);
    auto found = std::find_if(shape->methods.begin(), shape->methods.end(),
                              [&](const Method& method) { return method.name == name; });
    if (found == shape->methods.end()) {
      shape->methods.push_back({name, {}});
      found = shape->methods.end() - 1;
    }
    found->forms.push_back(&item);
  }
  return true;
}

// The method as a function; fields that it mentions are read from `this` before its body.
core::Lambda* method_function(Translator& t, const RecordShape& shape, const Method& method) {
  auto* lambda = t.make<core::Lambda>(method.forms[0]->span);
  lambda->name = method.name;
  for (const Datum* form : method.forms) {
    const Datum& params = form->items[1];
    core::Arity arity;
    arity.span = form->span;
    Scope::Block block(t.scope);
    Setting<bool> inside(t.in_function, true);
    const core::Binding* self = t.fresh("this", params.items[0].span);
    arity.params.push_back(self);
    Translator::Bindings bindings;
    for (std::size_t i = 0; i < shape.fields.size(); ++i) {
      const Datum& field = shape.fields[i];
      bool used = false;
      for (std::size_t j = 2; j < form->items.size(); ++j)
        used = used || mentions(form->items[j], field.name);
      if (!used) continue;
      Node* value =
          t.library_call(field.span, "%field",
                         {t.local(field.span, self),
                          t.constant(field.span, Value::integer(static_cast<std::int64_t>(i)))});
      t.destructure(field, value, bindings);
    }
    t.destructure(params.items[0], t.local(params.items[0].span, self), bindings);
    std::vector<std::pair<const Datum*, const core::Binding*>> rest;
    for (std::size_t i = 1; i < params.items.size(); ++i) {
      if (params.items[i].is_symbol("&")) {
        if (i + 1 < params.items.size()) {
          arity.rest = t.fresh("rest", params.items[i + 1].span);
          rest.emplace_back(&params.items[i + 1], arity.rest);
        }
        break;
      }
      arity.params.push_back(t.fresh("arg", params.items[i].span));
      rest.emplace_back(&params.items[i], arity.params.back());
    }
    for (auto& [pattern, binding] : rest)
      t.destructure(*pattern, t.local(pattern->span, binding), bindings);
    RecurFrame frame;
    frame.kind = RecurFrame::Kind::Wall;
    t.recur_frames.push_back(std::move(frame));
    Node* body = t.body(*form, 2);
    t.recur_frames.pop_back();
    arity.body = t.let_node(form->span, std::move(bindings), body);
    lambda->arities.push_back(std::move(arity));
  }
  t.order_arities(lambda);
  return lambda;
}

const Name* method_global(const std::string& type, const Name* method) {
  return intern(fmt::format("%method:{}:{}", type, method->full));
}

core::Def* definition(Translator& t, Span span, const Name* name, Node* value) {
  auto* def = t.make<core::Def>(span, name);
  def->value = value;
  t.names.globals().declare(name, span);
  return def;
}

// {method-symbol global-symbol ...}
Node* method_table(Translator& t, Span span, const std::string& type,
                   const std::vector<Method>& methods) {
  Value table = empty_map(t.constants);
  for (const Method& method : methods)
    table = map_assoc(t.constants, table, Value::symbol(method.name),
                      Value::symbol(method_global(type, method.name)));
  return t.constant(span, table);
}

// Definitions of the methods and of the type, in the order of their evaluation. `unique` names the
// hidden globals.
std::vector<core::Node*> type_definitions(Translator& t, Span span, const std::string& unique,
                                          const RecordShape& shape, const Name** type) {
  std::vector<core::Node*> defs;
  for (const Method& method : shape.methods)
    defs.push_back(
        definition(t, span, method_global(unique, method.name), method_function(t, shape, method)));
  std::vector<Value> fields;
  for (const Datum& field : shape.fields) {
    fields.push_back(Value::symbol(field.name));
    t.names.define_field(field.name);
  }
  *type = intern("%type:" + unique);
  Node* value = t.library_call(
      span, "%record-type",
      {t.constant(span, Value::symbol(shape.name)),
       t.constant(span, Value::keyword(intern(shape.kind))),
       t.constant(span, chancel::make_vector(t.constants, fields.data(), fields.size())),
       t.constant(span, Value::integer(static_cast<std::int64_t>(shape.parameters))),
       method_table(t, span, unique, shape.methods)});
  defs.push_back(definition(t, span, *type, value));
  return defs;
}

// The class of the type's instances, by the names that programs call it.
void define_type(Translator& t, const Name* name, const char* end) {
  const Name* type =
      intern(fmt::format("{}.{}{}", name->ns.empty() ? "user" : name->ns, name->base, end));
  t.names.define_type(intern(std::string(name->base) + end), type);
  if (*end != 0) t.names.define_type(intern(type->full), type);
}

void push(std::vector<core::Node*> defs, Span span, std::vector<TopLevel>& out) {
  for (core::Node* def : defs) {
    TopLevel item;
    item.node = def;
    item.span = span;
    item.is_definition = true;
    out.push_back(std::move(item));
  }
}

// A vector of plain names.
bool read_names(Translator& t, const Datum& form, std::size_t index, const char* shape) {
  if (index >= form.items.size() || !form.items[index].is(DatumKind::Vector)) {
    t.error(Code::F008, form.span,
            fmt::format("{}: needs a vector of parameters", form.items[0].name->full),
            std::string("write ") + shape);
    return false;
  }
  for (const Datum& name : form.items[index].items) {
    if (name.is(DatumKind::Symbol) && !name.is_symbol("&")) continue;
    t.error(
        Code::F008, name.span,
        fmt::format("{}: {} cannot be a parameter here", form.items[0].name->full, to_text(name)),
        std::string("write ") + shape);
    return false;
  }
  return true;
}

// (fn [params...] (%record type params... others...)); the others are worked out by `rest` with the
// params in scope.
template <class Rest>
core::Arity constructor(Translator& t, Span span, const std::vector<Datum>& params,
                        const Name* type, Rest&& rest) {
  core::Arity arity;
  arity.span = span;
  Scope::Block block(t.scope);
  Setting<bool> inside(t.in_function, true);
  std::vector<Node*> args = {t.make<core::Global>(span, type)};
  for (const Datum& param : params) {
    arity.params.push_back(t.bind(param));
    args.push_back(t.local(param.span, arity.params.back()));
  }
  Translator::Bindings bindings;
  rest(bindings, args);
  arity.body =
      t.let_node(span, std::move(bindings), t.library_call(span, "%record", std::move(args)));
  return arity;
}

void define_random_type(Translator& t, const Datum& form, bool process,
                        std::vector<TopLevel>& out) {
  const char* shape_text = process ? "(defproc name [parameters] [variable default ...] (produce "
                                     "[this] ..) (absorb [this x] ..))"
                                   : "(defdist name [parameters] [name value ...] (sample* [this] "
                                     "..) (observe* [this x] ..))";
  const Name* name = defined_name(t, form, shape_text);
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  define_type(t, name, process ? "-process" : "-distribution");
  std::size_t at = skip_documentation(form, 2, nullptr);
  if (!read_names(t, form, at, shape_text)) return;
  RecordShape shape{name, process ? "process" : "distribution", form.items[at].items, 0, {}};
  const std::vector<Datum> params = shape.fields;
  shape.parameters = params.size();
  ++at;
  std::vector<std::pair<Datum, const Datum*>> others;  // bindings or process variables
  if (at < form.items.size() && form.items[at].is(DatumKind::Vector)) {
    const Datum& vector = form.items[at];
    for (std::size_t i = 0; i < vector.items.size(); i += 2) {
      if (!vector.items[i].is(DatumKind::Symbol) && !(t.is_pattern(vector.items[i]) && !process)) {
        t.error(Code::F008, vector.items[i].span, "names and values must come in pairs",
                std::string("write ") + shape_text);
        return;
      }
      if (i + 1 >= vector.items.size()) {
        t.error(Code::F008, vector.span, "names and values must come in pairs",
                std::string("write ") + shape_text);
        return;
      }
      others.emplace_back(vector.items[i], &vector.items[i + 1]);
      if (vector.items[i].is(DatumKind::Symbol)) shape.fields.push_back(vector.items[i]);
    }
    ++at;
  }
  if (!read_methods(t, form, at, &shape)) return;
  const Name* type = nullptr;
  push(type_definitions(t, form.span, name->full, shape, &type), form.span, out);
  auto* lambda = t.make<core::Lambda>(form.span);
  lambda->name = name;
  if (!process) {
    lambda->arities.push_back(
        constructor(t, form.span, params, type, [&](auto& bindings, auto& args) {
          for (auto& [pattern, value] : others)
            t.destructure(pattern, t.translate(*value), bindings);
          for (std::size_t i = params.size(); i < shape.fields.size(); ++i)
            args.push_back(t.symbol(shape.fields[i]));
        }));
  } else {
    lambda->arities.push_back(constructor(t, form.span, params, type, [&](auto&, auto& args) {
      for (auto& [pattern, value] : others) args.push_back(t.translate(*value));
    }));
    if (!others.empty())
      lambda->arities.push_back(constructor(t, form.span, shape.fields, type, [](auto&, auto&) {}));
  }
  add_definition(t, form, name, lambda, out);
}

}  // namespace

void define_distribution(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  define_random_type(t, form, false, out);
}

void define_process(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  define_random_type(t, form, true, out);
}

// (defrecord Name [fields] Protocol (method [this] ..) ...): ->Name, map->Name, Name is the type.
void define_record(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  constexpr const char* kShape = "(defrecord Name [fields] Protocol (method [this] ..) ...)";
  const Name* name = defined_name(t, form, kShape);
  if (name == nullptr || !read_names(t, form, 2, kShape)) return;
  RecordShape shape{name, "plain", form.items[2].items, form.items[2].items.size(), {}};
  define_type(t, name, "");
  const Name* positional = t.names.own(intern("->" + form.items[1].name->full));
  const Name* from_map = t.names.own(intern("map->" + form.items[1].name->full));
  for (const Name* defined : {name, positional, from_map}) {
    t.names.define(defined);
    t.names.globals().declare(defined, form.items[1].span);
  }
  if (!read_methods(t, form, 3, &shape)) return;
  const Name* type = nullptr;
  push(type_definitions(t, form.span, name->full, shape, &type), form.span, out);
  add_definition(t, form, name, t.constant(form.span, Value::class_value(t.names.type(name))), out);

  auto* by_position = t.make<core::Lambda>(form.span);
  by_position->name = positional;
  by_position->arities.push_back(
      constructor(t, form.span, shape.fields, type, [](auto&, auto&) {}));
  add_definition(t, form, positional, by_position, out);

  auto* by_map = t.make<core::Lambda>(form.span);
  by_map->name = from_map;
  core::Arity arity;
  arity.span = form.span;
  arity.params.push_back(t.fresh("map", form.span));
  std::vector<Node*> args = {t.make<core::Global>(form.span, type)};
  for (const Datum& field : shape.fields)
    args.push_back(t.library_call(field.span, "get",
                                  {t.local(field.span, arity.params[0]),
                                   t.constant(field.span, Value::keyword(field.name))}));
  arity.body = t.library_call(form.span, "%record", std::move(args));
  by_map->arities.push_back(std::move(arity));
  add_definition(t, form, from_map, by_map, out);
}

// (defprotocol Name doc? (method [this ...] [this x ...] doc?) ...): each method finds its function
// by its first argument.
void define_protocol(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defprotocol Name (method [this argument ...]) ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  // The protocol as a value says its methods: {:name Name :methods [method ...]}.
  std::vector<Value> methods;
  for (std::size_t i = 2; i < form.items.size(); ++i)
    if (form.items[i].is(DatumKind::List) && !form.items[i].items.empty() &&
        form.items[i].items[0].is(DatumKind::Symbol))
      methods.push_back(Value::symbol(form.items[i].items[0].name));
  Value protocol = map_assoc(t.constants, empty_map(t.constants), Value::keyword(intern("name")),
                             Value::symbol(name));
  protocol = map_assoc(t.constants, protocol, Value::keyword(intern("methods")),
                       chancel::make_vector(t.constants, methods.data(), methods.size()));
  add_definition(t, form, name, t.constant(form.span, protocol), out);
  for (std::size_t i = 2; i < form.items.size(); ++i) {
    const Datum& item = form.items[i];
    if (!item.is(DatumKind::List)) continue;  // documentation, options
    if (item.items.size() < 2 || !item.items[0].is(DatumKind::Symbol)) {
      t.error(Code::F008, item.span, "defprotocol: this is not a method",
              "write (method [this argument ...])");
      continue;
    }
    // Types list their methods by the plain name, whatever file they are in.
    const Name* plain = item.items[0].name;
    const Name* method = t.names.own(plain);
    t.names.define(method);
    t.names.globals().declare(method, item.span);
    auto* lambda = t.make<core::Lambda>(item.span);
    lambda->name = method;
    for (std::size_t j = 1; j < item.items.size(); ++j) {
      if (!item.items[j].is(DatumKind::Vector) || item.items[j].items.empty()) continue;
      core::Arity arity;
      arity.span = item.span;
      std::vector<Node*> args;
      for (const Datum& param : item.items[j].items) {
        arity.params.push_back(
            t.fresh(param.is(DatumKind::Symbol) ? param.name->full : "arg", param.span));
        args.push_back(t.local(param.span, arity.params.back()));
      }
      Node* function = t.library_call(
          item.span, "%method",
          {t.local(item.span, arity.params[0]), t.constant(item.span, Value::symbol(plain))});
      arity.body = t.call_of(item.span, function, std::move(args));
      lambda->arities.push_back(std::move(arity));
    }
    if (lambda->arities.empty()) {
      t.error(Code::F008, item.span, "defprotocol: a method needs parameters",
              "write (method [this argument ...])");
      continue;
    }
    t.order_arities(lambda);
    add_definition(t, item, method, lambda, out);
  }
}

namespace {

// One (type, methods) pair: the methods as globals, then a call of %extend-type.
void extend(Translator& t, const Datum& form, const Datum& type, const std::vector<Method>& methods,
            std::vector<TopLevel>& out) {
  Node* class_node = t.nil(type.span);
  if (!type.is(DatumKind::Nil)) {
    const Name* name = t.class_at(type, form.items[0].name->full.c_str());
    if (name == nullptr) return;
    class_node = t.constant(type.span, Value::class_value(name));
  }
  RecordShape shape{nullptr, "plain", {}, 0, methods};
  const std::string unique = fmt::format("{}:{}", to_text(type), form.span.begin);
  for (const Method& method : methods)
    push({definition(t, form.span, method_global(unique, method.name),
                     method_function(t, shape, method))},
         form.span, out);
  TopLevel item;
  item.node = t.library_call(form.span, "%extend-type",
                             {class_node, method_table(t, form.span, unique, methods)});
  item.span = form.span;
  item.is_definition = true;
  out.push_back(std::move(item));
}

bool is_type_name(const Datum& datum) {
  return datum.is(DatumKind::Symbol) || datum.is(DatumKind::Nil);
}

}  // namespace

// (extend-type Type Protocol (method [this] ..) ...)
void extend_type(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  if (form.items.size() < 2 || !is_type_name(form.items[1])) {
    t.error(Code::F008, form.span, "extend-type: needs a type",
            "write (extend-type Type Protocol (method [this] ..))");
    return;
  }
  RecordShape shape{nullptr, "plain", {}, 0, {}};
  if (read_methods(t, form, 2, &shape)) extend(t, form, form.items[1], shape.methods, out);
}

// (extend-protocol Protocol Type (method [this] ..) ... Type ...)
void extend_protocol(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  if (form.items.size() > 1 && form.items[1].is(DatumKind::Symbol) &&
      !check_protocol(t, form, form.items[1]))
    return;
  for (std::size_t i = 2; i < form.items.size();) {
    if (!is_type_name(form.items[i])) {
      t.error(Code::F008, form.items[i].span, "extend-protocol: needs a type here",
              "write (extend-protocol Protocol Type (method [this] ..) ...)");
      return;
    }
    std::size_t end = i + 1;
    while (end < form.items.size() && !is_type_name(form.items[end])) ++end;
    Datum part = form;
    part.items.resize(end);
    RecordShape shape{nullptr, "plain", {}, 0, {}};
    if (!read_methods(t, part, i + 1, &shape)) return;
    Datum place = form;
    place.span = form.items[i].span;
    extend(t, place, form.items[i], shape.methods, out);
    i = end;
  }
}

namespace {

// (reify Protocol (method [this ...] ..) ...)
Node* translate_reify(Translator& t, const Datum& form, Position) {
  const std::string unique = fmt::format("reify:{}:{}", form.span.file, form.span.begin);
  RecordShape shape{intern("reify"), "plain", {}, 0, {}};
  if (!read_methods(t, form, 1, &shape)) return t.nil(form.span);
  std::vector<Node*> captured;
  const std::vector<Scope::Entry> entries = t.scope.entries();
  for (std::size_t i = entries.size(); i-- > 0;) {
    const Scope::Entry& entry = entries[i];
    if (entry.binding == nullptr || t.scope.find(entry.name)->binding != entry.binding) continue;
    bool used = false;
    for (const Method& method : shape.methods)
      for (const Datum* datum : method.forms) used = used || mentions(*datum, entry.name);
    if (!used) continue;
    shape.fields.push_back(make_symbol(entry.name->full, form.span));
    captured.push_back(t.local(form.span, entry.binding));
  }
  // The methods stand outside: they see their fields, not the locals around.
  Scope outside;
  for (const Scope::Entry& entry : entries)
    if (entry.global != nullptr) outside.alias(entry.name, entry.global);
  const Name* type = nullptr;
  std::swap(t.scope, outside);
  for (core::Node* def : type_definitions(t, form.span, unique, shape, &type))
    t.lifted.push_back(def);
  std::swap(t.scope, outside);
  captured.insert(captured.begin(), t.make<core::Global>(form.span, type));
  return t.library_call(form.span, "%record", std::move(captured));
}

}  // namespace

void add_record_forms(FormTable& table) { add_form(table, {"reify"}, translate_reify); }

}  // namespace chancel::front
