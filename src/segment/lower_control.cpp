// SPDX-License-Identifier: Apache-2.0
// Control: paths, blocks and labels.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bytecode/format.hpp"
#include "segment/lowering.hpp"

namespace chancel::segment {

namespace {
// More than this is not compiled: the interpreter continues where lowering stops.
constexpr std::size_t kMostLabels = 3000;
constexpr std::size_t kMostForks = 24;
constexpr std::size_t kMostPoints = 1000;
constexpr std::size_t kMostInstructions = 20000;  // of a segment, inlined calls included
// The same of a function that draws nothing: these are translated while the program waits.
constexpr std::size_t kMostPlainLabels = 400;
constexpr std::size_t kMostPlainInstructions = 4000;
}  // namespace

SegmentLowering::SegmentLowering(const Start& start, const Value* globals, const Heap* run,
                                 NativeContext& context, bool futures)
    : lowering_(std::make_unique<Lowering>(globals, run, context, futures)) {
  lowering_->begin(start);
}
SegmentLowering::~SegmentLowering() = default;
std::optional<Function> SegmentLowering::next(std::size_t room) { return lowering_->next(room); }
std::size_t SegmentLowering::met() const { return lowering_->seen_.size(); }
bool SegmentLowering::worthwhile() const { return lowering_->worthwhile_; }
const std::vector<Exits>& SegmentLowering::exits() const { return lowering_->all_exits_; }
std::size_t SegmentLowering::points() const { return lowering_->points_.size(); }
bool SegmentLowering::in_blocks(std::size_t point) const {
  return lowering_->points_[point].in_blocks;
}
std::vector<std::unique_ptr<ResumePoint>> SegmentLowering::take_points() {
  std::vector<std::unique_ptr<ResumePoint>> out;
  for (auto& p : lowering_->points_) out.push_back(std::move(p.layout));
  return out;
}

void Lowering::begin(const Start& start) { first_point(start); }

std::optional<Function> Lowering::next(std::size_t room) {
  room_ = room;
  if (std::exchange(future_next_, false)) return segment(next_ - 1, true);
  if (next_ == points_.size() || next_ == kMostPoints) return std::nullopt;
  future_next_ = futures_ && next_ > 0;
  return segment(next_++, false);
}

void Lowering::begin_function(Form form, std::size_t number) {
  function_ = Function{};
  function_.form = form;
  function_.number = static_cast<std::uint32_t>(number);
  build_.emplace(function_);
  build_->continue_in(build_->new_block(form < Form::Function));
  given_ = form == Form::Future;
  forks_.clear();
  labels_.clear();
  blocks_.clear();
  met_.clear();
  heads_.clear();
  forks_made_ = instructions_ = 0;
  exits_ = {};
}

Function Lowering::segment(std::size_t index, bool given) {
  begin_function(given ? Form::Future : Form::Segment, index);
  TranslatedPoint& point = points_[index];
  function_.row_values = point.layout->values;
  function_.row_pointers = point.layout->pointers;
  function_.row_numbers = point.layout->numbers;
  state_ = enter(point);
  if (point.draws_first) {
    const AbstractValue drawn = draw(point.distribution);
    state_.top().slots[state_.top().dst + 1u] = drawn;
  }
  for (;;) {
    follow();
    follow_blocks();
    if (forks_.empty()) break;
    Fork fork = std::move(forks_.front());
    forks_.pop_front();
    state_ = std::move(fork.state);
    build_->continue_in(fork.block);
    labels_.clear();
    met_.clear();
    heads_.clear();
  }
  given_ = false;
  if (!given) all_exits_.push_back(std::move(exits_));
  return std::move(function_);
}

void Lowering::follow_blocks() {
  while (!blocks_.empty()) {
    auto [block, state] = std::move(blocks_.front());
    blocks_.pop_front();
    state_ = std::move(state);
    build_->continue_in(block);
    begins_block_ = true;
    follow();
  }
}

void Lowering::follow() {
  while (step()) {
  }
}

bool Lowering::step() {
  const bool plain = unit_ != nullptr;
  AbstractFrame& f = state_.top();
  const Instr* at = f.pc;
  at_ = {f.code, at};
  const bool full = ++instructions_ > (plain ? kMostPlainInstructions : kMostInstructions) ||
                    (!plain && function_.values.size() > room_);
  if (full) {
    ++exits_.room;
    return give_up();
  }
  if (!plain) seen_.insert(at);
  if (function_.form == Form::Loop) {
    before_ = state_;
    if (state_.frames.size() == 1 && (at < region_begin_ || at > region_end_))
      return leave_loop(before_);
  }
  // Where branches come together again their code is one.
  if (!straight() && !begins_block_ && liveness(f.code).is_join(at)) {
    jump_to_label(state_);
    return false;
  }
  at_label_ = std::exchange(begins_block_, false);
  f.pc = at + 1 + op_words(at->op);
  return instruction(at);
}

bool Lowering::give_up() {
  if (function_.form == Form::Loop && before_.frames.size() == 1) return leave_loop(before_);
  const auto same = [&](const Exits::Place& p) { return p.at == at_.at; };
  if (std::none_of(exits_.left.begin(), exits_.left.end(), same)) exits_.left.push_back(at_);
  build_->effect(Opcode::Leave);
  return false;
}

void Lowering::add_applications() {
  if (state_.applications)
    build_->effect(Opcode::CountApplications,
                   {.number = static_cast<std::int64_t>(state_.applications)}, {});
  state_.applications = 0;
  if (state_.draws)
    build_->effect(Opcode::CountDraws, {.number = static_cast<std::int64_t>(state_.draws)}, {});
  state_.draws = 0;
}

void Lowering::branch(ValueId condition, State other) {
  if (build_->is_constant(condition)) {
    if (build_->is_false(condition)) state_ = std::move(other);
    return;
  }
  if (straight() && build_->rate(condition) == Rate::Batch && forks_made_ < kMostForks) {
    ++forks_made_;
    const BlockId then = build_->new_block(true), otherwise = build_->new_block(true);
    build_->branch(condition, then, otherwise);
    forks_.push_back({std::move(other), otherwise});
    build_->continue_in(then);
    return;
  }
  const BlockId then = build_->new_block(false), otherwise = build_->new_block(false);
  build_->branch(condition, then, otherwise);
  build_->continue_in(otherwise);
  std::swap(state_, other);
  jump_to_label(state_);
  std::swap(state_, other);
  build_->continue_in(then);
}

void Lowering::jump_to_head(State state, const std::vector<bool>& written) {
  if (function_.form == Form::Loop && state.frames.size() == 1) {
    // What is done is done: the interpreter looks at limits, then comes back.
    const BlockId over = build_->new_block(false), on = build_->new_block(false);
    build_->branch(build_->emit(Opcode::StepsOver), over, on);
    build_->continue_in(over);
    leave_loop(state);
    build_->continue_in(on);
  } else {
    build_->effect(Opcode::Steps);
  }
  // The first turn of a loop keeps its values: if it ends at an observe, all stop there with the same ones.
  const bool first_turn = !unit_ && heads_.insert(place_of(state.frames)).second;
  Parts().varying_of(state.frames);  // objects are this state's own
  std::vector<AbstractValue>& slots = state.top().slots;
  for (std::size_t r = 0; r + 1 < slots.size() && r < written.size() && !first_turn; ++r) {
    if (written[r]) widen(slots[r + 1]);
  }
  jump_to_label(std::move(state));
}

// A constant number becomes one that varies, also in the fields of a vector or map, which other slots may hold, too.
void Lowering::widen(AbstractValue& k) {
  if (k.is_virtual() && k.virtual_object->maker) {
    auto& values = const_cast<VirtualObject&>(*k.virtual_object).values;
    const std::size_t step = k.tag == Tag::ArrayMap ? 2 : 1;  // keys stay
    for (std::size_t i = step - 1; i < values.size(); i += step) widen(values[i]);
    return;
  }
  if (!k.is_constant() || k.type == Type::Any) return;
  const ValueId id = plain(k);
  const Type type = k.type;
  k = AbstractValue{};
  k.kind = AbstractValue::Kind::Varying;
  k.type = type;
  k.id = id;
}

void Lowering::jump_to_label(State state) {
  std::swap(state_, state);
  add_applications();
  std::swap(state_, state);
  drop_dead(state.frames);
  const std::string key = key_of(state);
  auto [found, fresh] = labels_.try_emplace(key, kNoBlock);
  const std::vector<AbstractValue*> varying = Parts().varying_of(state.frames);
  if (fresh) {
    if (labels_.size() > (unit_ ? kMostPlainLabels : kMostLabels)) {
      labels_.erase(found);
      build_->effect(Opcode::Leave);
      return;
    }
    found->second = build_->new_block(false);
  }
  const BlockId block = found->second;
  Builder::Operands arguments;
  for (const AbstractValue* k : varying) arguments.push_back(plain(*k));
  build_->jump(block, std::move(arguments));
  if (!fresh) return;
  for (AbstractValue* k : varying) {
    k->id = build_->parameter(block, k->type);
    k->forget_origin();
  }
  blocks_.emplace_back(block, std::move(state));
}

std::string Lowering::key_of(const State& state) const {
  std::string key;
  StateKey values(true);
  for (const AbstractFrame& f : state.frames) {
    key +=
        fmt::format("|{}:{}:{}:{}:{}", static_cast<const void*>(f.code),
                    f.pc - f.code->instrs.data(), f.dst, static_cast<int>(f.kind), f.slots.size());
    for (const AbstractValue& k : f.slots) values.add(k);
  }
  return key + values.text();
}

bool Lowering::loops_here() {
  std::string place;
  for (const AbstractFrame& f : state_.frames)
    place += fmt::format("{}:{} ", static_cast<const void*>(f.code), f.pc - f.code->instrs.data());
  return ++met_[place] > 1;
}

const Liveness& Lowering::liveness(const CodeBlock* code) {
  return liveness_.try_emplace(code, *code).first->second;
}

}  // namespace chancel::segment
