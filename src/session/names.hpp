// SPDX-License-Identifier: Apache-2.0
// What the front end may ask about names: the library's, the program's, its macros and the namespaces of its files.
#pragma once
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "front/front.hpp"
#include "session/globals.hpp"
#include "session/library_index.hpp"

namespace chancel {

class Loader;
class Macros;

class Names final : public GlobalNames {
 public:
  Names(const LibraryIndex& library, Globals& globals, Macros& macros, Loader& loader)
      : library_(library), globals_(globals), macros_(macros), loader_(loader) {}

  bool known(const Name* name) const override;
  std::vector<std::string> all() const override;
  std::optional<ArgumentCount> arity(const Name* name) const override;
  bool is_distribution(const Name* name) const override;
  bool is_process(const Name* name) const override;
  bool is_constant(const Name* name) const override;
  bool is_macro(const Name* name) const override;
  bool top_level_only(const Name* name) const override;
  bool in_library(const Name* name) const override;
  std::optional<Datum> expand(const Name* name, const Datum& form, DiagnosticSink& sink) override;
  void define_macro(const Name* name, core::Lambda* function) override;
  void declare(const Name* name, Span span) override { globals_.declare(name, span); }
  bool is_dynamic(const Name* name) const override { return dynamic_.contains(name); }
  void mark_dynamic(const Name* name) override { dynamic_.insert(name); }
  bool is_private(const Name* name) const override { return private_.contains(name); }
  void mark_private(const Name* name) override { private_.insert(name); }
  std::string main_namespace() const override { return main_namespace_; }
  void name_main_namespace(const std::string& ns) override { main_namespace_ = ns; }
  bool is_namespace(const std::string& ns) const override;
  Loading load_namespace(const std::string& ns, Span span, bool again,
                         DiagnosticSink& sink) override;
  std::string places_of(const std::string& ns) const override;
  void document(const Name* name, Documentation said) override {
    documentation_[name] = std::move(said);
  }
  // What a definition of the program says about itself, or null.
  const Documentation* documentation(const Name* name) const;

 private:
  const LibraryIndex& library_;
  Globals& globals_;
  Macros& macros_;
  Loader& loader_;
  std::unordered_set<const Name*> dynamic_, private_;
  std::unordered_map<const Name*, Documentation> documentation_;
  std::string main_namespace_ = "user";
};

}  // namespace chancel
