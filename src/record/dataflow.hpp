// SPDX-License-Identifier: Apache-2.0
// A recorded execution as the flow of its values: what depends on a draw is a node that holds any
// value, and knows the library function that made it and those that use it. A changed draw is
// carried on to the nodes that depend on it, in the order of the program, and no further than values
// change. Nodes that control has looked at are pinned: when one of them changes, the program would
// take another way, and has to be run. (The graph of record/graph.hpp knows numbers only, and knows
// their slopes.)
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "record/flow_rows.hpp"
#include "record/graph.hpp"
#include "value/dist_object.hpp"
#include "value/drawn_value.hpp"
#include "value/memory_charge.hpp"
#include "value/symbolic_hook.hpp"
#include "vm/execution.hpp"

namespace chancel {

enum class FlowOp : std::uint8_t {
  Draw,          // takes no part: its value is given
  Distribution,  // the distribution of a draw, which has changed when this is met; no value
  Call,          // what: NativeDef; arguments; detail: Shortcut
  CallData,      // what: function of the machine; the data, then arguments
  Construct,     // what: DistType; parameters
  Build,         // the collection that is its first argument, with values for its nodes, the others
  Order,         // of two numbers; what: the function that asks
  Same,          // of two values
  Test,          // detail: SymbolicHook::Test, and kOpposite
  Select,   // of a condition, a value if it holds, another one if not; detail: BranchRecorder::Asks
  Observe,  // distribution, value: the score
  Score,    // a score that the program has worked out
  Rows,     // scores of observes of one shape; number: which
  Gone,     // it is part of such rows
};

// The most frequent functions of two arguments, for the kinds of values that they mostly meet.
enum class Shortcut : std::uint8_t { None, Add, Subtract, Multiply, Divide, Get };

struct FlowNode {
  Value value = Value::nil();
  const void* what = nullptr;
  std::uint32_t first_argument = 0, arguments = 0;
  std::uint32_t first_user = 0, users = 0;
  // `Distribution`: of the draw; `Build`: of values that are copied; where it weighs: of the score
  std::uint32_t number = 0;
  FlowOp op = FlowOp::Draw;
  std::uint8_t detail = 0;
  bool pinned : 1 = false;
  bool waits : 1 = false;    // to be worked out again
  bool weighs : 1 = false;   // its value is a score of an observe
  bool shown : 1 = false;    // outputs hold it
  bool touched : 1 = false;  // and have not got its new value yet
};

struct FlowDraw : DrawAddress {
  NodeIndex node;
  Value distribution;  // a distribution, or the node that is one
};

struct FlowScore {  // of an observe
  std::uint32_t site;
  Value value;  // a number, or the node that is one
};

class Dataflow {
 public:
  // --- while it is recorded ---
  static constexpr std::uint8_t kOpposite = 16;
  NodeIndex add(FlowOp op, const void* what, std::uint8_t detail, const Value* arguments,
                std::uint32_t count, const Value& value);
  FlowNode& node(NodeIndex i) { return nodes_[i]; }
  // Nodes from there on have never been.
  void forget_from(NodeIndex i) {
    if (i == nodes_.size()) return;
    arguments_.resize(nodes_[i].first_argument);
    nodes_.resize(i);
  }
  const Value& now(const Value& v) const {
    return v.is(Tag::Node) ? nodes_[static_cast<NodeIndex>(v.bits)].value : v;
  }
  std::vector<FlowDraw> draws;
  std::vector<FlowScore> scores;
  std::optional<MemoryCharge> charge;  // for what it takes
  double log_weight_before = 0;        // of observes before the first draw
  // What the execution gave, with nodes, and what it remembered at its end.
  Value result = Value::nil();
  Execution end;
  // The recording is complete: who uses what is known from now on.
  void finish();
  std::span<const Value> arguments_of(const FlowNode& n) const {
    return {arguments_.data() + n.first_argument, n.arguments};
  }
  std::span<const Value> arguments_of(NodeIndex i) const { return arguments_of(nodes_[i]); }
  // For gather_rows(): the node of a row, and a node for all of them.
  void take_out(NodeIndex i);
  void add_rows(FlowRows rows);

  // --- a changed draw ---
  class DrawDistributions {  // of draws that are kept
   public:
    virtual ~DrawDistributions() = default;
    // The distribution of this draw has become another one. False: it cannot keep its value.
    virtual bool changed(std::size_t draw, const Value& distribution) = 0;
  };
  enum class Outcome : std::uint8_t {
    Done,
    Impossible,  // an observe has probability zero
    Elsewhere,   // the program would go another way, or fail
  };
  // Works out what follows from another value of this draw. `log_weight`: what the scores of observes
  // have gained. Then keep() or undo(), unless it is elsewhere, which undoes itself.
  Outcome change(NativeContext& cx, std::size_t draw, const Value& value,
                 DrawDistributions& distributions, double* log_weight);
  // Prefetches what a change of this draw reads first: the nodes recorded right after it.
  [[gnu::always_inline]] void prefetch(std::size_t draw) const {
    if (draws.size() < kManyDraws) return;  // all that is in the cache
    const auto at = reinterpret_cast<std::uintptr_t>(nodes_.data() + draws[draw].node);
    for (std::uintptr_t line = 0; line < 5; ++line)
      __builtin_prefetch(reinterpret_cast<const void*>(at + 64 * line));
  }
  void keep() {
    changes_ = 0;
    changed_rows_.clear();
  }
  void undo();
  struct Changed {
    NodeIndex node;
    Value before;
  };
  std::span<const Changed> changes() const { return {journal_.data(), changes_}; }
  // Of the same change: numbers of scores in rows.
  template <class F>
  void each_changed_row_score(F&& f) const {
    for (const std::uint32_t i : changed_rows_)
      for (const std::uint32_t score : rows_[i].numbers()) f(score);
  }
  std::size_t worked_out() const { return worked_out_; }  // nodes and copies, by the last change

  double log_likelihood() const;
  double score(std::size_t i) const {
    if (i < place_of_score_.size() && place_of_score_[i].rows != kNoRows)
      return rows_[place_of_score_[i].rows].score(place_of_score_[i].row);
    return now(scores[i].value).d;
  }
  std::size_t rows() const { return rows_.size(); }  // groups of them
  std::size_t size() const { return nodes_.size(); }
  std::size_t bytes() const;
  void visit(Evacuator& e);

 private:
  static constexpr std::size_t kManyDraws = 256;
  void call_users(const FlowNode& n);
  NodeIndex first_waiting();
  void note(NodeIndex i);
  bool work_out(NativeContext& cx, const FlowNode& n, Value* out);
  Outcome work_out_rows(std::uint32_t which, double* log_weight);

  std::vector<FlowNode> nodes_;
  std::vector<Value> arguments_;
  std::vector<NodeIndex> users_;
  std::vector<NodeIndex> waiting_;  // the first waits_: a heap, the first of the program on top
  std::size_t waits_ = 0;
  std::vector<Changed> journal_;  // the first changes_ of them; as long as there are nodes
  std::size_t changes_ = 0;
  std::vector<Value> gathered_;
  static constexpr std::uint32_t kNoRows = ~std::uint32_t{0};
  struct Place {
    std::uint32_t rows = kNoRows, row = 0;
  };
  std::vector<FlowRows> rows_;
  std::vector<Place> place_of_score_;
  std::vector<std::uint32_t> changed_rows_;  // by the last change
  std::vector<double> row_values_;
  std::size_t worked_out_ = 0;
};

// The score of an observe, as the machine gives it. False: the context has failed.
bool observe_score(NativeContext& cx, const Value& distribution, const Value& x, double* out);

// What control asks of a value.
bool passes(SymbolicHook::Test test, const Value& v);

// The same object or the same bits: nothing that a program does can tell the two apart.
inline bool identical(const Value& a, const Value& b) { return a.tag == b.tag && a.bits == b.bits; }

}  // namespace chancel
