// SPDX-License-Identifier: Apache-2.0
// The interface between programs and C++ functions. A native takes values and gives a value; it
// never throws for a user's mistake: it calls fail() and returns what fail() returns. A native must
// be restartable: when it meets a LazySeq that has not been realised it calls need() and returns;
// the VM realises it and calls the native again with the same arguments. So a native asks for
// everything it needs before it has any effect. Functions that take functions (map, reduce, sort-by
// ...) are written in the language itself, in the prelude; a native that has to call a method of
// the program delegates the call to the VM. Only sample* of a distribution that the program
// defines, and nested inference, run code of the program inside a native. No native runs past the
// limits of its run: a loop whose length depends on the arguments counts its steps with tick(), and
// what grows outside the heap asks room_for() first.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/heap.hpp"
#include "value/value.hpp"

namespace chancel {

class Stream;        // random/stream.hpp
class Machine;       // vm/machine.hpp
class RunWatch;      // value/run_watch.hpp
struct Run;          // vm/run_state.hpp
class SymbolicHook;  // value/symbolic_hook.hpp
struct World;        // value/world.hpp
struct NativeDef;

struct NativeFailure {
  Code code;
  std::string message;
  std::string hint;
  int argument = -1;  // index of the offending argument, or -1
  Value payload = Value::nil();
  const char* type = nullptr;  // the class of the exception; null: what the code says
  // A failure with a place of its own: of a nested inference.
  std::optional<Diagnostic> whole = std::nullopt;
};

// What a native or a distribution may use of its caller. There is no other access to the caller, so
// runs of one process do not see each other. They share tables that a program cannot inspect: names
// (base/symbol.hpp) and tags of distributions (library/names.cpp, at most 65 535 in a process).
class NativeContext {
 public:
  explicit NativeContext(Arena& a) : arena(&a) {}
  Arena* arena;
  Machine* machine = nullptr;         // that runs this call; null while constants are folded
  Run* run = nullptr;                 // limits, output, interrupt, files; null: none of them
  RunWatch* watch = nullptr;          // the same run, as tick() asks it; null: it has no limits
  const NativeDef* callee = nullptr;  // the native that was called last: callee->user is its own
  Stream* stream = nullptr;   // the execution's random stream, for sample* and rand; null: refused
  Stream* scoring = nullptr;  // for a log_prob that is a random estimate
  SymbolicHook* symbolic = nullptr;   // set while values may be nodes
  int nesting = 0;                    // how many runs of other queries this one is inside
  bool notes_hidden = false;          // draws outside sample give a warning
  bool in_query = false;              // inside a query: eager sequences, no files, no clock
  World* world = nullptr;             // what the execution remembers: store, atoms, lazy cells
  std::vector<std::string> captures;  // what with-out-str has caught so far, innermost last

  // Reports a mistake; the run fails at this call. Returns nil for `return cx.fail(...)`.
  Value fail(Code code, std::string message, int argument = -1, std::string hint = {});
  // The same for a failure that knows its place.
  Value fail(Diagnostic whole);
  // The same as an exception of this class (value/classes.def), where the code says another one.
  Value fail_as(const char* type, Code code, std::string message, int argument = -1,
                std::string hint = {});
  // "first: expected a sequence, got 3" style helper; `wanted` as in "a number".
  Value wrong_type(const char* function, int argument, const char* wanted, const Value& got);
  // Reports something that is not a failure: a warning with the place of this call. The VM passes
  // it to the host and calls the native again; take_noted() is then true, once.
  Value note(Code code, std::string message, std::string hint = {});
  bool take_noted() { return std::exchange(noted_, false); }
  void set_noted() { noted_ = true; }
  // Asks the VM to realise this LazySeq (whole: the entire rest of the sequence) and to call the
  // native again.
  Value need(const Value& lazy, bool whole);

  // Lets the VM call this function (a method that the program wrote) with these arguments, at most
  // two, in the native's place: what it samples and observes are checkpoints of the execution.
  Value delegate(const Value& function, const Value* args, std::uint32_t count);
  // `steps` more steps of a loop are done. Throws RunStopped when the run must end.
  void tick(std::uint64_t steps = 1) {
    if (CHANCEL_LIKELY(steps < steps_left_))
      steps_left_ -= steps;
    else
      look();
  }
  // Throws MemoryLimit unless `bytes` more bytes outside the heap fit below its limit.
  void room_for(std::size_t bytes) const { arena->heap().room_for(bytes); }

  bool ok() const { return status == Status::Ok; }
  // NeedDraw: a draw that was put off is wanted now (DelayHook::wanted).
  enum class Status : std::uint8_t { Ok, Failed, NeedOne, NeedAll, NeedDraw, Delegate, Noted };
  Status status = Status::Ok;
  NativeFailure failure;
  Value needed = Value::nil();
  Value delegated[3];  // the function, then its arguments
  std::uint32_t delegated_count = 0;

 private:
  void look();
  bool noted_ = false;
  std::uint64_t steps_left_ = kStepsBetweenLooks;
  static constexpr std::uint64_t kStepsBetweenLooks = 4096;
};

// push_back that holds to the limits of the run: old and new storage must fit when it grows.
template <class T>
void push_within_limits(NativeContext& cx, std::vector<T>& to, const T& item) {
  if (CHANCEL_UNLIKELY(to.size() == to.capacity())) cx.room_for(3 * to.size() * sizeof(T));
  to.push_back(item);
}

using NativeFn = Value (*)(NativeContext& cx, const Value* args, std::uint32_t count);

enum NativeFlags : std::uint8_t {
  kPure = 1,          // same arguments, same value, no effect: may be folded at compile time
  kTopLevelOnly = 2,  // files, environment, clock: refused inside queries
  kWorld = 4,         // reads or writes the execution's world
};

struct NativeDef {
  const char* name;
  std::int16_t min_args;
  std::int16_t max_args;  // -1 = any number
  NativeFn function;
  std::uint8_t flags;
  const char* signature;           // "[coll]" or "[f coll] [f init coll]"
  const char* doc;                 // one sentence for docs and the REPL
  const DistType* dist = nullptr;  // set when the native constructs a distribution
  void* user = nullptr;            // for the function's own use: cx.callee->user
};

}  // namespace chancel
