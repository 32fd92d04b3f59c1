// SPDX-License-Identifier: Apache-2.0
// Implements lower.hpp and function_unit.hpp: control flow (lower_control.cpp), instructions
// (lower_instructions.cpp, lower_arithmetic.cpp, lower_calls.cpp, lower_library_calls.cpp,
// lower_numeric_natives.cpp), distributions (lower_distributions.cpp, lower_given_draws.cpp), resume
// points (resume_points.cpp), deterministic code (lower_functions.cpp).
#pragma once
#include <deque>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "bytecode/liveness.hpp"
#include "bytecode/program.hpp"
#include "segment/function_unit.hpp"
#include "segment/lower.hpp"
#include "segment/virtual_objects.hpp"

namespace chancel::segment {

class Lowering {
 public:
  // `futures`: also a second version of each segment, which takes given draws.
  Lowering(const Value* globals, const Heap* run, NativeContext& context, bool futures)
      : globals_(globals), run_(run), cx_(context), futures_(futures) {}
  void begin(const Start& start);
  std::optional<Function> next(std::size_t room);

  // For deterministic code (lower_functions.cpp).
  Lowering(FunctionUnit& unit, NativeContext& context) : cx_(context), unit_(&unit) {}
  Function function(const CompiledFunction& f);
  Function loop(const CodeBlock* code, const Instr* head,
                const std::vector<AbstractValue>& registers);
  std::size_t instructions() const { return instructions_; }   // of the last of them
  const std::optional<Type>& gives() const { return gives_; }  // what it returns, as far as known

 private:
  friend class SegmentLowering;
  // --- resume points (resume_points.cpp) ---
  struct TranslatedPoint {
    std::unique_ptr<ResumePoint> layout;
    std::vector<AbstractFrame> frames;  // abstract values of all slots
    AbstractValue distribution;         // distribution of the draw that the prefix waits for
    bool draws_first = false;
    bool in_blocks = false;  // states at this point may be stored as headerless rows
  };
  void first_point(const Start& start);
  // point_of() found no point for the state, and the limit on points is reached.
  static constexpr std::size_t kNoPoint = ~std::size_t{0};
  // Or an object must be allocated first, because other states at the point have allocated it.
  static constexpr std::size_t kMakeFirst = kNoPoint - 1;
  std::size_t point_of(const std::vector<AbstractFrame>& frames, std::uint32_t site);
  void make_layout(TranslatedPoint& point, std::uint32_t site);
  using VirtualPlaces = std::map<const VirtualObject*, std::uint32_t>;
  SlotPlace place_for(ResumePoint& layout, const AbstractValue& k, VirtualPlaces& virtual_objects);
  void drop_dead(std::vector<AbstractFrame>& frames);
  bool live(const AbstractFrame& frame, bool top, std::size_t slot);
  std::string place_of(const std::vector<AbstractFrame>& frames) const;
  // The state is stored in a row of the point; this ends the particle's segment.
  void stop_at(std::size_t point, const std::vector<AbstractFrame>& frames, ValueId score);
  // Loads a row of the point, and gives the state it stands for.
  State enter(TranslatedPoint& point);

  // --- control flow (lower_control.cpp) ---
  // The code of particles from the point, with their own draws or given ones.
  Function segment(std::size_t point, bool given);
  void begin_function(Form form, std::size_t number);
  void follow();         // from state_ to the end of its block
  void follow_blocks();  // the targets of jumps
  bool step();           // false: the block has ended
  struct Fork {
    State state;
    BlockId block;
  };
  // A branch on `condition`: state_ continues where it holds, `other` where it does not.
  void branch(ValueId condition, State other);
  // Jumps to the label that all states with equal abstract values share.
  void jump_to_label(State state);
  // At the head of a loop whose body writes these registers of the top frame: numbers in them are
  // widened.
  void jump_to_head(State state, const std::vector<bool>& written);
  void widen(AbstractValue& k);
  bool straight() const { return build_->straight(); }
  bool loops_here();  // this path has passed here before
  std::string key_of(const State& state) const;
  void add_applications();

  // --- functions and loops (lower_functions.cpp) ---
  void begin_plain(Form form, std::size_t number);
  AbstractValue global(std::uint32_t index);
  bool is_own_function(const CodeBlock* callee) const;  // compiled separately, not inlined
  bool call_function(const AbstractValue& function, const CodeBlock* callee,
                     const std::vector<AbstractValue>& arguments, AbstractFrame caller);
  bool return_from_function(const AbstractValue& value);
  bool leave_loop(const State& state);  // to the interpreter

  // --- values ---
  // What an instruction makes. It is uniform if it is made once for the batch.
  AbstractValue made(Type type, ValueId id) const;
  AbstractValue emit(Opcode opcode, Builder::Operands operands) {
    return emit(opcode, Builder::Extra{}, std::move(operands));
  }
  AbstractValue emit(Opcode opcode, Builder::Extra extra, Builder::Operands operands);
  AbstractValue emit_typed(Opcode opcode, Type type, Builder::Extra extra,
                           Builder::Operands operands);
  AbstractValue unboxed(Type type, const AbstractValue& k);  // of a value that holds this type
  ValueId plain(const AbstractValue& k);                     // as it is
  ValueId boxed(const AbstractValue& k);                     // of type Any
  ValueId real(const AbstractValue& k);                      // a number as a double
  ValueId truth(const AbstractValue& k);                     // of type Bool
  Builder::Operands all_boxed(const std::vector<AbstractValue>& values);

  // --- instructions (lower_instructions.cpp) ---
  bool instruction(const Instr* at);
  bool predict(const Instr* at);
  bool finish(AbstractValue result);
  void set(std::uint32_t reg, AbstractValue value);  // by value: the vector of slots may grow
  // Makes the register a number of one type. Forked: the state was split, and the instruction will
  // be translated again in each half.
  enum class Refined { Yes, Never, Forked };
  Refined refine(std::uint32_t reg);
  AbstractValue captured(const AbstractValue& closure, std::size_t index);
  AbstractValue of_example(AbstractValue known, const Value& example);  // adds a guard
  AbstractValue as_value(AbstractValue k);
  bool give_up();

  // --- numbers (lower_arithmetic.cpp) ---
  bool arithmetic(const Instr* at);
  AbstractValue order(Op op, const AbstractValue& a, const AbstractValue& b);
  bool compare(const Instr* at, bool jumps);
  bool jump_if(const Instr* at, bool when);

  // --- calls of functions (lower_calls.cpp) ---
  bool call(std::uint32_t window, std::uint32_t count, std::uint16_t dst, const Instr* back);
  bool tail_call(const Instr* at);
  bool enter_function(const AbstractValue& function, std::vector<AbstractValue> arguments,
                      AbstractFrame caller);
  bool give_back(AbstractValue value);
  bool reduce_vector(const Instr* at);
  bool make_closure(const Instr* at);
  const Shape* shape_of(const std::vector<AbstractValue>& values);

  // --- calls of the library (lower_library_calls.cpp, lower_numeric_natives.cpp) ---
  bool call_native(const NativeDef* native, std::vector<AbstractValue> arguments,
                   std::uint32_t dst);
  std::optional<Value> worked_out(const NativeDef* native, const std::vector<Value>& values);
  bool draw_produced(const NativeDef* native, const std::vector<AbstractValue>& arguments,
                     std::uint32_t dst);
  AbstractValue library_kernel(const NativeDef* native, const std::vector<AbstractValue>& arguments,
                               bool* done);
  AbstractValue simple_native(const NativeDef* native, const std::vector<AbstractValue>& arguments,
                              bool* done);
  // (get collection key dist) with a distribution that is not allocated: allocated only if the key
  // is absent.
  bool get_or_make(const NativeDef* native, std::vector<AbstractValue>& arguments,
                   std::uint32_t dst);
  bool get(const AbstractValue& collection, const AbstractValue& key, const NativeDef* native,
           std::uint32_t dst);
  // An element of a constant vector, at a varying index that is known to be in range.
  AbstractValue element(const Value& vector, ValueId index);

  // --- objects that are not allocated (virtual_objects.cpp) ---
  AbstractValue virtual_closure(const FunctionProto* proto, std::vector<AbstractValue> values);
  AbstractValue virtual_distribution(const DistType* distribution,
                                     std::vector<AbstractValue> values,
                                     std::vector<VirtualObject::Number> numbers);
  // A vector or map that this call of a constructor makes; nothing: it has to be made.
  std::optional<AbstractValue> virtual_collection(const NativeDef* native,
                                                  const std::vector<AbstractValue>& values);
  // What looking up the key in a virtual vector or map gives; nothing: it has to be made for that.
  static std::optional<AbstractValue> part_of(const AbstractValue& collection,
                                              const AbstractValue& key);
  // The same of functions of the library that look at a collection only.
  static std::optional<AbstractValue> question_of(const NativeDef* native,
                                                  const std::vector<AbstractValue>& values);
  ValueId number_in(const VirtualObject& b, std::size_t index);
  // These values escape: allocates them, and replaces every alias in the state.
  void materialize(std::span<AbstractValue> seen);
  void materialize(AbstractValue& seen) { materialize({&seen, 1}); }
  using Made = std::map<std::shared_ptr<const VirtualObject>, AbstractValue>;
  void materialize(AbstractValue& k, Made& made);
  bool held_elsewhere(const std::shared_ptr<const VirtualObject>& virtual_object,
                      std::uint32_t dst);

  // --- distributions (lower_distributions.cpp) ---
  AbstractValue make_distribution(const NativeDef* native,
                                  const std::vector<AbstractValue>& parameters, bool* done);
  AbstractValue normal_scale(const AbstractValue& sd);
  // Leaves unless mean and sd are those of a normal distribution.
  void check_normal(ValueId mean, ValueId sd);
  ValueId number_of(const AbstractValue& distribution, std::size_t index);
  AbstractValue draw(AbstractValue distribution);
  AbstractValue value_of_draw(AbstractValue distribution);
  AbstractValue draw_direct(const DistType* type, const std::vector<AbstractValue>& parameters);
  AbstractValue value_of_direct_draw(const DistType* type,
                                     const std::vector<AbstractValue>& parameters);
  AbstractValue after_draw(AbstractValue value);  // records the sort key
  AbstractValue of_distribution(const AbstractValue& value, const DistType* distribution);
  ValueId score(AbstractValue distribution, AbstractValue x);
  ValueId normal_score(ValueId mean, ValueId sd, ValueId scale, ValueId x);
  ValueId score_direct(const DistType* type, const std::vector<AbstractValue>& parameters,
                       const AbstractValue& x);
  ValueId score_by_table(const AbstractValue& distribution, const AbstractValue& x);
  const DistType* distribution_of(const AbstractValue& distribution);
  const DistType* distribution_produced_by(const ProcessType* process);
  bool observe(const Instr* at);
  ValueId real_of(const AbstractValue& k);  // adds a guard; kNoValue: not a number

  // --- given draws (lower_given_draws.cpp) ---
  bool take_given(const Instr* at);
  void take_produced(const NativeDef* produce, const AbstractValue& process, const DistType* type,
                     const Instr* at);
  AbstractValue next_given(ValueId type, std::uint32_t site);
  void add_density(ValueId log_prob);
  // Checks that the execution which made the given draws is here, too: at an observe, or (last)
  // finished.
  void end_of_given(bool last);
  ValueId number_of_given();
  ValueId type_constant(const DistType* type);
  ValueId score_given(const AbstractValue& distribution, const DistType* type,
                      const AbstractValue& x);

  bool stands_still(const Value& v) const { return !v.is_object() || block_of(v.o)->heap != run_; }
  const Liveness& liveness(const CodeBlock* code);

  const Value* globals_ = nullptr;
  const Heap* run_ = nullptr;
  NativeContext& cx_;
  FunctionUnit* unit_ = nullptr;  // null: translating segments
  std::deque<TranslatedPoint> points_;
  std::unordered_map<std::string, std::vector<std::size_t>> versions_;  // of points, by place
  std::unordered_map<const CodeBlock*, Liveness> liveness_;
  std::unordered_map<std::string, std::unique_ptr<Shape>> shapes_;
  std::vector<Exits> all_exits_;
  bool worthwhile_ = false;
  bool futures_ = false;
  std::size_t next_ = 0;      // point
  bool future_next_ = false;  // of the point before

  // of the current function
  Function function_;
  std::optional<Builder> build_;
  std::size_t room_ = 0;  // instructions that it may have
  State state_;
  std::deque<Fork> forks_;
  std::size_t forks_made_ = 0;
  std::map<std::string, BlockId> labels_;         // of the path
  std::deque<std::pair<BlockId, State>> blocks_;  // work list
  std::unordered_map<std::string, int> met_;      // visits of places of the straight part
  std::set<std::string> heads_;                   // of loops in other parts
  bool begins_block_ = false;                     // no instruction of the block has been translated
  bool at_label_ = false;  // the current instruction is the first of its block
  Exits::Place at_{};      // that instruction
  std::size_t instructions_ = 0;
  std::unordered_set<const Instr*> seen_;  // by any segment
  Exits exits_;
  bool given_ = false;  // draws are given

  // of a function or a loop
  std::optional<Type> gives_;     // return type found so far
  std::optional<Type> supposed_;  // return type assumed
  State before_;                  // in a loop: the state before the current instruction
  const Instr* region_begin_ = nullptr;
  const Instr* region_end_ = nullptr;
};

}  // namespace chancel::segment
