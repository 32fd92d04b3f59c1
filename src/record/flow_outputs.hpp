// SPDX-License-Identifier: Apache-2.0
// What a recorded execution gives, its predicts and its result, kept up with its flow: where a node
// stands inside vectors and maps, a new value is put into its place, and the rest is shared with the
// output before.
#pragma once
#include <span>
#include <vector>

#include "record/dataflow.hpp"

namespace chancel {

class FlowOutputs {
 public:
  FlowOutputs(NativeContext& cx, Dataflow& flow);
  // The node has another value.
  void touch(NodeIndex i);
  bool stale() const { return !touched_.empty(); }
  // Puts the new values in. False: the context has failed.
  bool refresh(NativeContext& cx);
  // Whether predicts differ by these changes, which the flow has made.
  bool other_predicts(NativeContext& cx, std::span<const Dataflow::Changed> changes) const;
  Predicts* predicts() const { return cells_.empty() ? nullptr : cells_.back(); }
  const Value& result() const { return items_.back().now; }
  std::size_t bytes() const;
  void visit(Evacuator& e);

 private:
  struct Item {
    Value label;
    Value shape;  // with nodes
    Value now;
    bool whole = false;  // it has nodes inside other things than vectors and maps
  };
  struct Place {
    std::uint32_t item, first_step, steps;
  };
  void find_places(NativeContext& cx, std::uint32_t item);
  Value put(Arena& arena, const Value& into, const Value* step, std::uint32_t steps,
            const Value& value);
  Value present(NativeContext& cx, const Value& shape) const;
  void make_cells(Arena& arena, std::size_t from);

  Dataflow& flow_;
  std::vector<Item> items_;  // predicts, oldest first; then the result
  std::vector<Predicts*> cells_;
  std::vector<std::pair<NodeIndex, Place>> places_;  // by node
  std::vector<std::uint32_t> first_place_;           // of a node
  std::vector<Value> steps_;                         // indices and keys on the way to places
  std::vector<NodeIndex> touched_;
};

}  // namespace chancel
