// SPDX-License-Identifier: Apache-2.0
// The image that runs of a query read: the globals that it can reach (session/needed_globals.hpp), as they are now,
// shared by runs that start before the next definition. What the script holds beside them is neither copied nor kept.
#pragma once
#include <memory>
#include <vector>

#include "session/evaluator.hpp"
#include "session/library_index.hpp"
#include "session/needed_globals.hpp"

namespace chancel {

class Images {
 public:
  Images(Evaluator& evaluator, const LibraryIndex& library)
      : evaluator_(evaluator), library_(library) {}
  std::shared_ptr<Image> of(const Value& query, const Value& argument);
  // A global has changed.
  void forget() { image_.reset(); }
  // Evaluates what is lazy before a run reads it (session/lazy_values.hpp).
  void work_out_lazy_values(const std::vector<Value>& roots);

 private:
  Evaluator& evaluator_;
  const LibraryIndex& library_;
  std::shared_ptr<Image> image_;
  std::vector<bool> in_image_;  // which globals it has
  NeededGlobals needed_globals_{*evaluator_.program};
  bool working_out_ = false;  // lazy values, right now
};

}  // namespace chancel
