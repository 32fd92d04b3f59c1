// SPDX-License-Identifier: Apache-2.0
// See hot_code_compiler.hpp. Machines of several threads share it: what runs is never changed, and what is taken out
// of use stays loaded.
#include "native/hot_code_compiler.hpp"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include "native/c_source.hpp"
#include "native/compilation.hpp"
#include "native/compiler_budget.hpp"
#include "native/emit_c.hpp"
#include "segment/batch_services.hpp"
#include "segment/function_unit.hpp"
#include "segment/passes.hpp"
#include "vm/run_state.hpp"
#include "vm/test_probe.hpp"

namespace chancel::native {

namespace {

constexpr std::uint32_t kHotTicks = 8;  // each is Machine::kFuel applications: a millisecond in all
constexpr std::uint32_t kMostKinds = 3;  // of arguments that one place is compiled for
constexpr std::size_t kMostUnits = 200;  // of a program
constexpr unsigned kMostCompilers = 4;   // at the same time, beside the program
constexpr std::int64_t kCallsBetweenLooks = 1 << 16;
constexpr std::size_t kStackBytes = std::size_t{256} << 10;
constexpr std::size_t kStackReserve = std::size_t{64} << 10;  // for what functions call
constexpr std::size_t kMostBlocks = 256;  // of memory that one call may take: 64 MB
constexpr std::uint32_t kAnyStack = 1u << 30;
// Entering native code costs about as much as ten applications in the interpreter. A unit is judged after some entries.
constexpr std::uint32_t kLeastApplications = 40, kEnoughEntries = 64;

struct Unit {
  explicit Unit(const Value* globals) : parts(globals) {}
  segment::FunctionUnit parts;
  Tables tables;
  std::shared_ptr<Compilation> compilation;
  std::shared_ptr<SharedObject> shared_object;
  std::int64_t (*entry)(cn_batch*, cn_value*) = nullptr;
  std::atomic<std::uint32_t> done{0}, undone{0};
  std::atomic<std::uint64_t> applications{0};  // of those done
  // It costs more than it saves: it is often abandoned, or so short that entering it takes as long as to interpret it.
  bool hopeless() const {
    const std::uint32_t u = undone.load(std::memory_order_relaxed);
    const std::uint32_t d = done.load(std::memory_order_relaxed);
    return (u > 8 && u > d / 8) ||
           (d > kEnoughEntries &&
            applications.load(std::memory_order_relaxed) < std::uint64_t{kLeastApplications} * d);
  }
  bool fits(const Value* registers, const Value* globals) const {
    for (const segment::FunctionUnit::Slot& s : parts.slots) {
      const Value& v = registers[s.reg];
      if (v.tag != s.tag || (s.proto && v.as<Closure>()->function != s.proto)) return false;
    }
    for (const segment::GlobalKind& g : parts.globals) {
      const Value& v = globals[g.index];
      if (v.tag != g.tag) return false;
      if (g.tag == Tag::Closure && v.as<Closure>()->function != g.function) return false;
      if (g.tag == Tag::Native && v.native != g.function) return false;
    }
    return true;
  }
};

struct Place {
  std::uint32_t ticks = 0;
  std::uint32_t kinds = 0;
  std::uint32_t misfits = 0;
  std::uint32_t entered = 0;  // times that a loop has begun here
  bool given_up = false;
  Unit* unit = nullptr;  // the one in use
};

class Hot final : public HotCode {
 public:
  explicit Hot(bool wait) : wait_(wait) {}

  const Instr* loop(const CodeBlock* code, const Instr* head, Value* registers,
                    HotRun& run) override {
    Unit* unit = nullptr;
    {
      const std::unique_lock lock(mutex_, std::try_to_lock);
      if (!lock) return nullptr;
      Place& place = places_[head];
      unit = ready(place, registers, run,
                   [&](Unit& u) { return u.parts.loop(code, head, registers, run.cx); });
      if (!unit) return nullptr;
      // A short loop, in a function that is called often: that is to be compiled.
      if (++place.entered > 64 && place.entered % 64 == 1)
        code->entry_size.store(kAnyStack, std::memory_order_relaxed);
    }
    const std::int64_t at = enter(*unit, registers, run, nullptr);
    return at < 0 ? nullptr : code->instrs.data() + at;
  }

  bool call(const CodeBlock* code, const Value* registers, bool hot, HotRun& run,
            Value* out) override {
    if (code->variadic) {
      code->entry_size.store(code->frame_size, std::memory_order_relaxed);
      return false;
    }
    auto* unit = static_cast<Unit*>(code->hot.load(std::memory_order_acquire));
    if (!unit || unit->hopeless() || !unit->fits(registers, run.globals)) {
      const std::unique_lock lock(mutex_, std::try_to_lock);
      if (!lock) return false;
      Place& place = places_[code->instrs.data() + code->instrs.size()];  // no loop begins there
      if (!hot && !unit) place.ticks += kHotTicks;
      unit = ready(place, registers, run,
                   [&](Unit& u) { return u.parts.function(code, registers, run.cx); });
      code->hot.store(unit, std::memory_order_release);
      code->entry_size.store(unit ? kAnyStack : code->frame_size, std::memory_order_relaxed);
      if (!unit) return false;
    }
    return enter(*unit, const_cast<Value*>(registers), run, out) >= 0;
  }

 private:
  // The unit of a place, once it is hot, compiled, and made for such values.
  template <class Translate>
  Unit* ready(Place& place, const Value* registers, HotRun& run, Translate&& translate) {
    if (place.given_up) return nullptr;
    ++place.ticks;
    if (place.unit && place.unit->hopeless()) {
      place.given_up = true;
      return nullptr;
    }
    if (place.unit && !place.unit->fits(registers, run.globals)) {
      if (++place.misfits < kHotTicks) return nullptr;
      place.misfits = 0;
      place.unit = nullptr;
    }
    if (!place.unit) {
      if (!wait_ && (place.ticks < kHotTicks || Compilation::running_now() >= kMostCompilers))
        return nullptr;
      if (units_.size() >= units_allowed_now()) return nullptr;
      if (place.kinds++ == kMostKinds || units_.size() == kMostUnits) {
        place.given_up = true;
        return nullptr;
      }
      units_.emplace_back(run.globals);
      Unit& unit = units_.back();
      std::vector<segment::Function> functions = translate(unit);
      run.cx.status = NativeContext::Status::Ok;
      if (functions.empty()) {
        place.given_up = true;
        return nullptr;
      }
      for (segment::Function& f : functions) segment::run_passes(f);
      const std::string text = emit_c_unit(functions, unit.tables);
      unit.compilation = Compilation::begin(generated_source(text, text.size()));
      place.unit = &unit;
    }
    return look(place, run);
  }
  // Tests that make everything hot compile everything.
  static std::size_t units_allowed_now() {
    const TestProbe* const probe = TestProbe::of_process;
    if (probe && probe->hot_sooner) return kMostUnits;
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return units_allowed(static_cast<double>(used.tv_sec) +
                         1e-9 * static_cast<double>(used.tv_nsec));
  }
  std::function<bool()> waiting(const HotRun& run) const {
    if (!wait_) return {};
    return [&run] { return !run.cx.run || !stop_requested(run.cx.run); };
  }

  Unit* look(Place& place, const HotRun& run) {
    Unit& unit = *place.unit;
    if (unit.entry) return &unit;
    switch (unit.compilation->look(waiting(run))) {
      case Compilation::State::Running:
        return nullptr;
      case Compilation::State::Failed:
        place.given_up = true;
        return nullptr;
      case Compilation::State::Done:
        break;
    }
    unit.shared_object = unit.compilation->shared_object();
    unit.entry =
        reinterpret_cast<std::int64_t (*)(cn_batch*, cn_value*)>(unit.shared_object->find("entry"));
    if (!unit.entry) place.given_up = true;
    return unit.entry ? &unit : nullptr;
  }

  // What a thread gives to the code that it enters, kept because most of it is large and never read: clearing it would
  // cost more than a short function. Code entered from code that is being run (a native may run executions) has its own.
  struct Given {
    cn_batch batch{};
    bool taken = false;
  };
  static std::int64_t enter(Unit& unit, Value* registers, HotRun& run, Value* out) {
    // Outside the static storage of threads, of which a library that is loaded late (the Python module) gets little.
    static thread_local const std::unique_ptr<Given> given(new (std::nothrow) Given);
    if (!given || given->taken) {
      cn_batch own{};
      return enter(unit, registers, run, out, own);
    }
    struct Taking {
      Taking() { given->taken = true; }
      ~Taking() { given->taken = false; }
    } const taking;
    return enter(unit, registers, run, out, given->batch);
  }

  static std::int64_t enter(Unit& unit, Value* registers, HotRun& run, Value* out, cn_batch& b) {
    b.status = 0;
    segment::fill_services(run.cx, nullptr, &b);
    b.constants = reinterpret_cast<const cn_value*>(unit.tables.constants.data());
    b.pointers = unit.tables.pointers.data();
    b.results = reinterpret_cast<cn_value*>(out);
    b.globals = reinterpret_cast<const cn_value*>(run.globals);
    b.world = run.cx.world;
    b.applications = run.applications;
    b.stack_end = stack_end();
    b.calls_left = kCallsBetweenLooks;
    b.should_stop = should_stop;
    b.alarm = reinterpret_cast<const unsigned char*>(run.alarm);
    b.most_blocks = run.cx.arena->mark().blocks + kMostBlocks;
    World* const world = run.cx.world;
    std::int64_t at = -1;
    try {
      at = unit.entry(&b, reinterpret_cast<cn_value*>(registers));
    } catch (const MemoryLimit&) {  // the interpreter collects while it runs
    }
    run.cx.world = world;
    // Threads may lose counts of each other; an exchange with memory would cost more than a short function.
    const auto add = [](auto& count, std::uint64_t more) {
      using Number = decltype(count.load());
      count.store(static_cast<Number>(count.load(std::memory_order_relaxed) + more),
                  std::memory_order_relaxed);
    };
    add(at < 0 ? unit.undone : unit.done, 1);
    if (at >= 0) add(unit.applications, b.applications - run.applications);
    if (at >= 0) run.applications = b.applications;
    return at;
  }

  // How far down calls may go: not far, and not to the end of the thread's stack.
  static char* stack_end() {
    static thread_local const std::uintptr_t lowest = [] {
      pthread_attr_t attributes;
      void* low = nullptr;
      std::size_t size = 0;
      if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &low, &size);
        pthread_attr_destroy(&attributes);
      }
      return reinterpret_cast<std::uintptr_t>(low) + kStackReserve;
    }();
    auto* const here = static_cast<char*>(__builtin_frame_address(0));
    return std::max(here - kStackBytes, reinterpret_cast<char*>(lowest));
  }

  static int should_stop(cn_batch* b) {
    b->calls_left = kCallsBetweenLooks;
    NativeContext& cx = *static_cast<NativeContext*>(b->self);
    return (cx.run && stop_requested(cx.run).has_value()) ||
           cx.arena->mark().blocks > b->most_blocks;
  }

  const bool wait_;
  std::mutex mutex_;
  std::map<const Instr*, Place> places_;
  std::deque<Unit> units_;
};

}  // namespace

std::shared_ptr<HotCode> make_hot_code(bool wait) {
  if (system_compiler().empty()) return nullptr;
  return std::make_shared<Hot>(wait);
}

}  // namespace chancel::native
