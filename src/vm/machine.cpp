// SPDX-License-Identifier: Apache-2.0
// The machine around the run loop: starting and resuming executions, freezing frames, collecting,
// limits.
#include "vm/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "fmt/format.h"
#include "value/collections.hpp"
#include "value/dist_object.hpp"
#include "value/equality.hpp"
#include "value/number.hpp"
#include "value/print.hpp"
#include "value/world.hpp"
#include "vm/delay_hook.hpp"
#include "vm/machine_parts.hpp"
#include "vm/record_hook.hpp"
#include "vm/row.hpp"

namespace chancel {

namespace {
// Slots of a working stack: deep recursion freezes its older frames when these are full.
constexpr std::size_t kStackSlots = 32768;
constexpr std::size_t kNestedStackSlots = 8192;
constexpr std::size_t kMaxNesting = 64;

// Methods of distributions may draw as they like: what they give is the draw of a checkpoint.
struct MayDraw {
  NativeContext& cx;
  Stream* const before;
  const bool notes_before;
  MayDraw(NativeContext& c, Stream* stream)
      : cx(c), before(c.stream), notes_before(c.notes_hidden) {
    cx.stream = stream;
    cx.notes_hidden = false;
  }
  ~MayDraw() {
    cx.stream = before;
    cx.notes_hidden = notes_before;
  }
};

}  // namespace

Machine::Stack::Stack(std::size_t size)
    : slots(new Value[size]),
      calls(new Call[size]),
      end(slots.get() + size - kStackMargin),
      call_top(calls.get()) {}

Machine::Machine(Program& p, Value* g, Heap& heap, bool in_query)
    : Executor(heap), globals(g), program(p), cx_(arena_), first_stack_(kStackSlots) {
  register_frame_scanners();
  cx_.machine = this;
  cx_.in_query = in_query;
  cx_.stream = cx_.scoring = &stream;
}

Machine::~Machine() = default;

Machine::Stack& Machine::stack_at(std::size_t level) {
  while (stacks_.size() < level) stacks_.push_back(std::make_unique<Stack>(kNestedStackSlots));
  return *stacks_[level - 1];
}

Execution Machine::start(const Value& function, const Value* args, std::uint32_t count) {
  CHANCEL_ASSERT(count <= kMostStartArguments, "too many arguments to start with");
  Value slots[2 + kMostStartArguments];
  slots[0] = Value::nil();  // the stub's own function
  slots[1] = function.is(Tag::Query) ? function.as<Query>()->body : function;
  for (std::uint32_t i = 0; i < count; ++i) slots[2 + i] = args[i];
  const CodeBlock* stub = entry_stub(count);
  Execution e;
  e.world = first_world;
  e.top = freeze(arena_, nullptr, stub, stub->instrs.data(), kNoDestination, FrameKind::Normal,
                 slots, 2 + count);
  return e;
}

void Machine::resume(Execution& execution, const Value& answer, Checkpoint& out) {
  first_draw_.held = first_draw_.wanted = false;
  guarded_run(execution, answer, Entry::Resume, out);
}

void Machine::resume_first(Execution& execution, Checkpoint& out) {
  first_draw_.held = false;
  first_draw_.wanted = true;
  guarded_run(execution, Value::nil(), Entry::Resume, out);
}

bool Machine::resume_sibling(Execution& execution, Checkpoint& out) {
  if (!first_draw_.held) return false;
  guarded_run(execution, Value::nil(), Entry::Sibling, out);
  return true;
}

void Machine::hold_first_draw(const Stack& stack, const Call* top, const CodeBlock* code,
                              const Instr* at, Value* base, std::size_t live,
                              std::uint64_t applications) {
  FirstDraw& d = first_draw_;
  d.wanted = false;
  d.slot_count = static_cast<std::size_t>(base - stack.slots.get()) + live;
  d.call_count = static_cast<std::size_t>(top - stack.calls.get());
  // A native may have drawn without a checkpoint: then this is not the first draw.
  if (!stream.untouched() || d.slot_count > FirstDraw::kMostSlots ||
      d.call_count > FirstDraw::kMostCalls)
    return;
  d.held = true;
  d.code = code;
  d.at = at;
  d.base = base;
  d.below = stack.below;
  d.world = cx_.world;
  d.predicts = predicts_;
  d.applications = applications;
  copy_values(d.slots, stack.slots.get(), d.slot_count);
  std::copy_n(stack.calls.get(), d.call_count, d.calls);
}

void Machine::guarded_run(Execution& execution, const Value& answer, Entry entry, Checkpoint& out) {
  // Runs may be too short to look at limits for themselves, and be without end together.
  constexpr std::uint32_t kLookEvery = 4096;
  if (CHANCEL_UNLIKELY(++resumes_ % kLookEvery == 0)) {
    if (auto stop = stop_requested(cx_.run)) {
      failure_ = std::move(*stop);
      execution.top = nullptr;
      out = {};
      return;
    }
  }
  run_mark_ = arena_.mark();
  young_is_run_ = true;
  alarm_ = false;
  // What a recorder holds is not a root of the run.
  arena_.set_alarm(&alarm_, recorder_ ? ~std::size_t{0} : nursery_);
  auto stopped = within_memory([&] {
    if (CHANCEL_UNLIKELY(entry == Entry::Resume && execution.top->tag == Tag::Row))
      execution.top = frames_of(arena_, static_cast<const Row*>(execution.top));
    run(first_stack_, execution, answer, entry, out);
  });
  if (CHANCEL_UNLIKELY(stopped.has_value())) {
    failure_ = std::move(*stopped);
    out = {};
  }
}

bool Machine::call(const Value& function, const Value* args, std::uint32_t count, Value* out,
                   Entry entry) {
  if (nesting_ >= kMaxNesting) {
    failure_ = {Code::L003, Severity::Error, {}, "methods call each other too deeply", "", {}};
    return false;
  }
  ++nesting_;
  World* const world = cx_.world;
  Predicts* const predicts = predicts_;
  const double weight = log_weight;
  Checkpoint stop;
  auto stopped = within_memory([&] {
    Execution e = start(function, args, count);
    e.world = world;
    e.predicts = predicts;
    run(stack_at(nesting_), e, Value::nil(), entry, stop);
    spend_work(e.applications % kFuel);  // check_limits() has counted the rest
  });
  if (stopped) {
    failure_ = std::move(*stopped);
    stop = {};
  }
  --nesting_;
  log_weight = weight;
  predicts_ = predicts;
  if (stop.kind == Stop::Failed) {
    cx_.world = world;
    return false;
  }
  *out = stop.value;
  return true;
}

bool Machine::draw_for(Execution& execution, const Value& dist, Value* out) {
  cx_.world = execution.world;
  const bool ok = draw(dist, out);
  if (!dist.is(Tag::Dist)) execution.world = cx_.world;
  if (!ok && !failure_.span.known()) failure_.span = place_of(execution);
  return ok;
}

bool Machine::score_for(Execution& execution, const Value& dist, const Value& x, double* log_prob) {
  cx_.world = execution.world;
  const bool ok = score(dist, x, log_prob);
  if (!dist.is(Tag::Dist)) execution.world = cx_.world;
  return ok;
}

void Machine::record(RecordHook* recorder) {
  recorder_ = recorder;
  if (recorder)
    cx_.symbolic = recorder;
  else
    cx_.symbolic = delay_;
}

void Machine::delay(DelayHook* hook) {
  delay_ = hook;
  record(recorder_);
}

bool Machine::recorded_score_for(Execution& execution, const Value& dist, const Value& x,
                                 Value* log_prob) {
  cx_.world = execution.world;
  const bool ok = call_score(dist, x, log_prob);
  execution.world = cx_.world;
  return ok;
}

bool Machine::fit_for(const Execution& execution, const Value& dist, const Value& x, Fit* out) {
  cx_.world = execution.world;
  const auto* d = dist.as<Dist>();
  *out = d->type->fit(cx_, d, x);
  if (cx_.ok()) return true;
  take_failure();
  return false;
}

bool Machine::draw(const Value& dist, Value* out) {
  if (dist.is(Tag::Dist)) {
    const auto* d = dist.as<Dist>();
    *out = d->type->sample(cx_, d, stream);
    if (cx_.ok()) return true;
    take_failure();
    return false;
  }
  const auto* type = dist.as<Record>()->type;
  const auto it = type->methods.find(intern("sample*"));
  if (it == type->methods.end()) {
    failure_ = {Code::R010, Severity::Error,
                {},         fmt::format("{} has no sample* method", type->name->full),
                "",         {}};
    return false;
  }
  const MayDraw here(cx_, &stream);
  return call_method(globals[it->second], &dist, 1, out, false);
}

bool Machine::call_method(const Value& method, const Value* args, std::uint32_t count, Value* out,
                          bool recorded) {
  // Of draws that were put off, methods see nodes that have their values (draw_for_methods).
  const bool delays = delay_hook() != nullptr;
  const Entry entry = delays || recorded ? Entry::NestedRecording : Entry::Nested;
  if (!call(method, args, count, out, entry)) return false;
  if (delays) *out = cx_.symbolic->pin(cx_, *out);
  return true;
}

bool Machine::score(const Value& dist, const Value& x, double* log_prob) {
  if (dist.is(Tag::Dist)) {
    const auto* d = dist.as<Dist>();
    if (!d->type->log_prob) {
      failure_ = {Code::R011, Severity::Error,
                  {},         fmt::format("{} cannot be observed", d->type->name),
                  "",         {}};
      return false;
    }
    *log_prob = d->type->log_prob(cx_, d, x);
    if (cx_.ok()) return true;
    take_failure();
    return false;
  }
  Value out;
  if (!call_score(dist, x, &out)) return false;
  *log_prob = to_double(out);
  return true;
}

bool Machine::call_score(const Value& dist, const Value& x, Value* out) {
  const auto* type = dist.as<Record>()->type;
  const auto it = type->methods.find(intern("observe*"));
  if (it == type->methods.end()) {
    failure_ = {
        Code::R011,
        Severity::Error,
        {},
        fmt::format("{} has no observe* method, so it cannot be observed", type->name->full),
        "",
        {}};
    return false;
  }
  const MayDraw here(cx_, &stream);
  const std::uint64_t drawn = stream.drawn();
  Value args[2] = {dist, x};
  if (!call_method(globals[it->second], args, 2, out, cx_.symbolic != nullptr)) return false;
  if (stream.drawn() != drawn) {
    failure_ = {
        Code::R014,
        Severity::Error,
        {},
        fmt::format("observe* of {} draws, so the score of a value is another one each time",
                    type->name->full),
        "leave out observe* if the distribution is only sampled; its values are then drawn "
        "again. Or use importance, smc, pimh, pgibbs, ipmcmc or pcascade",
        {}};
    return false;
  }
  if (out->is_number() || out->is(Tag::Node)) return true;
  failure_ = {
      Code::R001,
      Severity::Error,
      {},
      fmt::format("observe* of {} must give a number, got {}", type->name->full, describe(*out)),
      "",
      {}};
  return false;
}

void Machine::freeze_callers(Stack& stack, Call* top, Value* base) {
  for (Call* c = stack.calls.get(); c < top; ++c) {
    const Value* next = c + 1 < top ? (c + 1)->base : base;
    stack.below = freeze(arena_, stack.below, c->code, c->pc, c->dst, c->kind, c->base - 1,
                         static_cast<std::uint32_t>(next - c->base));
  }
}

bool Machine::draw_outputs(Value* result) {
  const Value drawn = cx_.symbolic->pin(cx_, *result);
  if (!cx_.ok()) return false;
  *result = drawn;
  std::vector<std::pair<Predicts*, Value>> outputs;
  std::size_t changed = 0;  // up to here
  for (Predicts* p = predicts_; p; p = p->previous) {
    outputs.emplace_back(p, cx_.symbolic->pin(cx_, p->value));
    if (!cx_.ok()) return false;
    const Value& now = outputs.back().second;
    if (now.tag != p->value.tag || now.bits != p->value.bits) changed = outputs.size();
  }
  if (changed == 0) return true;
  Predicts* rest = outputs[changed - 1].first->previous;
  for (std::size_t i = changed; i-- > 0;) {
    auto* p = arena_.make<Predicts>(Tag::Predicts);
    p->previous = rest;
    p->label = outputs[i].first->label;
    p->value = outputs[i].second;
    rest = p;
  }
  predicts_ = rest;
  return true;
}

void Machine::collect_run(Execution& execution, Checkpoint& stop) {
  first_draw_.held = false;
  arena_.collect_since(run_mark_, [&](Evacuator& e) {
    execution.visit(e);
    e.visit(stop.dist);
    e.visit(stop.value);
    e.visit(stop.id);
  });
}

std::unique_ptr<Executor> make_interpreter(Image& image, Heap& heap, Run* run, World* world,
                                           int nesting) {
  auto machine = std::make_unique<Machine>(*image.program, image.globals.data(), heap, true);
  machine->set_run(run);
  machine->first_world = world;
  machine->context().nesting = nesting;
  return machine;
}

void Machine::collect(Stack& stack, Value* live_end, bool nested) {
  alarm_ = false;
  if (nested ||
      nesting_ > 0) {  // values of the outer run are on the C++ stack: wait until it is back
    arena_.set_alarm(&alarm_, nursery_);
    return;
  }
  const RootVisitor roots = [&](Evacuator& e) {
    for (Value* v = stack.slots.get(); v < live_end; ++v) e.visit(*v);
    e.visit(stack.below);
    if (cx_.world) e.visit(cx_.world);
    e.visit(predicts_);
    e.visit(failure_payload_);
    if (extra_roots) extra_roots(e);
  };
  first_draw_.held = false;  // its values would have to move
  if (young_is_run_) {
    young_is_run_ = false;
    young_mark_ = run_mark_;
    major_at_ = 4 * nursery_;
  }
  arena_.collect_since(young_mark_, roots);
  if (arena_.allocated_since(young_mark_) > nursery_ / 2)
    young_mark_ = arena_.mark();  // they live: leave them
  if (arena_.allocated_since(run_mark_) > major_at_) {
    arena_.collect_since(run_mark_, roots);
    young_mark_ = arena_.mark();
    major_at_ = std::max(4 * nursery_, 2 * arena_.allocated_since(run_mark_));
  }
  arena_.set_alarm(&alarm_, nursery_);
}

void Machine::take_failure() {
  cx_.status = NativeContext::Status::Ok;
  NativeFailure& f = cx_.failure;
  failure_ = f.whole ? std::move(*f.whole)
                     : Diagnostic{f.code, Severity::Error, {}, f.message, f.hint, {}};
  failure_payload_ = f.payload;
  failure_type_ = f.type;
}

bool Machine::probe_for(const Execution& execution, const Value& dist, const Value& x,
                        double* log_prob) {
  cx_.world = execution.world;
  probing_ = true;
  const bool ok = score(dist, x, log_prob);
  probing_ = false;
  if (!ok) *log_prob = NAN;
  return ok || !is_limit(failure_.code);
}

void Machine::spend_work(std::uint64_t applications) {
  if (work_left_ != kAnyWork) work_left_ -= std::min(work_left_, applications);
}

HotCode* Machine::hot_code() const {
  if (probing_ || work_left_ != kAnyWork) return nullptr;
  const RunLimits* const limits = cx_.run ? cx_.run->limits.get() : nullptr;
  if (limits && (limits->rounds_left >= 0 || limits->max_depth != ~std::uint64_t{0}))
    return nullptr;
  return program.hot_code.get();
}

bool Machine::check_limits() {
  spend_work(kFuel);
  if (work_left_ == 0) {
    cx_.failure = {Code::L002, "this takes too long", "", -1, Value::nil()};
    return false;
  }
  RunLimits* const limits = cx_.run ? cx_.run->limits.get() : nullptr;
  std::optional<Diagnostic> stop = stop_requested(cx_.run);
  if (!stop && limits && limits->rounds_left >= 0 && limits->rounds_left-- == 0) {
    limits->rounds_left = 0;
    stop = {Code::L002, Severity::Error, {}, "a look at the program may not run for so long", "",
            {}};
  }
  if (stop)
    cx_.failure = {stop->code, stop->message, stop->hint, -1, Value::nil()};
  else if (probing_)
    cx_.failure = {Code::R014, "the score of a value that was not drawn takes too long", "", -1,
                   Value::nil()};
  return !stop && !probing_;
}

// --- layouts of this room ---

void register_frame_scanners() {
  static const bool once = [] {
    register_scanner(Tag::Frame, [](Object* o, Evacuator& e) {
      auto* f = static_cast<Frame*>(o);
      e.visit(f->below);
      for (std::uint32_t i = 0; i < f->count; ++i) e.visit(f->slots[i]);
    });
    register_scanner(Tag::Row, [](Object* o, Evacuator& e) {
      auto* r = static_cast<Row*>(o);
      e.visit(r->common);
      for (std::uint32_t i = 0; i < r->aux; ++i) e.visit(r->values[i]);
      for (std::uint32_t i = 0; i < r->common->point->pointers; ++i) e.visit(r->pointers()[i]);
    });
    register_scanner(Tag::Common, [](Object* o, Evacuator& e) {
      auto* c = static_cast<Common*>(o);
      for (std::uint64_t i = 0; i < c->count; ++i) e.visit(c->values[i]);
    });
    register_scanner(Tag::Predicts, [](Object* o, Evacuator& e) {
      auto* p = static_cast<Predicts*>(o);
      e.visit(p->previous);
      e.visit(p->label);
      e.visit(p->value);
    });
    return true;
  }();
  (void)once;
}

}  // namespace chancel
