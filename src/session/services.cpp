// SPDX-License-Identifier: Apache-2.0
#include "session/services.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "session/eval.hpp"
#include "session/session.hpp"

namespace chancel {

Services::Services(Session& session, MakeDoqueries make_doqueries)
    : session_(session), doqueries_(make_doqueries ? make_doqueries(session) : nullptr) {}

Value Services::doquery(NativeContext& cx, const Value* args, std::uint32_t count) {
  if (!doqueries_) return cx.fail(Code::F010, "doquery: not available here", 0);
  return doqueries_->doquery(cx, args, count);
}

bool Services::next_of_stream(NativeContext& cx, Value& stream, Value* out) {
  return doqueries_ && doqueries_->next_of_stream(cx, stream, out);
}

Value Services::compile(NativeContext& cx, const Value& form) {
  return compile_form(session_, cx, form, nullptr);
}

Value Services::hoisted(const Value& query, const Value& argument, Arena& arena) {
  return session_.queries().hoisted(query, argument, arena);
}

std::shared_ptr<Image> Services::image(const Value& query, const Value& argument) {
  return session_.images().of(query, argument);
}

void Services::note(Diagnostic what) {
  constexpr std::size_t kMostNotes = 1000;  // a program may make up messages without end
  const std::lock_guard lock(notes_mutex_);
  if (noted_.size() >= kMostNotes) return;
  if (noted_.insert(fmt::format("{} {} {}", what.span.file, what.span.begin, what.message)).second)
    notes_.push_back(std::move(what));
}

std::vector<Diagnostic> Services::take_notes() {
  const std::lock_guard lock(notes_mutex_);
  std::vector<Diagnostic> out;
  out.swap(notes_);
  std::sort(out.begin(), out.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.span.file, a.span.begin, a.message) <
           std::tie(b.span.file, b.span.begin, b.message);
  });
  return out;
}

void Services::form_begins() {
  RunLimits& limits = *session_.run().limits;
  limits.takes_draws = false;
  limits.interrupted_since_ns = 0;
  activity_.draws = 0;
  activity_.engine = nullptr;
  activity_.interrupted = false;
}

bool Services::end_streams() {
  RunLimits& limits = *session_.run().limits;
  if (!limits.ends_streams_first) return false;
  limits.interrupted->store(false, std::memory_order_relaxed);
  limits.interrupted_since_ns = 0;
  limits.takes_draws.store(false, std::memory_order_relaxed);
  activity_.interrupted.store(true, std::memory_order_relaxed);
  return true;
}

}  // namespace chancel
