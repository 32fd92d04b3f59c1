// SPDX-License-Identifier: Apache-2.0
// Control: paths, blocks and labels.
#include "native/translate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bytecode/format.hpp"
#include "native/translator.hpp"

namespace chancel::native {

namespace {
// More than this is not compiled: the interpreter continues where the translator stops.
constexpr std::size_t kMostLabels = 3000;
constexpr std::size_t kMostForks = 24;
constexpr std::size_t kMostPoints = 1000;
constexpr std::size_t kPiece = std::size_t{150} << 10;   // pieces are compiled at the same time
constexpr std::size_t kMostText = std::size_t{2} << 20;  // bytes: some 6000 lines of a program
constexpr std::size_t kMostInstructions = 20000;         // of a segment, inlined calls included
// The same of a function that draws nothing: these are translated while the program waits.
constexpr std::size_t kMostPlainLabels = 400;
constexpr std::size_t kMostPlainInstructions = 4000;
constexpr std::uint64_t kMostSteps = 1u << 20;  // of loops in a segment; then limits are looked at
constexpr std::uint64_t kStepsOfLoop = 1u << 16;  // the same, of loops that draw nothing
}  // namespace

Segments translate(const Prefix& prefix, const Value* globals, const Heap* run,
                   NativeContext& context, bool futures) {
  return Translator(globals, run, context, futures).run(prefix);
}

Segments Translator::run(const Prefix& prefix) {
  Segments out;
  first_point(prefix);
  std::size_t written = 0;
  std::size_t length = 0;
  for (; written < points_.size() && written < kMostPoints && length < kMostText; ++written) {
    segment(written, false);
    if (futures_ && written > 0) segment(written, true);
    if (text_.size() < kPiece) continue;
    length += text_.size();
    out.texts.push_back(std::exchange(text_, {}));
  }
  std::string in_blocks;  // the points that may have headerless rows
  for (std::size_t i = 0; i < points_.size(); ++i)
    in_blocks +=
        fmt::format("#define CN_IN_BLOCKS_{} {}\n", i, points_[i].in_blocks ? "CN_BLOCKS" : "0");
  for (TranslatedPoint& p : points_) out.points.push_back(std::move(p.layout));
  for (std::size_t i = written; i < points_.size(); ++i)
    for (const char* name : {"segment", "future"})
      text_ += fmt::format("int {}_{}(cn_batch* b) {{ return CN_NONE; }}\n", name, i);
  out.constants = std::move(tables_.constants);
  out.pointers = std::move(tables_.pointers);
  if (out.texts.empty() || !text_.empty()) out.texts.push_back(std::move(text_));
  for (std::string& text : out.texts) text = in_blocks + text;
  out.exits = std::move(all_exits_);
  out.worthwhile = worthwhile_;
  return out;
}

void Translator::segment(std::size_t index, bool given) {
  writer_.emplace(tables_);
  writer_->given = given_ = given;
  forks_.clear();
  commons_.clear();
  fork_labels_ = label_count_ = instructions_ = 0;
  exits_ = {};
  std::string entry;
  TranslatedPoint& point = points_[index];
  state_ = enter(point, &entry);
  met_.clear();
  heads_.clear();
  labels_.clear();
  if (point.draws_first) {
    const AbstractValue drawn = draw(point.distribution);
    state_.top().slots[state_.top().dst + 1u] = drawn;
  }
  for (;;) {
    follow();
    follow_blocks();
    writer_->finish_path(entry, row_value_bytes(*point.layout),
                         point.layout->values > 0     ? "CN_VALUE_FIRST"
                         : point.layout->pointers > 0 ? "CN_OBJECT_FIRST"
                                                      : "CN_NUMBER_FIRST",
                         index);
    if (forks_.empty()) break;
    Fork fork = std::move(forks_.front());
    forks_.pop_front();
    state_ = std::move(fork.state);
    writer_->texts = std::move(fork.texts);
    writer_->straight = true;
    writer_->in_family = fork.in_family;
    labels_.clear();
    met_.clear();
    heads_.clear();
  }
  text_ += writer_->function(index);
  given_ = false;
  if (!given) all_exits_.push_back(std::move(exits_));
}

void Translator::follow_blocks() {
  while (!blocks_.empty()) {
    auto [label, state] = std::move(blocks_.front());
    blocks_.pop_front();
    state_ = std::move(state);
    leave_straight();
    writer_->texts.particle += label;
    begins_block_ = true;
    follow();
  }
}

void Translator::follow() {
  while (step()) {
  }
}

bool Translator::step() {
  if (++instructions_ > (mode_ == Mode::Segment ? kMostInstructions : kMostPlainInstructions))
    return give_up();
  AbstractFrame& f = state_.top();
  const Instr* at = f.pc;
  if (mode_ == Mode::Loop) {
    before_ = state_;
    if (state_.frames.size() == 1 && (at < region_begin_ || at > region_end_))
      return leave_loop(before_);
  }
  // Where branches come together again their code is one.
  if (!writer_->straight && !begins_block_ && liveness(f.code).is_join(at)) {
    jump_to_label(state_);
    return false;
  }
  at_label_ = std::exchange(begins_block_, false);
  f.pc = at + 1 + op_words(at->op);
  return instruction(at);
}

bool Translator::give_up() {
  if (mode_ == Mode::Loop && before_.frames.size() == 1) return leave_loop(before_);
  ++exits_.left;
  writer_->bail(false);
  return false;
}

void Translator::add_applications() {
  if (state_.applications) writer_->line(fmt::format("applications += {};", state_.applications));
  state_.applications = 0;
  if (state_.draws) writer_->line(fmt::format("taken += {};", state_.draws));
  state_.draws = 0;
}

void Translator::branch(bool uniform, const std::string& condition, State other) {
  if (uniform && writer_->straight && forks_.size() + fork_labels_ < kMostForks) {
    const std::size_t number = fork_labels_++;
    writer_->batch_line(fmt::format("if (!({})) goto fork_{};", condition, number));
    Writer::Texts texts = writer_->texts;
    texts.batch.clear();
    texts.label = fmt::format("fork_{}:;\n", number);
    forks_.push_back({std::move(other), std::move(texts), writer_->in_family});
    return;
  }
  leave_straight();
  writer_->line(fmt::format("if (!({})) {{", condition));
  std::swap(state_, other);
  jump_to_label(state_);
  std::swap(state_, other);
  writer_->line("}");
}

void Translator::jump_to_head(State state, const std::vector<bool>& written) {
  leave_straight();
  if (mode_ == Mode::Segment) {
    writer_->line(fmt::format("if (unlikely(++steps > {})) goto bail;", kMostSteps));
  } else if (mode_ == Mode::Loop && state.frames.size() == 1) {
    // What is done is done: the interpreter looks at limits, then comes back.
    writer_->line(fmt::format("if (unlikely(++steps > {} || *b->alarm)) {{", kStepsOfLoop));
    leave_loop(state);
    writer_->line("}");
  } else {
    writer_->line(fmt::format(
        "if (unlikely(++steps > {} || b->calls_left < 0)) {{ steps = 0; if (b->should_stop(b)) "
        "goto bail; }}",
        kStepsOfLoop));
  }
  // The first turn of a loop keeps its values: if it ends at an observe, all stop there with the same ones.
  const bool first_turn = mode_ == Mode::Segment && heads_.insert(place_of(state.frames)).second;
  std::vector<AbstractValue>& slots = state.top().slots;
  for (std::size_t r = 0; r + 1 < slots.size() && r < written.size() && !first_turn; ++r) {
    AbstractValue& k = slots[r + 1];
    if (written[r] && k.is_constant() && k.type != Type::Any)
      k = writer_->compute(k.type, false,
                           k.type == Type::Bool ? writer_->truth(k) : writer_->number(k));
  }
  jump_to_label(std::move(state));
}

namespace {
// All at once: what is read may be written.
std::string moves(const std::vector<AbstractValue*>& from, const std::vector<std::uint32_t>& to) {
  std::string copies, text;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::uint32_t v = from[i]->variable;
    if (v == to[i]) continue;
    const bool written = std::find(to.begin(), to.begin() + i, v) != to.begin() + i;
    if (written) copies += fmt::format("__typeof__(v{0}) t{1} = v{0}; ", v, i);
    text += written ? fmt::format("v{} = t{}; ", to[i], i) : fmt::format("v{} = v{}; ", to[i], v);
  }
  return "{ " + copies + text;
}
}  // namespace

void Translator::jump_to_label(State state) {
  leave_straight();
  std::swap(state_, state);
  add_applications();
  std::swap(state_, state);
  drop_dead(state.frames);
  finish_numbers(state.frames);
  const std::string key = key_of(state);
  auto [found, fresh] = labels_.try_emplace(key, Label{});
  Label& label = found->second;
  const std::vector<AbstractValue*> varying = Parts().varying_of(state.frames);
  if (fresh) {
    if (labels_.size() > (mode_ == Mode::Segment ? kMostLabels : kMostPlainLabels)) {
      labels_.erase(found);
      return writer_->bail(false);
    }
    label.number = label_count_++;
    for (const AbstractValue* k : varying) label.parameters.push_back(writer_->variable(k->type));
  }
  writer_->line(moves(varying, label.parameters) + fmt::format("goto block_{}; }}", label.number));
  if (!fresh) return;
  for (std::size_t i = 0; i < varying.size(); ++i) {
    varying[i]->variable = label.parameters[i];
    varying[i]->forget_origin();
  }
  blocks_.emplace_back(fmt::format("    block_{}:;\n", label.number), std::move(state));
}

std::string Translator::key_of(const State& state) const {
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

bool Translator::loops_here() {
  std::string place;
  for (const AbstractFrame& f : state_.frames)
    place += fmt::format("{}:{} ", static_cast<const void*>(f.code), f.pc - f.code->instrs.data());
  return ++met_[place] > 1;
}

const Liveness& Translator::liveness(const CodeBlock* code) {
  return liveness_.try_emplace(code, *code).first->second;
}

}  // namespace chancel::native
