// SPDX-License-Identifier: Apache-2.0
// library() of the public interface: all that the language has under a name, with its documentation.
#include <algorithm>

#include "chancel/chancel.hpp"
#include "front/form_docs.hpp"
#include "library/registry.hpp"
#include "reader/reader.hpp"
#include "session/library_index.hpp"

namespace chancel {

namespace {
struct PreludeDoc {
  std::string text, signature;
};
// Of (defn name "doc" [params] ...) or (defn name "doc" ([params] ...) ([params] ...)), (def name
// "doc" value).
PreludeDoc prelude_doc(std::string_view text) {
  SourceMap sources;
  DiagnosticSink sink;
  const std::uint32_t file = sources.add("<library>", std::string(text));
  const std::vector<Datum> forms = read_all(sources, file, sink);
  PreludeDoc out;
  if (forms.empty()) return out;
  const std::vector<Datum>& items = forms[0].items;
  std::size_t at = 2;
  if (at + 1 < items.size() && items[at].is(DatumKind::String)) out.text = items[at++].text;
  if (forms[0].is_list_headed("def")) return out;
  const auto add = [&](const Datum& parameters) {
    out.signature += (out.signature.empty() ? "" : " ") + to_text(parameters);
  };
  if (at < items.size() && items[at].is(DatumKind::Vector)) {
    add(items[at]);
    return out;
  }
  for (; at < items.size(); ++at)
    if (items[at].is(DatumKind::List) && !items[at].items.empty()) add(items[at].items[0]);
  return out;
}
}  // namespace

std::vector<FunctionInfo> library() {
  const LibraryIndex index;
  std::vector<FunctionInfo> out;
  for (const NativeDef* def : index.natives()) {
    if (def->name[0] == '%') continue;
    out.push_back({def->name, def->signature, def->doc, def->dist ? "distribution" : "function"});
  }
  for (const auto& [name, text] : index.prelude_definitions()) {
    if (name->full[0] == '%') continue;
    const bool value = text.starts_with("(def ");
    FunctionInfo info{name->full, "", "", value ? "constant" : "function"};
    const PreludeDoc doc = prelude_doc(text);
    info.doc = doc.text;
    info.signature = doc.signature;
    out.push_back(std::move(info));
  }
  for (const ConstantDef& c : constants()) out.push_back({c.name, "", c.doc, "constant"});
  for (const front::FormDoc& f : front::form_docs())
    out.push_back({f.name, f.shape, f.doc, "form"});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

}  // namespace chancel
