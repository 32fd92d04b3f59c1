// SPDX-License-Identifier: Apache-2.0
// def, defn, defm, defquery, defmacro, declare and their variants.
#include "front/definitions.hpp"

#include <fmt/format.h>

#include <unordered_map>

#include "core/rewrite.hpp"

namespace chancel::front {

using core::Node;

namespace {

// Argument counts of [params] body or ([params] body) ... from items[from] on.
std::vector<GlobalNames::ArgumentCount> argument_counts(const Datum& form, std::size_t from) {
  std::vector<GlobalNames::ArgumentCount> counts;
  auto add = [&](const Datum& params) {
    GlobalNames::ArgumentCount count;
    count.parameters = to_text(params);
    for (const Datum& param : params.items) {
      if (param.is_symbol("&")) {
        count.max = -1;
        counts.push_back(std::move(count));
        return;
      }
      ++count.min;
    }
    count.max = count.min;
    counts.push_back(std::move(count));
  };
  if (from < form.items.size() && form.items[from].is(DatumKind::Vector)) {
    add(form.items[from]);
    return counts;
  }
  for (std::size_t i = from; i < form.items.size(); ++i)
    if (form.items[i].is(DatumKind::List) && !form.items[i].items.empty() &&
        form.items[i].items[0].is(DatumKind::Vector))
      add(form.items[i].items[0]);
  return counts;
}

bool is_marked(const Datum& name, const char* mark) {
  if (name.meta == nullptr || !name.meta->is(DatumKind::Map)) return false;
  const std::vector<Datum>& items = name.meta->items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].is(DatumKind::Keyword) && items[i].name->full == mark)
      return !items[i + 1].is(DatumKind::Nil) &&
             !(items[i + 1].is(DatumKind::Bool) && !items[i + 1].boolean);
  return false;
}

bool defines_function(const std::string& head) {
  return head == "defn" || head == "defn-" || head == "defm" || head == "def-cps-fn";
}

// ([x] [x y]) of [params] body or ([params] body) ... from items[from] on.
std::string argument_lists(const Datum& form, std::size_t from) {
  std::string text;
  const auto add = [&](const Datum& params) {
    text += (text.empty() ? "" : " ") + to_text(params);
  };
  if (from < form.items.size() && form.items[from].is(DatumKind::Vector)) {
    add(form.items[from]);
  } else {
    for (std::size_t i = from; i < form.items.size(); ++i)
      if (form.items[i].is(DatumKind::List) && !form.items[i].items.empty() &&
          form.items[i].items[0].is(DatumKind::Vector))
        add(form.items[i].items[0]);
  }
  return "(" + text + ")";
}

// What the definition says about itself: beside its documentation, metadata of the name (^{...} name)
// and the map before the parameters, whose last item is form.items[from - 1].
void document(Translator& t, const Datum& form, const Name* name, std::string doc,
              std::string arguments, std::size_t from = 2, bool is_macro = false) {
  GlobalNames::Documentation said{std::move(doc), std::move(arguments), "", form.span, is_macro};
  Datum meta;
  meta.kind = DatumKind::Map;
  const auto add = [&](const Datum& map) {
    for (std::size_t i = 0; i + 1 < map.items.size(); i += 2) {
      const std::string key = to_text(map.items[i]);
      bool known = false;
      for (std::size_t k = 0; k < meta.items.size(); k += 2)
        known = known || to_text(meta.items[k]) == key;
      if (known) continue;
      meta.items.push_back(map.items[i]);
      meta.items.push_back(map.items[i + 1]);
      if (said.doc.empty() && key == ":doc" && map.items[i + 1].is(DatumKind::String))
        said.doc = map.items[i + 1].text;
    }
  };
  if (form.items[1].meta != nullptr) add(*form.items[1].meta);
  if (from > 2 && form.items[from - 1].is(DatumKind::Map)) add(form.items[from - 1]);
  if (!meta.items.empty()) said.meta = to_text(meta);
  t.names.globals().document(name, std::move(said));
}

void define_value(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  constexpr const char* kShape = "(def name value)";
  const Name* name = defined_name(t, form, kShape);
  if (name == nullptr) return;
  std::size_t value = 2;
  if (form.items.size() == 4 && form.items[2].is(DatumKind::String)) value = 3;
  if (form.items.size() > value + 1) {
    t.error(Code::F008, form.span, fmt::format("{}: takes one value", form.items[0].name->full),
            std::string("write ") + kShape);
    return;
  }
  if (form.items[0].name->base == "defonce" && t.translated.count(name) != 0) return;
  document(t, form, name, value == 3 ? form.items[2].text : "", "");
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  Node* node =
      value < form.items.size() ? t.translate(form.items[value], {false, false, name}) : nullptr;
  if (t.names.is_dynamic(name))
    node = t.library_call(form.span, "%cell-new", {node != nullptr ? node : t.nil(form.span)});
  const bool query = node != nullptr && node->kind == core::Kind::Lambda &&
                     static_cast<core::Lambda*>(node)->is_query;
  add_definition(t, form, name, node, out);
  if (query) {  // (def q (query ...)) can be asked for by name, too
    QuerySignature info;
    info.name = name;
    info.span = form.span;
    const Datum& source = form.items[value];
    std::size_t parameters = 1;
    if (source.items.size() > 3 && source.items[1].is(DatumKind::Symbol) &&
        (source.items[2].is(DatumKind::Symbol) || source.items[2].is(DatumKind::Vector)))
      ++parameters;  // the query's own name
    if (parameters < source.items.size() && source.items[parameters].is(DatumKind::Vector)) {
      note_parameters(source.items[parameters], &info);
    } else if (parameters + 1 < source.items.size() &&
               source.items[parameters].is(DatumKind::Symbol)) {
      info.whole_value = true;
      info.parameters.push_back({source.items[parameters].name->full, false});
    }
    out.back().query = std::move(info);
  }
}

void define_function(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const std::string& head = form.items[0].name->full;
  const Name* name = defined_name(t, form, "(defn name [parameters] body ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  std::string doc;
  const std::size_t from = skip_documentation(form, 2, &doc);
  document(t, form, name, std::move(doc), argument_lists(form, from), from);
  if (from >= form.items.size()) {
    t.error(Code::F008, form.span, fmt::format("{}: {} has no parameters", head, name->full),
            fmt::format("write ({} {} [parameters] body ...)", head, name->full));
    return;
  }
  Translator::Function function;
  function.name = name;
  function.liberal_recur = head == "defm" || head == "def-cps-fn";
  core::Lambda* lambda = t.lambda(form, from, function);
  lambda->is_anglican = *function.liberal_recur;
  add_definition(t, form, name, lambda, out);
}

void define_query(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defquery name [parameters] body ...)");
  if (name == nullptr) return;
  t.names.define(name);
  t.names.globals().declare(name, form.items[1].span);
  QuerySignature info;
  std::size_t from = 2;
  std::string doc;
  if (form.items.size() > 3 && form.items[2].is(DatumKind::String)) {
    doc = form.items[2].text;
    from = 3;
  }
  document(t, form, name, doc, argument_lists(form, from));
  core::Lambda* query = translate_query(t, form, from, name, &info);
  info.doc = doc;
  add_definition(t, form, name, query, out);
  out.back().query = std::move(info);
}

void define_macro(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  const Name* name = defined_name(t, form, "(defmacro name [parameters] body ...)");
  if (name == nullptr) return;
  Translator::Function function;
  function.name = name;
  const std::size_t errors_before = t.sink.list().size();
  std::string doc;
  const std::size_t from = skip_documentation(form, 2, &doc);
  document(t, form, name, std::move(doc), argument_lists(form, from), from, true);
  core::Lambda* lambda = t.lambda(form, from, function);
  Node* slot = lambda;
  core::flatten_sequences(slot);
  if (t.sink.list().size() == errors_before) t.names.globals().define_macro(name, lambda);
  TopLevel item;
  item.span = form.span;
  item.is_definition = true;
  out.push_back(std::move(item));
}

void declare_names(Translator& t, const Datum& form, std::vector<TopLevel>& out) {
  if (form.items.size() > 1 && form.items[1].is(DatumKind::Keyword))
    return;  // (declare :primitive ...)
  for (std::size_t i = 1; i < form.items.size(); ++i) {
    const Datum& name = form.items[i];
    if (!name.is(DatumKind::Symbol)) {
      t.error(Code::F008, name.span, fmt::format("declare: {} is not a name", to_text(name)),
              "write (declare f g)");
      continue;
    }
    const Name* own = t.names.own(name.name);
    t.names.define(own);
    t.names.globals().declare(own, name.span);
    TopLevel item;
    item.node = t.make<core::Def>(form.span, own);
    item.span = form.span;
    item.is_definition = true;
    out.push_back(std::move(item));
  }
}

const std::unordered_map<std::string, DefinitionHandler>& handlers() {
  static const std::unordered_map<std::string, DefinitionHandler> table = {
      {"def", define_value},
      {"defonce", define_value},
      {"defn", define_function},
      {"defn-", define_function},
      {"defm", define_function},
      {"def-cps-fn", define_function},
      {"defquery", define_query},
      {"defmacro", define_macro},
      {"declare", declare_names},
      {"defdist", define_distribution},
      {"defproc", define_process},
      {"defrecord", define_record},
      {"deftype", define_record},
      {"defprotocol", define_protocol},
      {"extend-type", extend_type},
      {"extend-protocol", extend_protocol},
      {"defmulti", define_multimethod},
      {"defmethod", define_method},
      {"deftest", define_test},
      {"deftest-", define_test},
      {"defanglican", define_legacy_query},
      {"defun", define_legacy_function},
  };
  return table;
}

}  // namespace

DefinitionHandler definition_handler(const Datum& form, const Names* names) {
  if (!form.is(DatumKind::List) || form.items.empty() || !form.items[0].is(DatumKind::Symbol))
    return nullptr;
  const Name* head = form.items[0].name;
  if (!head->ns.empty() && names != nullptr) {
    head = names->form(head);
    if (head == nullptr) return nullptr;
  } else if (!head->ns.empty() && head->ns != "clojure.core" && !head->ns.starts_with("anglican")) {
    return nullptr;
  }
  const auto found = handlers().find(std::string(head->base));
  return found == handlers().end() ? nullptr : found->second;
}

const Name* defined_name(Translator& t, const Datum& form, const char* shape) {
  const std::string& head = form.items[0].name->full;
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Symbol)) {
    const Span span = form.items.size() < 2 ? form.span : form.items[1].span;
    t.error(Code::F008, span, fmt::format("{}: needs a name", head), std::string("write ") + shape);
    return nullptr;
  }
  if (!form.items[1].name->ns.empty()) {
    t.error(Code::F008, form.items[1].span,
            fmt::format("{}: a name to define has no namespace", head),
            fmt::format("write {}", form.items[1].name->base));
    return nullptr;
  }
  return t.names.own(form.items[1].name);
}

void add_definition(Translator& t, const Datum& form, const Name* name, Node* value,
                    std::vector<TopLevel>& out) {
  auto* def = t.make<core::Def>(form.span, name);
  def->value = value;
  if (value != nullptr) t.translated.insert(name);
  TopLevel item;
  item.node = def;
  item.span = form.span;
  item.is_definition = true;
  out.push_back(std::move(item));
}

std::size_t skip_documentation(const Datum& form, std::size_t from, std::string* doc) {
  if (from + 1 < form.items.size() && form.items[from].is(DatumKind::String)) {
    if (doc != nullptr) *doc = form.items[from].text;
    ++from;
  }
  if (from + 1 < form.items.size() && form.items[from].is(DatumKind::Map)) ++from;
  return from;
}

void collect_definitions(const Datum& form, std::vector<DefinedName>& out, const Names& names) {
  if (!form.is(DatumKind::List) || form.items.empty() || !form.items[0].is(DatumKind::Symbol))
    return;
  const std::string head(form.items[0].name->base);
  if (head == "do" || head == "with-primitive-procedures" || head == "let") {
    for (std::size_t i = 1; i < form.items.size(); ++i)
      collect_definitions(form.items[i], out, names);
    return;
  }
  if (definition_handler(form, &names) == nullptr || head == "defmacro") return;
  if (head == "declare") {
    for (std::size_t i = 1; i < form.items.size(); ++i)
      if (form.items[i].is(DatumKind::Symbol) && form.items[1].is(DatumKind::Symbol))
        out.push_back({form.items[i].name, form.items[i].span, {}});
    return;
  }
  if (head == "defprotocol") {
    for (std::size_t i = 2; i < form.items.size(); ++i)
      if (form.items[i].is(DatumKind::List) && !form.items[i].items.empty() &&
          form.items[i].items[0].is(DatumKind::Symbol))
        out.push_back({form.items[i].items[0].name, form.items[i].span, {}});
  }
  if (form.items.size() < 2 || !form.items[1].is(DatumKind::Symbol)) return;
  const Datum& name = form.items[1];
  if (head == "defrecord" || head == "deftype") {
    out.push_back({intern("->" + name.name->full), name.span, {}});
    out.push_back({intern("map->" + name.name->full), name.span, {}});
  }
  if (head == "extend-type" || head == "extend-protocol" || head == "defmethod") return;
  DefinedName defined{name.name,
                      name.span,
                      {},
                      is_marked(name, "dynamic"),
                      is_marked(name, "private") || head == "defn-"};
  if (defines_function(head)) {
    defined.arities = argument_counts(form, skip_documentation(form, 2, nullptr));
    for (GlobalNames::ArgumentCount& count : defined.arities)
      count.anglican = !head.starts_with("defn");
  } else if (head == "def" && form.items.size() == 3 && form.items[2].is_list_headed("fn")) {
    const Datum& fn = form.items[2];
    defined.arities =
        argument_counts(fn, fn.items.size() > 1 && fn.items[1].is(DatumKind::Symbol) ? 2 : 1);
  }
  out.push_back(std::move(defined));
}

}  // namespace chancel::front
