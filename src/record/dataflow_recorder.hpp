// SPDX-License-Identifier: Apache-2.0
// Records one execution as the flow of its values (record/dataflow.hpp): the run loop asks it at
// every library function that meets a node, at every sample and at every observe.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "record/both_ways.hpp"
#include "record/dataflow.hpp"
#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "vm/record_hook.hpp"

namespace chancel {

class DataflowRecorder final : public RecordHook, private BranchRecorder {
 public:
  // Draws have these values, in order.
  DataflowRecorder(Dataflow& to, const std::vector<Value>& values) : to_(to), values_(values) {}

  Value call(NativeContext& cx, const NativeDef* native, const Value* args,
             std::uint32_t count) override;
  Value combine(NativeContext& cx, char op, const Value& a, const Value& b) override;
  Value construct(NativeContext& cx, const DistType* type, const Value* args,
                  std::uint32_t count) override;
  Value pin(NativeContext& cx, const Value& v) override;
  Value present(NativeContext& cx, const Value& v) override;
  bool test(NativeContext& cx, Test test, const Value& node) override;
  Value tested(NativeContext& cx, Test what, bool opposite, const Value& node) override;
  bool meet(NativeContext& cx, const CodeBlock& code, const Instr* jump, Value* registers,
            const Value* globals, Meeting* out) override {
    return both_ways_.meet(cx, code, jump, registers, globals, out);
  }
  Value distribution(NativeContext& cx, const Value& node) override;
  Value callee(NativeContext& cx, const Value& node) override;
  Value call_data(NativeContext& cx, CallData call, const Value& f, const Value* args,
                  std::uint32_t count) override;
  int order(NativeContext& cx, const char* function, const Value& a, const Value& b) override;
  bool same(NativeContext& cx, const Value& a, const Value& b) override;
  RecordedSample sample(NativeContext& cx, const Value& dist, std::uint32_t site, const Value& id,
                        const Value* drawn) override;
  bool observe(NativeContext& cx, const Value& dist, const Value& x, std::uint32_t site,
               double* log_prob) override;
  bool score(NativeContext& cx, const Value& log_prob, std::uint32_t site,
             double* present) override;

  // The program has what no recording can have, or other draws than were given.
  bool refused() const { return refused_; }

 private:
  bool has_nodes(NativeContext& cx, const Value& v);
  bool plain(const Value& v, int depth);
  // The argument as a constant or a node. Sets waits_ when it is neither: it has lazy parts that
  // have not been evaluated, and the result of the operation is not a node.
  Value argument(NativeContext& cx, const Value& v);
  Value build(NativeContext& cx, const Value& v);
  bool arguments(NativeContext& cx, const Value* args, std::uint32_t count);
  void pin_arguments(NativeContext& cx);
  // The node of an operation on arguments_, whose present values are now_.
  Value node_of(FlowOp op, const void* what, const Value& value, std::uint8_t detail = 0);
  Value call_pinned(NativeContext& cx, const NativeDef* native, const Value* args,
                    std::uint32_t count);
  // The heap's limit counts what is recorded. False: a recording would need too much of it.
  bool account(NativeContext& cx) { return to_.size() < account_at_ || account_now(cx); }
  bool account_now(NativeContext& cx);
  Value refuse(NativeContext& cx, const char* why);
  void add_score(const Value& score, std::uint32_t site);

  bool condition(NativeContext& cx, Asks asks, const Value& a, const Value& b,
                 Condition* out) override;
  bool compute(NativeContext& cx, const NativeDef* native, const Value* args, std::uint32_t count,
               Value* out) override;
  bool test_of(NativeContext& cx, Test what, bool opposite, const Value& v, Value* out) override;
  bool choose(NativeContext& cx, const Condition& condition, const Value& if_so,
              const Value& if_not, Value* out) override;
  void begin_trial() override;
  void end_trial(bool forget) override;
  bool may_be_chosen(const Value& v);

  Dataflow& to_;
  const std::vector<Value>& values_;
  bool refused_ = false;
  std::size_t account_at_ = 0;  // the number of nodes at which memory is checked next
  std::vector<Value> arguments_, now_;
  bool waits_ = false;                             // one of the arguments
  std::unordered_set<const Object*> plain_;        // objects that hold no nodes
  std::unordered_map<const Object*, Value> made_;  // arguments of objects
  Substituted pinned_;

  BothWays both_ways_{*this};
  bool on_trial_ = false;                     // both ways of a branch are followed
  bool spoiled_ = false;                      // it would pin a node
  NodeIndex trial_from_ = 0;                  // its nodes
  std::vector<const Object*> on_trial_made_;  // what it has added to made_
};

}  // namespace chancel
