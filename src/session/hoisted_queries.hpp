// SPDX-License-Identifier: Apache-2.0
// Queries in the order of compile/hoist.hpp, made when an engine asks for one: by then all definitions are known. A
// query has code in that order beside its own, and a closure over the same values.
#pragma once
#include <unordered_map>
#include <vector>

#include "compile/passes.hpp"
#include "core/effects.hpp"
#include "session/globals.hpp"
#include "session/library_index.hpp"

namespace chancel {

struct QueryCore {
  core::Lambda* lambda = nullptr;
  std::vector<const core::Binding*> captured;
};
// Null: it is made of no function of the program.
const Closure* closure_of_query(const Value& query);
Value query_of(FunctionProto* code, const std::vector<Value>& captured, Arena& arena);

class HoistedQueries {
 public:
  HoistedQueries(Evaluator& evaluator, const Globals& globals, const LibraryIndex& library,
                 Library& linker)
      : evaluator_(evaluator), globals_(globals), library_(library), linker_(linker) {}

  // A definition of the program: queries may call it.
  void define(const core::Def& def);
  // See Library::made_query.
  void made(core::Lambda* query, const core::NodeArena& nodes, FunctionProto* code,
            const std::vector<const core::Binding*>& captured);

  // See HostServices. From any thread: takes a lock.
  Value hoisted(const Value& query, const Value& argument, Arena& arena);
  // With what library functions do as a test has it.
  Value hoisted(const Value& query, const Value& argument, Arena& arena,
                const core::LibraryUses& uses);
  // The core of the query in that order, or as it is. Null: there is no such query.
  const core::Node* core_of(const Name* query, const PassObserver& observer = {});
  // What the code was made of, or null.
  const QueryCore* source_of(const FunctionProto* code) const;
  // Code of a query that a pass has changed. Null: it failed.
  FunctionProto* compiled(core::Node* query);
  const core::Definitions& definitions() const { return definitions_; }
  // What library functions do, for the order of lines.
  core::LibraryUse library_use(const Name* name) const;

 private:
  core::Node* reordered(const QueryCore& query, const core::LibraryUses& uses,
                        const PassObserver& observer = {});
  FunctionProto* code_of(const QueryCore& query, const core::LibraryUses& uses);

  Evaluator& evaluator_;
  const Globals& globals_;
  const LibraryIndex& library_;
  Library& linker_;
  core::Definitions definitions_;  // the program's own, as they are now
  std::unordered_map<const FunctionProto*, QueryCore> cores_;
  std::unordered_map<const FunctionProto*, FunctionProto*> hoisted_;  // null: the order stays
  FunctionProto* newest_ = nullptr;
};

}  // namespace chancel
