// SPDX-License-Identifier: Apache-2.0
// Expressions: literals, names, calls, and the choice of a handler for a list. Collections of
// constants become one constant, so that data written into a program costs nothing at run time.
#include <fmt/format.h>

#include <algorithm>

#include "front/foreign_names.hpp"
#include "front/translator.hpp"
#include "value/classes.hpp"
#include "value/collections.hpp"

namespace chancel::front {

using core::Node;

namespace {

// Literals with more parts than this are built in pieces, so that no call needs a huge frame.
constexpr std::size_t kPieceOfLiteral = 64;

// A vector that starts with a literal cannot be meant as a call.
bool is_venture_data(const Datum& vector) {
  if (vector.items.empty()) return true;
  switch (vector.items[0].kind) {
    case DatumKind::Symbol:
    case DatumKind::Keyword:
    case DatumKind::List:
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set:
      return false;
    default:
      return true;
  }
}

std::string arguments_phrase(const std::vector<GlobalNames::ArgumentCount>& counts) {
  std::string numbers;
  bool one = false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& c = counts[i];
    if (i > 0) numbers += i + 1 == counts.size() ? " or " : ", ";
    if (c.max < 0)
      numbers += fmt::format("at least {}", c.min);
    else if (c.max == c.min)
      numbers += fmt::format("{}", c.min);
    else
      numbers += fmt::format("{} to {}", c.min, c.max);
    one = c.min == 1 && c.max <= 1;
  }
  return numbers + (one ? " argument" : " arguments");
}

}  // namespace

Node* Translator::error(Code code, Span span, std::string message, std::string hint) {
  Diagnostic& diagnostic = sink.error(code, span, std::move(message), std::move(hint));
  if (expanded_from.known() && !(expanded_from == span))
    diagnostic.notes.push_back({expanded_from, "in the expansion of this macro"});
  return nil(span);
}

Node* Translator::too_deep(Span span) {
  return error(Code::F002, span,
               fmt::format("this expression is nested more than {} levels deep", kMaxDepth),
               "split it into functions");
}

std::string Translator::source_text(const Datum& datum) const {
  if (datum.span.known()) return std::string(sources.text(datum.span));
  return to_text(datum);
}

Node* Translator::quoted(const Datum& datum) {
  return constant(datum.span, datum_to_value(datum, constants));
}

Node* Translator::call_of(Span span, Node* function, std::vector<Node*> args) {
  auto* call = make<core::Call>(span);
  call->function = function;
  call->args = std::move(args);
  return call;
}

Node* Translator::sequence(Span span, std::vector<Node*> parts) {
  if (parts.empty()) return nil(span);
  if (parts.size() == 1) return parts[0];
  auto* sequence = make<core::Do>(span);
  sequence->body = std::move(parts);
  return sequence;
}

Node* Translator::let_node(Span span, Bindings bindings, Node* body) {
  if (bindings.empty()) return body;
  auto* let = make<core::Let>(span);
  let->bindings = std::move(bindings);
  let->body = body;
  return let;
}

Datum Translator::fresh_symbol(std::string_view name, Span span) {
  return make_symbol(fmt::format("{}`{}", name, ++fresh_count_), span);
}

// A function that a macro has put into its code stands for itself, quoted or not.
static bool is_object_name(const Datum& datum) {
  return datum.is(DatumKind::Symbol) && datum.name->full.starts_with(kObjectName);
}

bool Translator::is_constant(const Datum& datum) const {
  switch (datum.kind) {
    case DatumKind::Symbol:
      return false;
    case DatumKind::List:
      if (datum.items.empty()) return true;
      return datum.is_list_headed("quote") && datum.items.size() == 2 &&
             !is_object_name(datum.items[1]);
    case DatumKind::Vector:
    case DatumKind::Map:
    case DatumKind::Set:
      // Vectors are forms in Venture-style; textbook maps know numeric keys by value.
      if (dialect == Dialect::Venture && datum.is(DatumKind::Vector) && !is_venture_data(datum))
        return false;
      if (dialect == Dialect::Textbook && datum.is(DatumKind::Map)) return false;
      if (datum.meta != nullptr) return false;
      return std::all_of(datum.items.begin(), datum.items.end(),
                         [&](const Datum& item) { return is_constant(item); });
    default:
      return true;
  }
}

Value Translator::constant_value(const Datum& datum) {
  if (datum.is(DatumKind::List)) {
    return datum.items.empty() ? Value::empty_list() : quoted_value(datum.items[1]);
  }
  if (!datum.is(DatumKind::Vector) && !datum.is(DatumKind::Map) && !datum.is(DatumKind::Set))
    return datum_to_value(datum, constants);
  std::vector<Value> items;
  for (const Datum& item : datum.items) items.push_back(constant_value(item));
  return collection_value(datum.kind, items);
}

Value Translator::quoted_value(const Datum& datum) {
  if (datum.is(DatumKind::Symbol) && datum.text == Datum::kSyntaxQuoted && !names.ns().empty() &&
      (names.defined(datum.name) || names.globals().is_macro(names.own(datum.name))))
    return Value::symbol(names.own(datum.name));
  return datum_to_value(datum, constants);
}

Value Translator::collection_value(DatumKind kind, const std::vector<Value>& items) {
  if (kind == DatumKind::Vector) return chancel::make_vector(constants, items.data(), items.size());
  if (kind == DatumKind::Set) {
    Value set = empty_set(constants);
    for (const Value& item : items) set = set_conj(constants, set, item);
    return set;
  }
  Value map = empty_map(constants);
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    map = map_assoc(constants, map, items[i], items[i + 1]);
  return map;
}

namespace {
// ^{:a 1} [x] gives a vector with metadata, ^{:a 1} (f x) only says something about the text.
bool evaluates_with_meta(const Datum& datum) {
  return datum.is(DatumKind::Vector) || datum.is(DatumKind::Map) || datum.is(DatumKind::Set) ||
         datum.is_list_headed("fn");
}
}  // namespace

Node* Translator::translate(const Datum& datum, Position at) {
  const Level level(*this);
  if (level.too_deep()) return too_deep(datum.span);
  if (datum.is(DatumKind::Symbol)) return symbol(datum);
  if (datum.meta != nullptr && dialect == Dialect::Clojure && evaluates_with_meta(datum)) {
    Datum plain = datum;
    plain.meta = nullptr;
    Node* value = translate(plain, at);
    return library_call(datum.span, "with-meta", {value, translate(*datum.meta)});
  }
  if (is_atom(datum)) return constant(datum.span, constant_value(datum));
  if (datum.is(DatumKind::List) ||
      (dialect == Dialect::Venture && datum.is(DatumKind::Vector) && !is_venture_data(datum)))
    return list_form(datum, at);
  return collection(datum);
}

// A constant that is not a vector, map or set.
bool Translator::is_atom(const Datum& datum) const {
  return !datum.is(DatumKind::Vector) && !datum.is(DatumKind::Map) && !datum.is(DatumKind::Set) &&
         is_constant(datum);
}

// Items are translated once, and those that are plain literals get a node only if the collection
// turns out to be no constant: large data costs no nodes, and nesting no second look.
Node* Translator::collection(const Datum& datum) {
  bool all_constant = !(dialect == Dialect::Textbook && datum.is(DatumKind::Map));
  std::vector<Node*> items(datum.items.size(), nullptr);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_atom(datum.items[i])) continue;
    items[i] = translate(datum.items[i]);
    all_constant = all_constant && items[i]->kind == core::Kind::Const;
  }
  const auto value_at = [&](std::size_t i) {
    return items[i] != nullptr ? static_cast<core::Const*>(items[i])->value
                               : constant_value(datum.items[i]);
  };
  if (all_constant) {
    std::vector<Value> values;
    values.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) values.push_back(value_at(i));
    return constant(datum.span, collection_value(datum.kind, values));
  }
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i] == nullptr)
      items[i] = constant(datum.items[i].span, constant_value(datum.items[i]));
  switch (datum.kind) {
    case DatumKind::Vector:
      return vector_literal(datum.span, std::move(items));
    case DatumKind::Map:
      return map_literal(datum.span, std::move(items));
    default:
      return library_call(datum.span, "%set", std::move(items));
  }
}

std::vector<Node*> Translator::arguments(const Datum& form, std::size_t from) {
  std::vector<Node*> args;
  args.reserve(form.items.size());
  for (std::size_t i = from; i < form.items.size(); ++i) args.push_back(translate(form.items[i]));
  return args;
}

Node* Translator::vector_literal(Span span, std::vector<Node*> items) {
  if (items.size() <= kPieceOfLiteral) return library_call(span, "vector", std::move(items));
  std::vector<Node*> pieces;
  for (std::size_t i = 0; i < items.size(); i += kPieceOfLiteral) {
    const std::size_t end = std::min(items.size(), i + kPieceOfLiteral);
    pieces.push_back(library_call(span, "vector",
                                  {items.begin() + static_cast<std::ptrdiff_t>(i),
                                   items.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  while (pieces.size() > 1) {
    std::vector<Node*> joined;
    for (std::size_t i = 0; i < pieces.size(); i += kPieceOfLiteral) {
      const std::size_t end = std::min(pieces.size(), i + kPieceOfLiteral);
      joined.push_back(library_call(span, "%concat-vectors",
                                    {pieces.begin() + static_cast<std::ptrdiff_t>(i),
                                     pieces.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    pieces = std::move(joined);
  }
  return pieces[0];
}

Node* Translator::map_literal(Span span, std::vector<Node*> items) {
  const char* make_map = dialect == Dialect::Textbook ? "%textbook-hash-map" : "%map";
  if (items.size() <= kPieceOfLiteral) return library_call(span, make_map, std::move(items));
  std::vector<Node*> pieces;
  for (std::size_t i = 0; i < items.size(); i += kPieceOfLiteral) {
    const std::size_t end = std::min(items.size(), i + kPieceOfLiteral);
    pieces.push_back(library_call(span, make_map,
                                  {items.begin() + static_cast<std::ptrdiff_t>(i),
                                   items.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return library_call(span, "merge", std::move(pieces));
}

Node* Translator::body(const Datum& form, std::size_t from, Position at, std::size_t to) {
  to = std::min(to, form.items.size());
  if (dialect == Dialect::Venture) return venture_body(*this, form, from, to, at.inner());
  std::vector<Node*> parts;
  for (std::size_t i = from; i < to; ++i) {
    const bool last = i + 1 == to;
    parts.push_back(translate(form.items[i], last ? at.inner() : Position{}));
  }
  return sequence(form.span, std::move(parts));
}

Node* Translator::sampling_function(Span span, const Name* name) {
  auto* lambda = make<core::Lambda>(span);
  lambda->name = name;
  core::Arity arity;
  arity.span = span;
  arity.rest = fresh("args", span);
  auto* sample = make<core::Sample>(span);
  sample->dist =
      library_call(span, "apply", {make<core::Global>(span, name), local(span, arity.rest)});
  arity.body = sample;
  lambda->arities.push_back(std::move(arity));
  return lambda;
}

// (map sample dists), (apply observe args) ...: a checkpoint as a function.
Node* Translator::special_as_value(const Datum& datum) {
  const Span span = datum.span;
  auto* lambda = make<core::Lambda>(span);
  lambda->name = datum.name;
  auto add = [&](std::initializer_list<const char*> params, auto&& body_of) {
    core::Arity arity;
    arity.span = span;
    std::vector<Node*> args;
    for (const char* param : params) {
      arity.params.push_back(fresh(param, span));
      args.push_back(local(span, arity.params.back()));
    }
    arity.body = body_of(args);
    lambda->arities.push_back(std::move(arity));
  };
  auto sample = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Sample>(span);
    node->dist = a.back();
    if (a.size() == 2) node->id = a[0];
    return node;
  };
  auto observe = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Observe>(span);
    node->value = a.back();
    node->dist = a[a.size() - 2];
    if (a.size() == 3) node->id = a[0];
    return node;
  };
  auto predict = [&](const std::vector<Node*>& a) -> Node* {
    auto* node = make<core::Predict>(span);
    node->value = a.back();
    node->label = a[0];
    return node;
  };
  if (datum.name->base == "sample") {
    add({"dist"}, sample);
    add({"id", "dist"}, sample);
  } else if (datum.name->base == "observe") {
    add({"dist", "value"}, observe);
    add({"id", "dist", "value"}, observe);
  } else if (datum.name->base == "predict") {
    add({"label", "value"}, predict);
  } else {
    add({"log-weight"}, [&](const std::vector<Node*>& a) -> Node* {
      auto* node = make<core::Observe>(span);
      node->dist = library_call(span, "%factor", {a[0]});
      node->value = nil(span);
      return node;
    });
  }
  return lambda;
}

Node* Translator::global(Span span, const Name* name) {
  Node* node = make<core::Global>(span, name);
  return names.is_dynamic(name) ? library_call(span, "%cell-get", {node}) : node;
}

const Name* Translator::class_named(const Name* spelled) const {
  std::string_view name = spelled->full;
  if (const Name* own = names.type(spelled)) return own;
  if (const Name* found = find_class(name)) return found;
  // normal-distribution, anglican.runtime.normal-distribution, and with _ for -, as Java spells it
  std::string dashed(name.starts_with("anglican.runtime.") ? name.substr(17) : name);
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  for (const std::string_view end : {"-distribution", "-process"}) {
    if (!dashed.ends_with(end) || dashed.size() == end.size()) continue;
    const Name* base = intern(std::string_view(dashed).substr(0, dashed.size() - end.size()));
    const bool distribution = end == "-distribution";
    if (distribution ? names.globals().is_distribution(base) : names.globals().is_process(base))
      return distribution ? class_of_distribution(base->full) : class_of_process(base->full);
  }
  return nullptr;
}

const Name* Translator::class_at(const Datum& symbol, const char* form) {
  if (const Name* found = class_named(symbol.name)) return found;
  std::vector<std::string> candidates = class_names();
  for (const Name* own : names.types()) candidates.push_back(own->full);
  const std::string guess = did_you_mean(symbol.name->full, candidates);
  error(Code::F001, symbol.span, fmt::format("{}: unknown type {}", form, symbol.name->full),
        guess.empty()
            ? "a type is a record of the program, a distribution "
              "(anglican.runtime.normal-distribution), or a class such as String or Number"
            : fmt::format("did you mean {}?", guess));
  return nullptr;
}

Node* Translator::symbol(const Datum& datum) {
  const Name* name = datum.name;
  if (name->full.size() > 2 && name->full.compare(0, 2, "%%") == 0)
    return library(datum.span, std::string_view(name->full).substr(2));
  if (const Scope::Entry* entry = scope.find(name)) {
    if (entry->binding != nullptr) return local(datum.span, entry->binding);
    return global(datum.span, entry->global);
  }
  if (const Name* global = names.resolve(name)) {
    if (primitives_sample && !names.defined(global) && names.globals().is_distribution(global))
      return sampling_function(datum.span, global);
    if (!names.defined(global) && names.globals().is_macro(global))
      return error(Code::F002, datum.span, fmt::format("{}: a macro is not a value", name->full),
                   "wrap it in a function: #(" + name->full + " %)");
    return this->global(datum.span, global);
  }
  if (dialect == Dialect::Clojure)
    if (const Name* type = class_named(name)) return constant(datum.span, Value::class_value(type));
  for (const char* special : {"sample", "observe", "predict", "factor", "score"})
    if (name->base == special && forms->count(intern(special)) != 0) return special_as_value(datum);
  if (forms->count(name) != 0)
    return error(Code::F002, datum.span,
                 fmt::format("{}: a special form is not a value", name->full),
                 "wrap it in a function: #(" + name->full + " %)");
  if (!reported.insert(name).second) return nil(datum.span);
  if (name->full.size() > 1 && name->full[0] == '.')
    return error(Code::F007, datum.span, fmt::format("{}: a method is not a value", name->full),
                 "wrap it in a function: #(" + name->full + " %)");
  std::vector<std::string> candidates = names.globals().all();
  for (const Scope::Entry& entry : scope.entries()) candidates.push_back(entry.name->full);
  for (const auto& [form, handler] : *forms) candidates.push_back(form->full);
  for (const auto& [user, counts] : arities) candidates.push_back(user->full);
  std::erase_if(candidates, [](const std::string& c) { return c.empty() || c[0] == '%'; });
  std::string hint = names.why_unknown(name);
  if (hint.empty()) hint = foreign_name_hint(name->full, candidates);
  if (hint.empty()) {
    const std::string guess = did_you_mean(name->full, candidates);
    if (!guess.empty()) hint = fmt::format("did you mean {}?", guess);
  }
  return error(Code::F001, datum.span, fmt::format("unbound name: {}", name->full), hint);
}

std::optional<Datum> Translator::expansion_of(const Name* macro, const Datum& form) {
  constexpr int kMostExpansions = 500;
  if (expands_without_end_) return std::nullopt;
  if (expansions < kMostExpansions) return names.globals().expand(macro, form, sink);
  expands_without_end_ = true;
  error(Code::F009, form.span, fmt::format("{}: the macro expands without end", macro->full));
  return std::nullopt;
}

Node* Translator::list_form(const Datum& form, Position at) {
  const Datum& head = form.items[0];
  if (!head.is(DatumKind::Symbol)) return call(form);
  const Scope::Entry* entry = scope.find(head.name);
  const Name* spelled = head.name;
  if (entry == nullptr && !spelled->ns.empty())
    if (const Name* form_name = names.form(spelled)) spelled = form_name;
  if (auto form_entry = forms->find(spelled); form_entry != forms->end()) {
    const Form& special = form_entry->second;
    const bool qualified = !head.name->ns.empty();
    if (special.reserved || (entry == nullptr && (qualified || !names.defined(spelled))))
      return special.handler(*this, form, at);
  }
  if (entry == nullptr) {
    const Name* global = names.resolve(head.name);
    if (global != nullptr && !names.defined(global) && names.globals().is_macro(global)) {
      auto expansion = expansion_of(global, form);
      if (!expansion) return nil(form.span);
      Setting<int> deeper(expansions, expansions + 1);
      Setting<Span> from(expanded_from, expanded_from.known() ? expanded_from : form.span);
      return translate(*expansion, at);
    }
    if (global == nullptr && head.name->full.size() > 1 &&
        (head.name->full.front() == '.' || head.name->full.back() == '.'))
      return interop(form);
  }
  return call(form);
}

void Translator::check_arity(const Name* name, std::size_t given, Span span) {
  std::vector<GlobalNames::ArgumentCount> counts;
  if (auto own = arities.find(name); own != arities.end()) {
    counts = own->second;
  } else if (!names.defined(name)) {
    if (auto library = names.globals().arity(name)) counts.push_back(*library);
  }
  if (counts.empty()) return;
  for (const auto& c : counts)
    if (given >= static_cast<std::size_t>(c.min) &&
        (c.max < 0 || given <= static_cast<std::size_t>(c.max)))
      return;
  // In other languages one name stands for the law with and without location and scale.
  std::string hint;
  const std::string moved = name->full + "-loc-scale";
  if (auto other = names.globals().arity(intern(moved));
      other && given == static_cast<std::size_t>(other->min))
    hint = fmt::format("{} takes {}, location and scale among them", moved,
                       arguments_phrase({*other}));
  error(Code::F005, span,
        fmt::format("{}: takes {}, got {}", name->full, arguments_phrase(counts), given), hint);
}

Node* Translator::global_call(const Name* name, const Datum& form, std::size_t from) {
  check_arity(name, form.items.size() - from, form.span);
  Node* node = call_of(form.span, global(form.items[0].span, name), arguments(form, from));
  if (primitives_sample && !names.defined(name) && names.globals().is_distribution(name)) {
    auto* sample = make<core::Sample>(form.span);
    sample->dist = node;
    return sample;
  }
  return node;
}

Node* Translator::call(const Datum& form) {
  const Datum& head = form.items[0];
  switch (head.kind) {
    case DatumKind::Nil:
    case DatumKind::Bool:
    case DatumKind::Int:
    case DatumKind::Double:
    case DatumKind::Ratio:
    case DatumKind::BigInt:
    case DatumKind::Char:
    case DatumKind::String:
      return error(Code::F012, head.span, fmt::format("{} is not a function", to_text(head)),
                   "a list is a call of its first part; data is written [..] or '(..)");
    case DatumKind::Symbol: {
      const Scope::Entry* entry = scope.find(head.name);
      if (entry != nullptr && entry->global != nullptr) return global_call(entry->global, form, 1);
      if (entry != nullptr || head.name->full.compare(0, 2, "%%") == 0) break;
      const Name* global = names.resolve(head.name);
      if (global == nullptr) break;
      // (Math/PI): a field of Java may be written as a call.
      if (form.items.size() == 1 && !head.name->ns.empty() && names.globals().is_constant(global))
        return this->global(head.span, global);
      // Long lists of constants, as data is often written in programs, are constants.
      if (form.items.size() > kPieceOfLiteral && !names.defined(global) &&
          (global->full == "list" || global->full == "vector")) {
        std::vector<Value> items;
        bool all = true;
        for (std::size_t i = 1; all && i < form.items.size(); ++i) all = is_constant(form.items[i]);
        for (std::size_t i = 1; all && i < form.items.size(); ++i)
          items.push_back(constant_value(form.items[i]));
        if (all && global->full == "list")
          return constant(form.span, chancel::make_list(constants, items.data(), items.size()));
        if (all)
          return constant(form.span, chancel::make_vector(constants, items.data(), items.size()));
      }
      return global_call(global, form, 1);
    }
    default:
      break;
  }
  Node* function = translate(head);
  return call_of(form.span, function, arguments(form));
}

}  // namespace chancel::front
