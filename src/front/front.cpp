// SPDX-License-Identifier: Apache-2.0
// The entry point of the room: selects the dialect's front end, and finishes what it gives (lifted
// definitions first, sequences flattened, nothing for forms with errors).
#include "front/front.hpp"

#include <fmt/format.h>

#include "core/rewrite.hpp"
#include "front/definitions.hpp"
#include "front/dialects.hpp"
#include "front/drawless_values.hpp"
#include "front/translator.hpp"
#include "front/unused.hpp"

namespace chancel {

namespace {
// What the compiler, which recurses over core, can take with an ordinary stack of 8 MiB.
constexpr std::size_t kMaxCoreDepth = 5000;
}  // namespace

const char* dialect_name(Dialect dialect) {
  switch (dialect) {
    case Dialect::Clojure:
      return "clojure";
    case Dialect::Venture:
      return "venture";
    case Dialect::Textbook:
      return "textbook";
  }
  return "";
}

Dialect detect_dialect(const std::vector<Datum>& forms, bool script) {
  auto headed = [](const Datum& form, const char* head) {
    return (form.is(DatumKind::List) || form.is(DatumKind::Vector)) && !form.items.empty() &&
           form.items[0].is_symbol(head);
  };
  for (const Datum& form : forms)
    if (headed(form, "assume")) return Dialect::Venture;
  // Directives without any assume; in Clojure-style they cannot stand at top level.
  for (const Datum& form : forms)
    if (form.is(DatumKind::Vector) && (headed(form, "observe") || headed(form, "predict")))
      return Dialect::Venture;
  if (script || forms.empty()) return Dialect::Clojure;
  for (std::size_t i = 0; i + 1 < forms.size(); ++i)
    if (!forms[i].is_list_headed("defn")) return Dialect::Clojure;
  const Datum& last = forms.back();
  if (last.is_list_headed("ns") || last.is_list_headed("ns+") || last.is_list_headed("do") ||
      last.is_list_headed("comment") || last.is_list_headed("with-primitive-procedures") ||
      front::definition_handler(last) != nullptr)
    return Dialect::Clojure;
  return Dialect::Textbook;
}

struct FrontEnd::Impl {
  Dialect dialect;
  front::Translator translator;
  std::unordered_set<const Name*> defined_twice;

  Impl(Dialect d, GlobalNames& globals, core::NodeArena& nodes, Arena& constants,
       DiagnosticSink& sink, const SourceMap& sources, std::string ns)
      : dialect(d), translator(globals, nodes, constants, sink, sources, std::move(ns)) {
    translator.dialect = d;
    translator.forms = d == Dialect::Venture    ? &front::venture_forms()
                       : d == Dialect::Textbook ? &front::textbook_forms()
                                                : &front::clojure_forms();
  }

  // What the program says about argument counts; a name with two definitions may be called either
  // way.
  void note_definitions(const Datum& form, bool first_time) {
    std::vector<front::DefinedName> names;
    front::collect_definitions(form, names, translator.names);
    for (front::DefinedName& name : names) {
      name.name = translator.names.own(name.name);
      const bool again =
          translator.arities.count(name.name) != 0 || translator.names.defined(name.name);
      translator.names.define(name.name);
      if (name.dynamic) translator.names.define_dynamic(name.name);
      if (name.is_private) translator.names.globals().mark_private(name.name);
      if (first_time && again && !form.is_list_headed("declare")) defined_twice.insert(name.name);
      if (name.arities.empty() || defined_twice.count(name.name) != 0) {
        if (!form.is_list_headed("declare")) translator.arities.erase(name.name);
      } else {
        translator.arities[name.name] = std::move(name.arities);
      }
    }
  }

  std::vector<TopLevel> finish(std::vector<TopLevel> items) {
    std::vector<TopLevel> all;
    for (core::Node* lifted : translator.lifted) {
      TopLevel item;
      item.node = lifted;
      item.span = lifted->span;
      item.is_definition = true;
      all.push_back(std::move(item));
    }
    translator.lifted.clear();
    translator.reported.clear();
    for (TopLevel& item : items) all.push_back(std::move(item));
    for (TopLevel& item : all) {
      if (item.node == nullptr) continue;
      core::flatten_sequences(item.node);
      if (core::depth(item.node) > kMaxCoreDepth) {
        translator.sink.error(
            Code::F002, item.span,
            fmt::format("this form becomes more than {} levels of calls deep", kMaxCoreDepth),
            "split it into functions");
        item.node = nullptr;
      }
      if (item.node == nullptr) continue;
      front::warn_of_unused_distributions(item.node, translator.names.globals(), translator.sink);
      front::refuse_drawless_values(item.node, translator.names.globals(), translator.sink);
    }
    return all;
  }
};

FrontEnd::FrontEnd(Dialect dialect, GlobalNames& globals, core::NodeArena& nodes, Arena& constants,
                   DiagnosticSink& sink, const SourceMap& sources, std::string ns)
    : impl_(std::make_unique<Impl>(dialect, globals, nodes, constants, sink, sources,
                                   std::move(ns))) {}
FrontEnd::~FrontEnd() = default;

void FrontEnd::take_names(const FrontEnd& other) {
  impl_->translator.names.take(other.impl_->translator.names);
}

std::optional<Datum> FrontEnd::macroexpand(const Datum& form) {
  return impl_->translator.expand_once(form);
}

void FrontEnd::predeclare(const std::vector<Datum>& forms) {
  for (const Datum& form : forms) impl_->note_definitions(form, true);
}

std::vector<TopLevel> FrontEnd::translate(const Datum& form) {
  impl_->translator.forget_unfinished();
  impl_->note_definitions(form, false);
  std::vector<TopLevel> items;
  if (impl_->dialect == Dialect::Venture) {
    TopLevel item;
    item.node = front::translate_venture_expression(impl_->translator, form);
    item.span = form.span;
    items.push_back(std::move(item));
  } else {
    front::translate_top_level(impl_->translator, form, items);
  }
  items = impl_->finish(std::move(items));
  for (std::size_t i = 0; i + 1 < items.size(); ++i) items[i].shown = false;
  return items;
}

std::vector<TopLevel> FrontEnd::translate_program(const std::vector<Datum>& forms) {
  front::Translator& t = impl_->translator;
  if (impl_->dialect == Dialect::Venture) return impl_->finish(front::translate_venture(t, forms));
  if (impl_->dialect == Dialect::Textbook)
    return impl_->finish(front::translate_textbook(t, forms));
  std::vector<TopLevel> all;
  for (const Datum& form : forms)
    for (TopLevel& item : translate(form)) all.push_back(std::move(item));
  return all;
}

}  // namespace chancel
