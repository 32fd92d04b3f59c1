// SPDX-License-Identifier: Apache-2.0
// When a run leaves the straight way: failures with their call stack of spans, exceptions and their
// handlers (try), tagged non-local exits (catch/throw). Handlers are found by walking the callers,
// on the stack first and then frozen; the cost is the depth that is unwound.
#include "fmt/format.h"
#include "value/classes.hpp"
#include "value/collections.hpp"
#include "value/equality.hpp"
#include "value/print.hpp"
#include "vm/machine.hpp"
#include "vm/machine_parts.hpp"
#include "vm/row.hpp"
#include "vm/stop.hpp"

namespace chancel {

namespace {

constexpr std::size_t kMaxStackNotes = 12;

Span span_at(const CodeBlock* code, const Instr* pc) {
  const auto index = static_cast<std::size_t>(pc - code->instrs.data());
  return index < code->spans.size() ? code->spans[index] : Span{};
}

Span argument_span(const CodeBlock* code, const Instr* pc, int argument) {
  const auto index = static_cast<std::uint32_t>(pc - code->instrs.data());
  for (const auto& entry : code->argument_spans)
    if (entry.pc == index && argument >= 0 &&
        static_cast<std::size_t>(argument) < entry.spans.size())
      return entry.spans[static_cast<std::size_t>(argument)];
  return {};
}

bool handles(FrameKind kind, const Instr* pc, const Value* base) {
  if (kind != FrameKind::Try && kind != FrameKind::Handler) return false;
  const std::uint16_t b = pc[-1].b;
  const bool handler = kind == FrameKind::Try && !base[b + 1].is_nil();
  return handler || !base[b + 2].is_nil();
}

}  // namespace

Span Machine::place_of(const Execution& execution) const {
  if (execution.top && execution.top->tag == Tag::Row) {
    const ResumePoint& p = *static_cast<const Row*>(execution.top)->common->point;
    for (auto f = p.frames.rbegin(); f != p.frames.rend(); ++f) {
      const Span span = span_at(f->code, f->pc - 1);
      if (span.known() && !program.is_library_file(span.file)) return span;
    }
    return {};
  }
  for (const auto* f = static_cast<const Frame*>(execution.top); f; f = f->below) {
    const Span span = span_at(f->code, f->pc - 1);
    if (span.known() && !program.is_library_file(span.file)) return span;
  }
  return {};
}

void Machine::fail_at(const CodeBlock* code, const Instr* pc, Stack& stack, Value*) {
  NativeFailure& f = cx_.failure;
  if (f.whole) {
    failure_ = std::move(*f.whole);
    f.whole.reset();
    failure_payload_ = Value::nil();
    failure_type_ = nullptr;
    return;
  }
  struct Place {
    Span span;
    const Name* function;
  };
  std::vector<Place> places;
  Span first_span = argument_span(code, pc, f.argument);
  if (!first_span.known()) first_span = span_at(code, pc);
  places.push_back({first_span, code->proto->name});
  std::size_t frames = 0;
  for (Call* c = stack.call_top; c > stack.calls.get() && frames < 200; ++frames) {
    --c;
    places.push_back({span_at(c->code, c->pc - 1), c->code->proto->name});
  }
  for (const Frame* fr = stack.below; fr && frames < 200; fr = fr->below, ++frames)
    places.push_back({span_at(fr->code, fr->pc - 1), fr->code->proto->name});

  // The message points at the innermost place in the user's own text; library frames are passed
  // over.
  std::size_t primary = 0;
  while (primary < places.size() &&
         (!places[primary].span.known() || program.is_library_file(places[primary].span.file)))
    ++primary;
  failure_ = {f.code,    Severity::Error, primary < places.size() ? places[primary].span : Span{},
              f.message, f.hint,          {}};
  const Name* inside = primary < places.size() ? places[primary].function : nullptr;
  for (std::size_t i = primary + 1; i < places.size() && failure_.notes.size() < kMaxStackNotes;
       ++i) {
    const Place& p = places[i];
    if (!p.span.known() || program.is_library_file(p.span.file)) continue;
    if (!failure_.notes.empty() && failure_.notes.back().span == p.span) continue;
    failure_.notes.push_back({p.span, inside ? fmt::format("in {}, called from here", inside->full)
                                             : "called from here"});
    inside = p.function;
  }
  failure_payload_ = f.payload;
  failure_type_ = f.type;
}

void Machine::fail_where_thrown(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base) {
  std::optional<Diagnostic> stopped = within_memory([] { throw; });
  cx_.status = NativeContext::Status::Ok;
  if (stopped->span.known()) {
    failure_ = std::move(*stopped);
    return;
  }
  cx_.failure = {stopped->code, stopped->message, stopped->hint, -1, Value::nil()};
  const Instr* const first = code->instrs.data();
  fail_at(code, pc > first ? pc - 1 : first, stack, base);
}

void Machine::note_at(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base) {
  const Diagnostic before = std::move(failure_);
  const Value payload = failure_payload_;
  fail_at(code, pc, stack, base);
  failure_.severity = Severity::Warning;
  failure_.notes.clear();
  if (HostServices* const services = services_of(cx_.run)) services->note(std::move(failure_));
  failure_ = before;
  failure_payload_ = payload;
}

void Machine::fail_with_exception(const CodeBlock* code, const Instr* pc, Stack& stack, Value* base,
                                  const Value& exception) {
  if (exception.is(Tag::Exception)) {
    const auto* e = exception.as<Exception>();
    if (e->code != Exception::kThrown) {
      // A failure of ours that came through a handler again: keep its code, message and place.
      cx_.failure = {static_cast<Code>(e->code), show(e->message, false, 2000), "", -1, e->data};
      fail_at(code, pc, stack, base);
      const Span first{e->file, e->begin, e->end};
      if (first.known()) {
        if (failure_.span.known() && !(failure_.span == first))
          failure_.notes.insert(failure_.notes.begin(), {failure_.span, "thrown again here"});
        failure_.span = first;
      }
      return;
    } else {
      std::string text = show(e->message, false, 2000);
      if (!e->data.is_nil()) text += " " + show(e->data, true, 500);
      cx_.failure = {Code::R016, std::move(text), "", -1, e->data};
    }
  } else {
    cx_.failure = {Code::R016, "thrown: " + show(exception), "", -1, exception};
  }
  fail_at(code, pc, stack, base);
}

Value Machine::exception_value() {
  const Value message = make_string(arena_, failure_.message);
  auto* e = arena_.make<Exception>(Tag::Exception);
  e->code = static_cast<std::uint64_t>(failure_.code);
  e->type = failure_type_ ? intern(failure_type_) : class_of_code(failure_.code);
  e->file = failure_.span.file;
  e->begin = failure_.span.begin;
  e->end = failure_.span.end;
  e->unused = 0;
  e->message = message;
  e->data = failure_payload_;
  e->cause = Value::nil();
  failure_type_ = nullptr;
  return Value::object(e);
}

bool Machine::has_handler(const Stack& stack) const {
  for (Call* c = stack.call_top; c > stack.calls.get();) {
    --c;
    if (handles(c->kind, c->pc, c->base)) return true;
  }
  for (const Frame* f = stack.below; f; f = f->below)
    if (handles(f->kind, f->pc, f->slots + 1)) return true;
  return false;
}

void Machine::become(Registers& r, Stack& stack, Frame* frame) {
  Value* bottom = stack.slots.get();
  for (std::uint32_t k = 0; k < frame->count; ++k) bottom[k] = frame->slots[k];
  r.base = bottom + 1;
  r.code = frame->code;
  r.pc = frame->pc;
  r.call_top = stack.calls.get();
  stack.below = frame->below;
}

bool Machine::unwind(Registers& r, Stack& stack, const Value& exception) {
  FrameKind kind = FrameKind::Normal;
  bool found = false;
  while (!found && r.call_top > stack.calls.get()) {
    Call* c = --r.call_top;
    r.base = c->base;
    r.code = c->code;
    r.pc = c->pc;
    r.dst = c->dst;
    kind = c->kind;
    found = handles(kind, r.pc, r.base);
  }
  while (!found && stack.below) {
    Frame* f = stack.below;
    if (handles(f->kind, f->pc, f->slots + 1)) {
      found = true;
      kind = f->kind;
      r.dst = f->dst;
      become(r, stack, f);
    } else {
      stack.below = f->below;
    }
  }
  if (!found) return false;
  const std::uint16_t b = r.pc[-1].b;
  Value* w = r.base + b + 3;
  if (kind == FrameKind::Try && !r.base[b + 1].is_nil()) {
    w[0] = r.base[b + 1];
    w[1] = exception;
    r.count = 1;
    r.kind = FrameKind::Handler;
  } else {
    w[0] = r.base[b + 2];
    r.base[b + 1] = exception;
    r.count = 0;
    r.kind = FrameKind::Rethrow;
  }
  r.window = w;
  return true;
}

bool Machine::unwind_to_tag(Registers& r, Stack& stack, const Value& tag, const Value& value) {
  for (Call* c = r.call_top; c > stack.calls.get();) {
    --c;
    if (c->kind == FrameKind::Catch && equal(c->base[c->pc[-1].b], tag)) {
      r.base = c->base;
      r.code = c->code;
      r.pc = c->pc;
      r.call_top = c;
      r.base[c->dst] = value;
      return true;
    }
  }
  for (Frame* f = stack.below; f; f = f->below) {
    if (f->kind == FrameKind::Catch && equal(f->slots[1 + f->pc[-1].b], tag)) {
      const Value kept = value;
      become(r, stack, f);
      r.base[f->dst] = kept;
      return true;
    }
  }
  return false;
}

}  // namespace chancel
