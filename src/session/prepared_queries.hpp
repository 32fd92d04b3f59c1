// SPDX-License-Identifier: Apache-2.0
// Queries whose work that needs no draw has been done (compile/work_once.hpp), made when a run starts: by
// then the argument and all definitions are known. Such a query captures the values, and has code of its
// own, which is kept for later runs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "compile/work_once.hpp"
#include "session/hoisted_queries.hpp"

namespace chancel {

struct PreparedQuery {
  Value query, argument;
};

class PreparedQueries {
 public:
  PreparedQueries(Evaluator& evaluator, HoistedQueries& queries, Library& linker)
      : evaluator_(evaluator), queries_(queries), linker_(linker) {}

  // For runs of the query with this argument. Nothing: the query itself will do. What is made lives in
  // the arena. `image`: what the runs read.
  std::optional<PreparedQuery> prepared(const Value& query, const Value& argument,
                                        const std::shared_ptr<Image>& image, Arena& arena,
                                        const PassObserver& observer = {});

  // A part that was evaluated for nothing, at a cost, is left where it is by 1, 2, 4, ... of the next runs.
  struct Part {
    FunctionProto* code = nullptr;  // a function that evaluates it
    std::uint32_t to_leave = 0, left = 0;
    void leave() { left = to_leave = std::min<std::uint32_t>(2 * to_leave + 1, 1u << 20); }
    bool is_left() { return left > 0 && left-- > 0; }
  };

 private:
  struct Made {
    bool has_parts = true;  // that could be evaluated
    std::unordered_map<const core::Node*, Part> parts;
    PartNames names;
    std::map<std::vector<const core::Node*>, FunctionProto*> code;  // by the parts that are known
  };

  static std::optional<DataByVariable> data_of(const QueryCore& source, const Closure& closure,
                                               const Value& argument);
  FunctionProto* code_with(KnownParts& known, const QueryCore& source, Made& made,
                           const PassObserver& observer);

  Evaluator& evaluator_;
  HoistedQueries& queries_;
  Library& linker_;
  std::unordered_map<const FunctionProto*, Made> made_;
};

}  // namespace chancel
