// SPDX-License-Identifier: Apache-2.0
// Files that a program loads: (require '[x :as y]) and its like find x.clj in the folder of the
// program or of its project (project/source_files.hpp) and evaluate it once, in a namespace of its own; load-file evaluates a
// file where it stands. A file that asks for itself, through others or not, is a mistake; so is one
// that does not say the namespace that was asked for.
#include <fmt/format.h>

#include <algorithm>

#include "library/host.hpp"
#include "reader/reader.hpp"
#include "session/loader.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {

// (ns name ...) or (in-ns 'name) among the first forms.
const Name* namespace_of(const std::vector<Datum>& forms) {
  for (const Datum& form : forms) {
    if (!form.is_list_headed("ns") && !form.is_list_headed("ns+") && !form.is_list_headed("in-ns"))
      continue;
    if (form.items.size() < 2) continue;
    const Datum& name = form.items[1].is_list_headed("quote") && form.items[1].items.size() == 2
                            ? form.items[1].items[1]
                            : form.items[1];
    if (name.is(DatumKind::Symbol)) return name.name;
  }
  return nullptr;
}

// ::a is of the file's namespace.
void qualify_keywords(Datum& datum, const std::string& ns) {
  if (datum.is(DatumKind::Keyword) && datum.text == Datum::kOwnKeyword)
    datum.name = intern(ns, datum.name->base);
  for (Datum& item : datum.items) qualify_keywords(item, ns);
}

}  // namespace

void Loader::qualify_own_keywords(std::vector<Datum>& forms) const {
  const Name* said = namespace_of(forms);
  const std::string ns = said != nullptr ? said->full : session_.names().main_namespace();
  if (ns == "user") return;
  for (Datum& form : forms) qualify_keywords(form, ns);
}

std::optional<std::vector<Datum>> Loader::read_source(const std::string& path, Span span) {
  Evaluator& e = session_.evaluator();
  for (std::size_t i = 0; i < loading_.size(); ++i) {
    if (loading_[i].path != path) continue;
    std::string chain;
    for (std::size_t k = i; k < loading_.size(); ++k) chain += loading_[k].path + " loads ";
    e.sink.error(Code::F014, span, fmt::format("files load each other: {}{}", chain, path),
                 "put what both need into a third file");
    return std::nullopt;
  }
  constexpr std::size_t kDeepest = 100;
  if (loading_.size() >= kDeepest) {
    e.sink.error(Code::F014, span, fmt::format("more than {} files load one another", kDeepest));
    return std::nullopt;
  }
  std::string text, why;
  const auto look = [&e](std::size_t bytes) {
    e.heap.room_for(bytes);
    if (auto reason = stop_requested(&e.run)) throw RunStopped{std::move(*reason)};
  };
  if (!read_file_from_disk(path, &text, &why, look)) {
    e.sink.error(Code::F014, span, fmt::format("cannot read {}: {}", path, why));
    return std::nullopt;
  }
  e.kept.take(text.size());
  const std::uint32_t file = e.program->sources.add(path, std::move(text));
  FrontBudget data(e.heap, e.program->constants().heap(), e.run);
  std::vector<Datum> forms = read_all(e.program->sources, file, e.sink, &data);
  if (e.sink.has_errors() && !e.checking) return std::nullopt;
  qualify_own_keywords(forms);
  return forms;
}

FrontEnd& Loader::open_namespace(const std::string& ns) {
  Evaluator& e = session_.evaluator();
  std::unique_ptr<FrontEnd>& front = namespaces_[ns];
  front = std::make_unique<FrontEnd>(Dialect::Clojure, session_.names(), e.nodes,
                                     e.program->constants(), e.sink, e.program->sources, ns);
  return *front;
}

bool Loader::run_file(FrontEnd& front, const std::vector<Datum>& forms, const std::string& path,
                      Span from) {
  Evaluator& e = session_.evaluator();
  loading_.push_back({path, from});
  const std::size_t before = e.sink.list().size();
  front.predeclare(forms);
  bool ok = true;
  for (const Datum& form : forms) {
    ok = run_form(front, form, nullptr, {}) && ok;
    if (!ok && !e.checking) break;
  }
  // What went wrong was asked for somewhere.
  std::vector<Diagnostic> all = e.sink.list();
  if (all.size() > before && from.known()) {
    e.sink.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= before && all[i].span.file != from.file)
        all[i].notes.push_back({from, "this file is loaded here"});
      e.sink.add(std::move(all[i]));
    }
  }
  loading_.pop_back();
  return ok;
}

GlobalNames::Loading Loader::load_namespace(const std::string& ns, Span span, bool again,
                                            DiagnosticSink& sink) {
  using Loading = GlobalNames::Loading;
  const auto path = sources.find(ns, session_.names().main_namespace());
  if (!path) {
    if (!sources.is_own(ns)) return Loading::Missing;
    sink.error(Code::F014, span, fmt::format("there is no namespace {} in this project", ns),
               fmt::format("searched: {}", sources.places_of(ns)));
    return Loading::Failed;
  }
  const bool under_way = std::any_of(loading_.begin(), loading_.end(),
                                     [&](const BeingLoaded& file) { return file.path == *path; });
  if (namespaces_.contains(ns) && !under_way && !again) return Loading::Loaded;
  if (&sink != &session_.diagnostics()) {  // eval: it has a sink of its own, and code that runs
    sink.error(Code::F014, span, fmt::format("{} cannot be loaded inside eval", ns),
               "require it at top level");
    return Loading::Failed;
  }
  const auto forms = read_source(*path, span);
  if (!forms) return Loading::Failed;
  const Name* said = namespace_of(*forms);
  if (said == nullptr || said->full != ns) {
    sink.error(Code::F014, span,
               said == nullptr
                   ? fmt::format("{} does not say that it is the namespace {}", *path, ns)
                   : fmt::format("{} is the namespace {}, not {}", *path, said->full, ns),
               fmt::format("write (ns {}) at its beginning", ns));
    return Loading::Failed;
  }
  return run_file(open_namespace(ns), *forms, *path, span) ? Loading::Loaded : Loading::Failed;
}

// The argument of load-file; nothing when it is not a string, or when a check cannot evaluate it.
std::optional<std::string> Loader::path_of(FrontEnd& front, const Datum& form) {
  if (form.items.size() != 2) return std::nullopt;
  if (form.items[1].is(DatumKind::String)) return form.items[1].text;
  if (session_.evaluator().checking) return std::nullopt;
  std::vector<TopLevel> items = front.translate(form.items[1]);
  Value value = Value::nil();
  if (items.size() != 1 || items[0].node == nullptr || session_.diagnostics().has_errors() ||
      !evaluate(items[0].node, nullptr, &value) || !value.is(Tag::String))
    return std::nullopt;
  return std::string(string_view_of(value));
}

bool Loader::load_file(FrontEnd& front, const Datum& form) {
  const bool whole = form.is_list_headed("load-file");
  const char* head = whole ? "load-file" : "load";
  DiagnosticSink& sink = session_.diagnostics();
  std::string path = path_of(front, form).value_or("");
  if (path.empty()) {
    if (sink.has_errors() || session_.evaluator().checking) return session_.evaluator().checking;
    sink.error(Code::F014, form.span, fmt::format("{}: takes the path of a file, a string", head));
    return false;
  }
  if (!whole) {  // (load "/a/b") is a/b.clj
    if (path.starts_with('/')) path.erase(0, 1);
    path += ".clj";
  }
  std::string why;
  const auto found = sources.resolve(path, &why);
  if (!found) {
    sink.error(Code::F014, form.items[1].span, fmt::format("{}: {}: {}", head, path, why));
    return false;
  }
  const auto forms = read_source(*found, form.items[1].span);
  if (!forms) return false;
  // Without an ns form the definitions are those of the file that loads it.
  const Name* said = namespace_of(*forms);
  FrontEnd& to = said != nullptr && said->full != session_.names().main_namespace()
                     ? open_namespace(said->full)
                     : front;
  return run_file(to, *forms, *found, form.items[1].span);
}

}  // namespace chancel
