// SPDX-License-Identifier: Apache-2.0
// The work of translate.hpp: control (translate.cpp), instructions (instructions.cpp, arithmetic.cpp, calls.cpp,
// library_calls.cpp, numbers.cpp), distributions (laws.cpp, given_draws.cpp), rest points (rest_points.cpp), code that draws nothing
// (functions.cpp).
#pragma once
#include <deque>
#include <map>
#include <set>
#include <span>
#include <unordered_map>

#include "bytecode/liveness.hpp"
#include "native/buildings.hpp"
#include "native/functions.hpp"
#include "native/translate.hpp"
#include "native/writer.hpp"

namespace chancel::native {

class Translator {
 public:
  // `futures`: with a second version of each segment, which takes given draws.
  Translator(const Value* globals, const Heap* run, NativeContext& context, bool futures)
      : globals_(globals), run_(run), cx_(context), futures_(futures) {}
  Segments run(const Prefix& prefix);

  // For code that draws nothing (functions.cpp).
  Translator(FunctionUnit& unit, NativeContext& context) : cx_(context), unit_(&unit) {}
  std::string function(const CompiledFunction& f, std::optional<Type>* gives);
  std::string loop(const CodeBlock* code, const Instr* head, const std::vector<Known>& registers);
  Tables& tables() { return tables_; }
  std::size_t instructions() const { return instructions_; }  // of what was translated last

 private:
  enum class Mode : std::uint8_t { Segment, Function, Loop };
  // --- rest points (rest_points.cpp) ---
  struct Point {
    std::unique_ptr<RestPoint> layout;
    std::vector<AbstractFrame> frames;  // what is known of every slot there
    Known law;                          // of the draw that the prefix waits for
    bool draws_first = false;
    bool in_blocks = false;  // executions may stand there in rows without heads
  };
  std::size_t first_point(const Prefix& prefix);
  // The point of a state; none when there would be too many.
  static constexpr std::size_t kNoPoint = ~std::size_t{0};
  // Or an object has to be made first, that was made in others that stop there.
  static constexpr std::size_t kMakeFirst = kNoPoint - 1;
  std::size_t point_of(const std::vector<AbstractFrame>& frames, std::uint32_t site);
  void make_layout(Point& point, std::uint32_t site);
  using BuiltPlaces = std::map<const Building*, std::uint32_t>;
  SlotPlace place_for(RestPoint& layout, const Known& k, BuiltPlaces& built);
  void drop_dead(std::vector<AbstractFrame>& frames);
  bool live(const AbstractFrame& frame, bool top, std::size_t slot);
  std::string place_of(const std::vector<AbstractFrame>& frames) const;
  // Text that makes a row at the point, and ends the particle's turn.
  void stop_at(std::size_t point, const std::vector<AbstractFrame>& frames,
               const std::string& score);
  // Text that takes a row apart, and the state that it gives.
  State enter(Point& point, std::string* entry);

  // --- control (translate.cpp) ---
  // What particles do from the point on, with draws of their own or given ones.
  void segment(std::size_t point, bool given);
  void follow();         // from state_ to where its block ends
  void follow_blocks();  // those that were jumped to
  bool step();           // false: the block has ended
  struct Fork {
    State state;
    Writer::Texts texts;
    bool in_family;
  };
  // A branch on `condition`, which is uniform or not: state_ goes on where it holds, `other` elsewhere.
  void branch(bool uniform, const std::string& condition, State other);
  // Goes on at a label that all states with the same knowledge share.
  void jump_to_label(State state);
  // At the head of a loop, whose turns write these registers of the top: their numbers lose their values.
  void jump_to_head(State state, const std::vector<bool>& written);
  void leave_straight() { writer_->straight = writer_->in_family = false; }
  void leave_family() { writer_->in_family = false; }
  bool loops_here();  // the place was met before in this path
  std::string key_of(const State& state) const;
  void add_applications();

  // --- functions and loops (functions.cpp) ---
  void begin_plain(Mode mode);
  Known global(std::uint32_t index);
  bool is_own_function(const CodeBlock* callee) const;  // compiled as one, not inlined
  bool call_function(const Known& function, const CodeBlock* callee,
                     const std::vector<Known>& arguments, AbstractFrame caller);
  bool return_from_function(const Known& value);
  bool leave_loop(const State& state);  // for the interpreter

  // --- instructions (instructions.cpp) ---
  bool instruction(const Instr* at);
  bool predict(const Instr* at);
  bool finish(Known result);
  void set(std::uint32_t reg, Known value);  // a copy: the slots may move
  // The register is a number of one type afterwards. False: the state was forked, the instruction
  // will be met again.
  enum class Refined { Yes, Never, Forked };
  Refined refine(std::uint32_t reg);
  Known captured(const Known& closure, std::size_t index);
  Known of_example(Known known, const Value& example);  // with a guard
  Known as_value(Known k);
  bool give_up();

  // --- numbers (arithmetic.cpp) ---
  bool arithmetic(const Instr* at);
  Known order(Op op, const Known& a, const Known& b);
  bool compare(const Instr* at, bool jumps);
  bool jump_if(const Instr* at, bool when);

  // --- calls of functions (calls.cpp) ---
  bool call(std::uint32_t window, std::uint32_t count, std::uint16_t dst, const Instr* back);
  bool tail_call(const Instr* at);
  bool enter_function(const Known& function, std::vector<Known> arguments, AbstractFrame caller);
  bool give_back(Known value);
  bool reduce_vector(const Instr* at);
  bool make_closure(const Instr* at);
  const Shape* shape_of(const std::vector<Known>& values);

  // --- calls of the library (library_calls.cpp, numbers.cpp) ---
  bool call_native(const NativeDef* native, std::vector<Known> arguments, std::uint32_t dst);
  std::optional<Value> worked_out(const NativeDef* native, const std::vector<Value>& values);
  bool draw_produced(const NativeDef* native, const std::vector<Known>& arguments,
                     std::uint32_t dst);
  Known library_kernel(const NativeDef* native, const std::vector<Known>& arguments, bool* done);
  Known simple_native(const NativeDef* native, const std::vector<Known>& arguments, bool* done);
  // (get collection key law), where the law has not been made: it is made where there is no such key.
  bool get_or_make(const NativeDef* native, std::vector<Known>& arguments, std::uint32_t dst);
  bool get(const Known& collection, const Known& key, const NativeDef* native, std::uint32_t dst);
  // An element of a constant vector, at an index within it that is a variable of the particle.
  Known element(const Value& vector, std::uint32_t index);

  // --- objects that are not made (buildings.cpp) ---
  Known build_closure(const FunctionProto* proto, std::vector<Known> values);
  Known build_law(const DistType* law, std::vector<Known> values,
                  std::vector<Building::Number> numbers, std::string pending);
  std::string number_in(const Building& b, std::size_t index);
  // Something else than generated code is to see these: they are made, here and in the state.
  void show(std::span<Known> seen);
  void show(Known& seen) { show({&seen, 1}); }
  using Made = std::map<std::shared_ptr<const Building>, Known>;
  void make(Known& k, Made& made);
  // Their pending numbers are set: before somebody needs them, and where paths meet or end.
  using Finished = std::map<std::shared_ptr<const Building>, std::shared_ptr<const Building>>;
  void finish_numbers(Known& k, Finished& finished);
  void finish_numbers(std::vector<AbstractFrame>& frames, Finished finished = {});
  bool held_elsewhere(const std::shared_ptr<const Building>& building, std::uint32_t dst);

  // --- distributions (laws.cpp) ---
  Known make_law(const NativeDef* native, const std::vector<Known>& parameters, bool* done);
  Known normal_scale(const Known& sd, std::string* pending = nullptr);
  std::string number_of(const Known& law, std::size_t index);
  Known draw(Known law);
  Known value_of_draw(Known law);
  Known draw_direct(const DistType* type, const std::vector<Known>& parameters);
  Known value_of_direct_draw(const DistType* type, const std::vector<Known>& parameters);
  Known after_draw(Known value);  // what is told of it
  Known of_law(const Known& value, const DistType* law);
  std::string score(Known law, Known x);  // a variable
  std::string score_direct(const DistType* type, const std::vector<Known>& parameters,
                           const Known& x);
  std::string score_by_table(const Known& law, const Known& x);
  const DistType* law_of(const Known& law);
  const DistType* law_produced_by(const ProcessType* process);
  std::string arguments(const std::vector<Known>& values);
  bool observe(const Instr* at);
  std::string real_of(const Known& k);  // with a guard; empty: it is none
  void before_draw() {
    leave_family();
    writer_->texts.draws = true;
  }

  // --- draws that are given (given_draws.cpp) ---
  bool take_given(const Instr* at);
  void take_produced(const NativeDef* produce, const Known& process, const DistType* type,
                     const Instr* at);
  Known next_given(const std::string& law_type, bool uniform, std::uint32_t site);
  void add_density(const std::string& log_prob);
  // The execution is at an observe, or at its end: so is the one that drew them.
  void end_of_given(bool last);
  std::string number_of_given() const;
  std::string score_given(const Known& law, const DistType* type, const Known& x);

  bool stands_still(const Value& v) const { return !v.is_object() || block_of(v.o)->heap != run_; }
  const Liveness& liveness(const CodeBlock* code);

  const Value* globals_ = nullptr;
  const Heap* run_ = nullptr;
  NativeContext& cx_;
  FunctionUnit* unit_ = nullptr;  // null: segments are translated
  Tables tables_;
  std::deque<Point> points_;
  std::unordered_map<std::string, std::vector<std::size_t>> versions_;  // of points, by place
  std::unordered_map<const CodeBlock*, Liveness> liveness_;
  std::unordered_map<std::string, std::unique_ptr<Shape>> shapes_;
  std::string text_;
  std::vector<WaysOut> all_ways_out_;
  bool worthwhile_ = false;
  bool futures_ = false;

  // of the segment at work
  std::optional<Writer> writer_;
  State state_;
  std::deque<Fork> forks_;
  std::size_t fork_labels_ = 0;
  struct Label {
    std::size_t number;
    std::vector<std::uint32_t> parameters;
  };
  std::map<std::string, Label> labels_;               // of the path
  std::deque<std::pair<std::string, State>> blocks_;  // to do, with the texts of their labels
  std::unordered_map<std::string, int> met_;          // places of the straight part
  std::set<std::string> heads_;                       // of loops in other parts
  std::map<std::string, std::uint32_t> commons_;      // what rows share, by the text that makes it
  std::size_t label_count_ = 0;
  bool begins_block_ = false;  // nothing of it has been done
  bool at_label_ = false;      // the instruction at work is the first of its block
  std::size_t instructions_ = 0;
  WaysOut ways_out_;
  bool given_ = false;  // draws are

  // of a function or a loop
  Mode mode_ = Mode::Segment;
  std::optional<Type> gives_;     // none yet
  std::optional<Type> supposed_;  // of what it gives
  State before_;                  // the instruction at work, in a loop
  const Instr* region_begin_ = nullptr;
  const Instr* region_end_ = nullptr;
};

}  // namespace chancel::native
