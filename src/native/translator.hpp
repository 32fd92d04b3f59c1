// SPDX-License-Identifier: Apache-2.0
// Implements translate.hpp: control flow (translate.cpp), instructions (instructions.cpp,
// arithmetic.cpp, calls.cpp, library_calls.cpp, numeric_natives.cpp), distributions (`distributions.cpp`,
// given_draws.cpp), resume points (resume_points.cpp), deterministic code (functions.cpp).
#pragma once
#include <deque>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "bytecode/liveness.hpp"
#include "native/functions.hpp"
#include "native/translate.hpp"
#include "native/virtual_objects.hpp"
#include "native/writer.hpp"

namespace chancel::native {

class Translator {
 public:
  // `futures`: also a second version of each segment, which takes given draws.
  Translator(const Value* globals, const Heap* run, NativeContext& context, bool futures)
      : globals_(globals), run_(run), cx_(context), futures_(futures) {}
  Segments run(const Prefix& prefix);

  // For deterministic code (functions.cpp).
  Translator(FunctionUnit& unit, NativeContext& context) : cx_(context), unit_(&unit) {}
  std::string function(const CompiledFunction& f, std::optional<Type>* gives);
  std::string loop(const CodeBlock* code, const Instr* head,
                   const std::vector<AbstractValue>& registers);
  Tables& tables() { return tables_; }
  std::size_t instructions() const { return instructions_; }  // of the last translation

 private:
  enum class Mode : std::uint8_t { Segment, Function, Loop };
  // --- resume points (resume_points.cpp) ---
  struct TranslatedPoint {
    std::unique_ptr<ResumePoint> layout;
    std::vector<AbstractFrame> frames;  // abstract values of all slots
    AbstractValue distribution;         // distribution of the draw that the prefix waits for
    bool draws_first = false;
    bool in_blocks = false;  // states at this point may be stored as headerless rows
  };
  std::size_t first_point(const Prefix& prefix);
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
  // Emits code that stores the state in a row of the point and ends the particle's segment.
  void stop_at(std::size_t point, const std::vector<AbstractFrame>& frames,
               const std::string& score);
  // Emits code that loads a row of the point, and gives the state it stands for.
  State enter(TranslatedPoint& point, std::string* entry);

  // --- control flow (translate.cpp) ---
  // The code of particles from the point, with their own draws or given ones.
  void segment(std::size_t point, bool given);
  void follow();         // from state_ to the end of its block
  void follow_blocks();  // the targets of jumps
  bool step();           // false: the block has ended
  struct Fork {
    State state;
    Writer::Texts texts;
    bool in_family;
  };
  // A branch on `condition`: state_ continues where it holds, `other` where it does not.
  void branch(bool uniform, const std::string& condition, State other);
  // Jumps to the label that all states with equal abstract values share.
  void jump_to_label(State state);
  // At the head of a loop whose body writes these registers of the top frame: numbers in them are
  // widened.
  void jump_to_head(State state, const std::vector<bool>& written);
  void leave_straight() { writer_->straight = writer_->in_family = false; }
  void leave_family() { writer_->in_family = false; }
  bool loops_here();  // this path has passed here before
  std::string key_of(const State& state) const;
  void add_applications();

  // --- functions and loops (functions.cpp) ---
  void begin_plain(Mode mode);
  AbstractValue global(std::uint32_t index);
  bool is_own_function(const CodeBlock* callee) const;  // compiled separately, not inlined
  bool call_function(const AbstractValue& function, const CodeBlock* callee,
                     const std::vector<AbstractValue>& arguments, AbstractFrame caller);
  bool return_from_function(const AbstractValue& value);
  bool leave_loop(const State& state);  // to the interpreter

  // --- instructions (instructions.cpp) ---
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

  // --- numbers (arithmetic.cpp) ---
  bool arithmetic(const Instr* at);
  AbstractValue order(Op op, const AbstractValue& a, const AbstractValue& b);
  bool compare(const Instr* at, bool jumps);
  bool jump_if(const Instr* at, bool when);

  // --- calls of functions (calls.cpp) ---
  bool call(std::uint32_t window, std::uint32_t count, std::uint16_t dst, const Instr* back);
  bool tail_call(const Instr* at);
  bool enter_function(const AbstractValue& function, std::vector<AbstractValue> arguments,
                      AbstractFrame caller);
  bool give_back(AbstractValue value);
  bool reduce_vector(const Instr* at);
  bool make_closure(const Instr* at);
  const Shape* shape_of(const std::vector<AbstractValue>& values);

  // --- calls of the library (library_calls.cpp, numeric_natives.cpp) ---
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
  AbstractValue element(const Value& vector, std::uint32_t index);

  // --- objects that are not allocated (virtual_objects.cpp) ---
  AbstractValue virtual_closure(const FunctionProto* proto, std::vector<AbstractValue> values);
  AbstractValue virtual_distribution(const DistType* distribution,
                                     std::vector<AbstractValue> values,
                                     std::vector<VirtualObject::Number> numbers,
                                     std::string pending);
  std::string number_in(const VirtualObject& b, std::size_t index);
  // These values escape: allocates them, and replaces every alias in the state.
  void materialize(std::span<AbstractValue> seen);
  void materialize(AbstractValue& seen) { materialize({&seen, 1}); }
  using Made = std::map<std::shared_ptr<const VirtualObject>, AbstractValue>;
  void materialize(AbstractValue& k, Made& made);
  // Emits pending numbers: before they are read, and where paths join or end.
  using Finished =
      std::map<std::shared_ptr<const VirtualObject>, std::shared_ptr<const VirtualObject>>;
  void finish_numbers(AbstractValue& k, Finished& finished);
  void finish_numbers(std::vector<AbstractFrame>& frames, Finished finished = {});
  bool held_elsewhere(const std::shared_ptr<const VirtualObject>& virtual_object,
                      std::uint32_t dst);

  // --- distributions (`distributions.cpp`) ---
  AbstractValue make_distribution(const NativeDef* native,
                                  const std::vector<AbstractValue>& parameters, bool* done);
  AbstractValue normal_scale(const AbstractValue& sd, std::string* pending = nullptr);
  std::string number_of(const AbstractValue& distribution, std::size_t index);
  AbstractValue draw(AbstractValue distribution);
  AbstractValue value_of_draw(AbstractValue distribution);
  AbstractValue draw_direct(const DistType* type, const std::vector<AbstractValue>& parameters);
  AbstractValue value_of_direct_draw(const DistType* type,
                                     const std::vector<AbstractValue>& parameters);
  AbstractValue after_draw(AbstractValue value);  // records the sort key
  AbstractValue of_distribution(const AbstractValue& value, const DistType* distribution);
  std::string score(AbstractValue distribution, AbstractValue x);  // gives the variable's name
  std::string score_direct(const DistType* type, const std::vector<AbstractValue>& parameters,
                           const AbstractValue& x);
  std::string score_by_table(const AbstractValue& distribution, const AbstractValue& x);
  const DistType* distribution_of(const AbstractValue& distribution);
  const DistType* distribution_produced_by(const ProcessType* process);
  std::string arguments(const std::vector<AbstractValue>& values);
  bool observe(const Instr* at);
  std::string real_of(const AbstractValue& k);  // adds a guard; empty: not a number
  void before_draw() {
    leave_family();
    writer_->texts.draws = true;
  }

  // --- given draws (given_draws.cpp) ---
  bool take_given(const Instr* at);
  void take_produced(const NativeDef* produce, const AbstractValue& process, const DistType* type,
                     const Instr* at);
  AbstractValue next_given(const std::string& distribution_type, bool uniform, std::uint32_t site);
  void add_density(const std::string& log_prob);
  // Checks that the execution which made the given draws is here, too: at an observe, or (last)
  // finished.
  void end_of_given(bool last);
  std::string number_of_given() const;
  std::string score_given(const AbstractValue& distribution, const DistType* type,
                          const AbstractValue& x);

  bool stands_still(const Value& v) const { return !v.is_object() || block_of(v.o)->heap != run_; }
  const Liveness& liveness(const CodeBlock* code);

  const Value* globals_ = nullptr;
  const Heap* run_ = nullptr;
  NativeContext& cx_;
  FunctionUnit* unit_ = nullptr;  // null: translating segments
  Tables tables_;
  std::deque<TranslatedPoint> points_;
  std::unordered_map<std::string, std::vector<std::size_t>> versions_;  // of points, by place
  std::unordered_map<const CodeBlock*, Liveness> liveness_;
  std::unordered_map<std::string, std::unique_ptr<Shape>> shapes_;
  std::string text_;
  std::vector<Exits> all_exits_;
  bool worthwhile_ = false;
  bool futures_ = false;

  // of the current segment
  std::optional<Writer> writer_;
  State state_;
  std::deque<Fork> forks_;
  std::size_t fork_labels_ = 0;
  struct Label {
    std::size_t number;
    std::vector<std::uint32_t> parameters;
  };
  std::map<std::string, Label> labels_;               // of the path
  std::deque<std::pair<std::string, State>> blocks_;  // work list, with the texts of their labels
  std::unordered_map<std::string, int> met_;          // visits of places of the straight part
  std::set<std::string> heads_;                       // of loops in other parts
  std::map<std::string, std::uint32_t> commons_;      // what rows share, by the text that makes it
  std::size_t label_count_ = 0;
  bool begins_block_ = false;  // no instruction of the block has been translated
  bool at_label_ = false;      // the current instruction is the first of its block
  std::size_t instructions_ = 0;
  Exits exits_;
  bool given_ = false;  // draws are given

  // of a function or a loop
  Mode mode_ = Mode::Segment;
  std::optional<Type> gives_;     // return type found so far
  std::optional<Type> supposed_;  // return type assumed
  State before_;                  // in a loop: the state before the current instruction
  const Instr* region_begin_ = nullptr;
  const Instr* region_end_ = nullptr;
};

}  // namespace chancel::native
