// SPDX-License-Identifier: Apache-2.0
// Files that a program loads: (require '[x :as y]) and its like find x.clj in the folder of the
// program (source_folder.hpp) and evaluate it once, in a namespace of its own; load-file evaluates a
// file where it stands. A file that asks for itself, through others or not, is a mistake; so is one
// that does not say the namespace that was asked for.
#include <fmt/format.h>

#include <algorithm>

#include "library/host.hpp"
#include "session/session.hpp"
#include "value/collections.hpp"

namespace chancel {

namespace {

// (ns name ...) or (in-ns 'name) among the first forms.
const Name* namespace_of(const std::vector<Datum>& forms) {
  for (const Datum& form : forms) {
    if (!form.is_list_headed("ns") && !form.is_list_headed("in-ns")) continue;
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

void Session::settle_namespace(std::vector<Datum>& forms) const {
  const Name* said = namespace_of(forms);
  const std::string& ns = said != nullptr ? said->full : main_namespace_;
  if (ns == "user") return;
  for (Datum& form : forms) qualify_keywords(form, ns);
}

std::optional<std::vector<Datum>> Session::read_source(const std::string& path, Span span) {
  for (std::size_t i = 0; i < loading_.size(); ++i) {
    if (loading_[i].path != path) continue;
    std::string chain;
    for (std::size_t k = i; k < loading_.size(); ++k) chain += loading_[k].path + " loads ";
    sink_.error(Code::F014, span, fmt::format("files load each other: {}{}", chain, path),
                "put what both need into a third file");
    return std::nullopt;
  }
  constexpr std::size_t kDeepest = 100;
  if (loading_.size() >= kDeepest) {
    sink_.error(Code::F014, span, fmt::format("more than {} files load one another", kDeepest));
    return std::nullopt;
  }
  std::string text, why;
  if (!read_file_from_disk(path, &text, &why)) {
    sink_.error(Code::F014, span, fmt::format("cannot read {}: {}", path, why));
    return std::nullopt;
  }
  kept_.take(text.size());
  const std::uint32_t file = program_->sources.add(path, std::move(text));
  FrontBudget data(heap_, program_->constants().heap(), run_);
  std::vector<Datum> forms = read_all(program_->sources, file, sink_, &data);
  if (sink_.has_errors() && !checking_) return std::nullopt;
  settle_namespace(forms);
  return forms;
}

bool Session::run_file(FrontEnd& front, const std::vector<Datum>& forms, Mode mode, Span from) {
  const std::size_t before = sink_.list().size();
  front.predeclare(forms);
  bool ok = true;
  for (const Datum& form : forms) {
    ok = run_form(front, form, mode, nullptr, {}) && ok;
    if (!ok && !checking_) break;
  }
  // What went wrong was asked for somewhere.
  std::vector<Diagnostic> all = sink_.list();
  if (all.size() > before && from.known()) {
    sink_.clear();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= before && all[i].span.file != from.file)
        all[i].notes.push_back({from, "this file is loaded here"});
      sink_.add(std::move(all[i]));
    }
  }
  return ok;
}

GlobalNames::Loading Session::load_namespace(const std::string& ns, Span span, bool again,
                                             DiagnosticSink& sink) {
  const std::optional<std::string> path = sources.find(ns, main_namespace_);
  if (!path) return Loading::Missing;
  const bool under_way = std::any_of(loading_.begin(), loading_.end(),
                                     [&](const BeingLoaded& file) { return file.path == *path; });
  if (namespaces_.contains(ns) && !under_way && !again) return Loading::Loaded;
  if (&sink != &sink_) {  // eval: it has a sink of its own, and code that runs
    sink.error(Code::F014, span, fmt::format("{} cannot be loaded inside eval", ns),
               "require it at top level");
    return Loading::Failed;
  }
  const auto forms = read_source(*path, span);
  if (!forms) return Loading::Failed;
  const Name* said = namespace_of(*forms);
  if (said == nullptr || said->full != ns) {
    sink_.error(Code::F014, span,
                said == nullptr
                    ? fmt::format("{} does not say that it is the namespace {}", *path, ns)
                    : fmt::format("{} is the namespace {}, not {}", *path, said->full, ns),
                fmt::format("write (ns {}) at its beginning", ns));
    return Loading::Failed;
  }
  std::unique_ptr<FrontEnd>& front = namespaces_[ns];
  front = std::make_unique<FrontEnd>(Dialect::Clojure, *this, nodes_, program_->constants(), sink_,
                                     program_->sources, ns);
  loading_.push_back({*path, span});
  const bool ok = run_file(*front, *forms, mode_, span);
  loading_.pop_back();
  return ok ? Loading::Loaded : Loading::Failed;
}

bool Session::load_file(FrontEnd& front, const Datum& form, Mode mode) {
  const bool whole = form.is_list_headed("load-file");
  const char* head = whole ? "load-file" : "load";
  std::string path;
  if (form.items.size() == 2 && form.items[1].is(DatumKind::String)) {
    path = form.items[1].text;
  } else if (form.items.size() == 2 && !checking_) {
    // The path is worked out first.
    std::vector<TopLevel> items = front.translate(form.items[1]);
    Value value = Value::nil();
    if (items.size() != 1 || items[0].node == nullptr || sink_.has_errors()) return false;
    if (!evaluate(items[0].node, form.span, nullptr, &value)) return false;
    if (value.is(Tag::String)) path = string_view_of(value);
  }
  if (path.empty()) {
    if (checking_) return true;  // check evaluates nothing
    sink_.error(Code::F014, form.span, fmt::format("{}: takes the path of a file, a string", head));
    return false;
  }
  if (!whole) {  // (load "/a/b") is a/b.clj
    if (path.starts_with('/')) path.erase(0, 1);
    path += ".clj";
  }
  std::string why;
  const auto found = sources.resolve(path, &why);
  if (!found) {
    sink_.error(Code::F014, form.items[1].span, fmt::format("{}: {}: {}", head, path, why));
    return false;
  }
  const auto forms = read_source(*found, form.items[1].span);
  if (!forms) return false;
  // Without an ns form the definitions are those of the file that loads it.
  const Name* said = namespace_of(*forms);
  FrontEnd* to = &front;
  if (said != nullptr && said->full != main_namespace_) {
    std::unique_ptr<FrontEnd>& own = namespaces_[said->full];
    own = std::make_unique<FrontEnd>(Dialect::Clojure, *this, nodes_, program_->constants(), sink_,
                                     program_->sources, said->full);
    to = own.get();
  }
  loading_.push_back({*found, form.items[1].span});
  const bool ok = run_file(*to, *forms, mode, form.items[1].span);
  loading_.pop_back();
  return ok;
}

}  // namespace chancel
