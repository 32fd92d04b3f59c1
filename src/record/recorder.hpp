// SPDX-License-Identifier: Apache-2.0
// Records one execution of a program as a graph of its draws: the run loop asks it at every library
// function that meets a node, at every sample and at every observe (vm/record_hook.hpp). See
// docs/decisions/012-recorded-programs.md for the idea.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "record/graph.hpp"
#include "record/recordable.hpp"
#include "record/substitute.hpp"
#include "record/transform.hpp"
#include "value/dist_object.hpp"
#include "value/drawn_value.hpp"
#include "value/memory_charge.hpp"
#include "vm/execution.hpp"
#include "vm/record_hook.hpp"

namespace chancel {

// What control depends on: the recording is good while all of them hold.
struct Guard {
  enum class Kind : std::uint8_t { Order, Same, Pinned, Number } kind;
  NodeIndex a, b;  // Pinned: b is the constant that it is pinned to
  int order;       // Order: -1, 0, 1 or 2 (not comparable); Same: 1 when they are. Number: a is one
  std::uint32_t made_at;  // Pinned: draws before it
  bool may_jump = false;  // Order: what the program computes may have a jump where it changes
};
bool holds(const Guard& guard, double a, double b);

struct RecordedDraw : DrawAddress {
  Value value = Value::nil();  // with nodes, when it moves
  NodeIndex log_prob = 0;
  std::uint32_t first_input = 0, inputs = 0;  // none: it is held
  TransformKind kind = TransformKind::None;   // of its inputs
  std::size_t guards_before = 0;
  Value distribution = Value::nil();  // distribution of unknown density: it must stay the same
  // The part of its distribution that a held value belongs to (Fit), as far as that is known:
  // scores of different parts cannot be compared.
  std::uint64_t part = kUsualPart;
};

// A recorded execution.
struct Recorded {
  Graph graph;
  std::vector<Guard> guards;
  std::vector<RecordedDraw> draws;
  std::vector<NodeIndex> observes;   // log densities, in the order of the program
  std::vector<std::uint32_t> sites;  // where they are
  std::vector<NodeIndex> jacobians;  // of the transforms from the real line
  double log_weight_before = 0;      // of observes before the first draw
  // What came before the last observe: draws and guards after it are not part of the density.
  std::size_t draws_observed = 0, guards_observed = 0;
  // The first draw whose score no recording knows, and why; none: no such draw.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t unscored = kNone;
  const char* unscored_why = "";
  std::string pinned_by;  // the function that pinned a node first; empty: none did
  // With nodes: what the execution gave.
  Value result = Value::nil();
  Predicts* predicts = nullptr;
  std::uint64_t applications = 0;
  std::optional<MemoryCharge> charge;  // for what it takes, once something is recorded

  void visit(Evacuator& e);
  std::size_t bytes() const;
};

// Where the values of draws come from while a program is recorded.
class DrawSource {
 public:
  virtual ~DrawSource() = default;
  enum class Answer {
    Coordinates,  // on the real line, in `coordinates`
    Value,        // in `value`
    Held,         // in `value`, and stays there
    Elsewhere,    // this execution has other draws than it should: give up
    Failed,       // the context says why
  };
  struct Question : DrawAddress {
    Value dist;            // with numbers in place of nodes
    std::uint32_t inputs;  // coordinates; 0: the draw cannot move
    const Value* drawn;    // from a distribution that the program defines; else null
  };
  virtual Answer answer(NativeContext& cx, const Question& question, double* coordinates,
                        Value* value) = 0;
};

// An observe whose score is a random estimate has no recording.
Diagnostic estimated_score(Span place);

class Recorder final : public RecordHook, private DrawScoring {
 public:
  Recorder(Recorded& to, DrawSource& source) : to_(to), graph_(to.graph), source_(source) {}

  Value call(NativeContext& cx, const NativeDef* native, const Value* args,
             std::uint32_t count) override;
  Value combine(NativeContext& cx, char op, const Value& a, const Value& b) override;
  Value construct(NativeContext& cx, const DistType* type, const Value* args,
                  std::uint32_t count) override;
  Value pin(NativeContext& cx, const Value& v) override;
  Value present(NativeContext& cx, const Value& v) override;
  // Its nodes are numbers.
  bool test(NativeContext&, Test test, const Value&) override { return test == Test::Truth; }
  Value distribution(NativeContext& cx, const Value& node) override { return pin(cx, node); }
  Value callee(NativeContext& cx, const Value& node) override { return pin(cx, node); }
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

  // The comparisons with these numbers among the guards are to come out the other way: what would the program do?
  void invert(std::vector<std::size_t> guards) { inverted_ = std::move(guards); }
  // The execution has ended: guards for what was made and not used. False: the context has failed.
  bool finish(NativeContext& cx);

  // Counts what the recording takes for the limit of the heap.
  void account_now(NativeContext& cx);

  // The draws were not those that the source knows.
  bool elsewhere() const { return elsewhere_; }
  // The program has what no recording can have, even if it has caught the failure.
  struct Refusal {
    std::uint32_t site;
    NativeFailure why;
  };
  const std::optional<Refusal>& refusal() const { return refusal_; }

 private:
  void draw_score(const Value& log_prob) override;
  // The same, now and then.
  void account(NativeContext& cx) {
    if (graph_.recorded() + to_.guards.size() >= account_at_) account_now(cx);
  }
  bool is_number(const Value& v) const { return v.is(Tag::Node) || v.is_number(); }
  NodeIndex node(const Value& number) { return graph_.node_of(number); }
  Value value_of(NodeIndex i) const;
  Value fold(NativeContext& cx, const NativeDef* native, GraphOp op, const Value* args,
             std::uint32_t count);
  Value compare(NativeContext& cx, const NativeDef* native, Recordable::Kind kind,
                const Value* args, std::uint32_t count);
  Value extreme(NativeContext& cx, const NativeDef* native, int wanted, const Value* args,
                std::uint32_t count);
  Value moment(NativeContext& cx, const NativeDef* native, Recordable::Kind kind, const Value* args,
               std::uint32_t count);
  Value record_call(NativeContext& cx, const NativeDef* native, const Value* args,
                    std::uint32_t count);
  bool pin_failure(NativeContext& cx, const Value& a, const Value& b);
  Value refuse(NativeContext& cx, std::uint32_t site, const Diagnostic& why);
  Value log_sum_exp_of(NativeContext& cx, const NativeDef* native, Recordable::Kind kind,
                       const Value* args, std::uint32_t count);
  Value array_function(NativeContext& cx, const NativeDef* native, GraphOp op, const Value* args,
                       std::uint32_t count);
  Value move(NativeContext& cx, const NativeDef* native, Moves rule, const Value* args,
             std::uint32_t count);
  Value call_pinned(NativeContext& cx, const NativeDef* native, const Value* args,
                    std::uint32_t count);
  // The node, if the function itself gives the same number at the present values; else the function
  // gets numbers.
  Value checked(NativeContext& cx, const NativeDef* native, const Value* args, std::uint32_t count,
                const Value& result);
  // The log density as a node (or constant); false: the context has failed.
  bool log_prob(NativeContext& cx, const Value& dist, const Value& x, bool observed,
                NodeIndex* out);
  void note_scored(const Dist* d);
  // A held draw of a distribution with several parts; false: the context has failed.
  bool score_part(NativeContext& cx, const Value& dist, const Dist* present, RecordedDraw* draw);
  // Whether draws are held depends on parameters that may be nodes.
  void guard_piling(NativeContext& cx, const Value& dist, const Value& present);
  void cannot_score(const char* why);
  void add_observe(NodeIndex log_prob, std::uint32_t site);
  // The same for distributions over finitely many values, in the arithmetic of their densities:
  // distributions that share their weights share its nodes. False: not of a known form.
  bool weights_log_prob(const DistType* type, const Value* args, std::uint32_t count,
                        const Value& x, double present, NodeIndex* out);
  void guard_order(NodeIndex a, double b);
  bool wide_log_prob(const DistType* type, const Value* args, std::uint32_t count, const Value& x,
                     double present, NodeIndex* out);

  Recorded& to_;
  Graph& graph_;
  DrawSource& source_;
  std::vector<bool> pinned_;                  // nodes that are
  Substituted with_pins_;                     // objects, with numbers for their pinned nodes
  std::vector<Value> distributions_;          // distributions with nodes
  std::unordered_set<const Object*> scored_;  // of them
  std::unordered_set<NodeIndex> weights_;     // guarded
  std::optional<Refusal> refusal_;
  const NativeDef* pinning_ = nullptr;
  bool elsewhere_ = false;
  std::size_t account_at_ = 0;                    // nodes and guards
  std::vector<std::size_t> inverted_;             // guards
  std::size_t scoring_from_ = 0;                  // guards before the score that is awaited
  std::set<std::vector<std::uint64_t>> guarded_;  // distributions whose piling is
  bool awaits_score_ = false;
};

}  // namespace chancel
