// SPDX-License-Identifier: Apache-2.0
// What names mean to compiled code: the program's definitions first, then natives, constants, and prelude functions,
// which are compiled when they are first referred to.
#pragma once
#include <unordered_map>

#include "compile/compile.hpp"
#include "session/hoisted_queries.hpp"
#include "session/names.hpp"

namespace chancel {

class LibraryLinker final : public Library {
 public:
  LibraryLinker(Evaluator& evaluator, const LibraryIndex& library, Globals& globals, Names& names,
                HoistedQueries& queries)
      : evaluator_(evaluator),
        library_(library),
        globals_(globals),
        names_(names),
        queries_(queries) {}

  Meaning resolve(const Name* name) override;
  const NativeDef* native(const char* name) override;
  void made_query(core::Lambda* query, const core::NodeArena& nodes, FunctionProto* code,
                  const std::vector<const core::Binding*>& captured) override;

  // A function of the library, whatever the program has redefined.
  Value function(const char* name);

 private:
  std::uint32_t prelude_variable(const Name* name);
  // A form of the definition. True: the function itself has its value.
  bool compile_prelude_form(const Datum& form, const Name* name, FrontEnd& front,
                            core::NodeArena& nodes, DiagnosticSink& sink);

  Evaluator& evaluator_;
  const LibraryIndex& library_;
  Globals& globals_;
  Names& names_;
  HoistedQueries& queries_;
  std::unordered_map<const Name*, std::uint32_t> prelude_variables_;
};

}  // namespace chancel
