// SPDX-License-Identifier: Apache-2.0
// Promises of machine and heap (docs/decisions 002 and 003): a fork costs the same at any depth,
// forks do not see each other, memory is flat over sweeps, collection at any barrier changes
// nothing.
#include <gtest/gtest.h>

#include "engines/registry.hpp"
#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/host_values.hpp"
#include "value/print.hpp"

namespace {

using namespace chancel;

struct Fixture {
  Session session{std::size_t{2} << 30, 1, make_doqueries};
  LoadResult loaded;
  RunSetup setup;
  std::unique_ptr<RunHost> host;

  explicit Fixture(const std::string& text, const std::string& value = "nil") {
    EXPECT_TRUE(session.load(text, "test.clj", std::nullopt, LoadMode::Definitions, &loaded));
    for (const Diagnostic& d : session.diagnostics().list())
      ADD_FAILURE() << render(d, session.program()->sources);
    setup = *setup_run(session, loaded.queries.back(), read_value(session, value, "value"),
                       StreamName{5});
    host = std::make_unique<RunHost>(session, setup.image);
    setup.run = host->run();
  }
};

// Bytes that resuming one observe costs when the stack below it is `depth` deep.
std::size_t bytes_per_resume(int depth) {
  Fixture f(
      "(defm down [n] (if (= n 0) (do (observe (normal 0 1) 1) (observe (normal 0 1) 2) 0) (+ 1 "
      "(down (dec n)))))"
      "(defquery q [n] (down n))",
      "[" + std::to_string(depth) + "]");
  Heap heap;
  Machine m(*f.setup.image->program, f.setup.image->globals.data(), heap, true);
  m.wants = {false, true};
  Execution e = m.start(f.setup.query, &f.setup.argument, 1);
  EXPECT_EQ(m.resume(e, Value::nil()).kind, Stop::Observe);
  Execution fork = e;  // this is a fork
  const Arena::Mark mark = m.arena().mark();
  EXPECT_EQ(m.resume(fork, Value::nil()).kind, Stop::Observe);
  const std::size_t bytes = m.arena().allocated_since(mark);
  const Checkpoint end = m.resume(e, Value::nil());
  EXPECT_EQ(end.kind, Stop::Observe);
  const Checkpoint result = m.resume(e, Value::nil());
  EXPECT_EQ(result.kind, Stop::Result);
  EXPECT_EQ(show(result.value), std::to_string(depth));
  return bytes;
}

TEST(Machine, a_fork_costs_the_same_at_any_depth) {
  const std::size_t shallow = bytes_per_resume(10);
  EXPECT_EQ(bytes_per_resume(1000), shallow);
  EXPECT_EQ(bytes_per_resume(200000), shallow);
  EXPECT_LT(shallow, 1000u);
}

TEST(Machine, forks_do_not_see_each_other) {
  Fixture f(
      "(defquery q (let [a (atom 0) f (mem (fn [k] (sample (discrete [1 1 1 1]))))]"
      "  (swap! a + (sample (discrete [1 1 1 1]))) (store :k (f 1)) (f 2) [(deref a) (retrieve :k) "
      "(f 1) (f 2)]))");
  Heap heap;
  Machine m(*f.setup.image->program, f.setup.image->globals.data(), heap, true);
  m.wants = {true, true};
  Execution e = m.start(f.setup.query, &f.setup.argument, 1);
  ASSERT_EQ(m.resume(e, Value::nil()).kind, Stop::Sample);
  Execution other = e;
  const auto finish = [&](Execution x, std::int64_t answer) {
    Checkpoint stop = m.resume(x, Value::integer(answer));
    while (stop.kind == Stop::Sample) stop = m.resume(x, Value::integer(++answer));
    return show(stop.value);
  };
  EXPECT_EQ(finish(e, 0), "[0 1 1 2]");
  EXPECT_EQ(finish(other, 5), "[5 6 6 7]");
  EXPECT_EQ(finish(e, 0), "[0 1 1 2]");
}

TEST(Machine, a_collection_at_every_checkpoint_changes_nothing) {
  Fixture f(
      "(defquery q (let [m (reduce (fn [m i] (observe (normal i 1) 0)"
      "  (assoc m i (conj (get m (dec i) []) (sample (normal 0 1))))) {} (range 60))"
      "  s (apply + (map count (vals m)))] [s (count m) (str (get m 59))]))");
  const auto run = [&](bool collect) {
    Heap heap;
    Machine m(*f.setup.image->program, f.setup.image->globals.data(), heap, true);
    m.wants = {false, true};
    m.stream.reset(StreamName{9}, 0, 0);
    Execution e = m.start(f.setup.query, &f.setup.argument, 1);
    Checkpoint stop = m.resume(e, Value::nil());
    while (stop.kind == Stop::Observe) {
      if (collect) heap.collect({&m.arena()}, [&](Evacuator& v) { e.visit(v); });
      stop = m.resume(e, Value::nil());
    }
    EXPECT_EQ(stop.kind, Stop::Result);
    return show(stop.value, true, 10000);
  };
  EXPECT_EQ(run(true), run(false));
}

// Runs families of eight from each observe of a query to the next: once every member alone, once
// as siblings. Gives how many started at the first draw of the first one.
int compare_siblings(const std::string& text) {
  Fixture f(text);
  Heap heap;
  Machine m(*f.setup.image->program, f.setup.image->globals.data(), heap, true);
  m.wants = {false, true};
  Execution parent = m.start(f.setup.query, &f.setup.argument, 1);
  int shared = 0;
  for (std::uint32_t barrier = 0; parent.top; ++barrier) {
    const auto show_end = [](const Execution& x, const Checkpoint& stop) {
      return std::to_string(static_cast<int>(stop.kind)) + " " + std::to_string(stop.log_prob) +
             " " + show(stop.value) + " " + std::to_string(x.applications) + " " +
             (x.predicts ? show(x.predicts->value) : "");
    };
    std::vector<std::string> alone;
    Checkpoint stop;
    for (std::uint32_t slot = 0; slot < 8; ++slot) {
      Execution x = parent;
      m.stream.reset(StreamName{3}, slot, barrier);
      m.resume(x, Value::nil(), stop);
      EXPECT_NE(stop.kind, Stop::Failed) << m.failure().message;
      alone.push_back(show_end(x, stop));
    }
    Execution next;
    for (std::uint32_t slot = 0; slot < 8; ++slot) {
      Execution x = parent;
      m.stream.reset(StreamName{3}, slot, barrier);
      if (slot == 0)
        m.resume_first(x, stop);
      else if (m.resume_sibling(x, stop))
        ++shared;
      else
        m.resume(x, Value::nil(), stop);
      EXPECT_EQ(show_end(x, stop), alone[slot]) << "barrier " << barrier << ", slot " << slot;
      if (slot == 5) next = x;
    }
    parent = next;
  }
  return shared;
}

TEST(Machine, siblings_have_the_bits_of_executions_that_run_alone) {
  // Frames, vectors and draws between observes: two of three parts draw, the first and the second.
  EXPECT_EQ(compare_siblings("(defquery q (reduce (fn [xs y] (let [x (sample (normal (peek xs) 1))]"
                             " (observe (normal x 1) y) (conj xs x))) [0.0] [1 2]))"),
            14);
  // What an execution remembers, before and after the draw.
  EXPECT_EQ(
      compare_siblings("(defquery q (let [a (atom 0) f (mem (fn [k] (sample (discrete [1 1 1]))))]"
                       "  (observe (flip 0.5) true) (swap! a inc) (store :k 7) (predict :k @a)"
                       "  (swap! a + (f 1)) (store :l (f 2)) (predict :l [@a (retrieve :k) (f 1)])"
                       "  (observe (flip 0.5) true) [@a (f 3) (retrieve :l)]))"),
      14);
  // A handler between the observe and the draw, and one that is thrown through.
  EXPECT_EQ(compare_siblings(
                "(defquery q (catch :out (do (observe (flip 0.5) true)"
                "  (+ 1 (catch :in (if (sample (flip 0.5)) (throw :out 5) (throw :in 6)))))))"),
            7);
  // A distribution of the program's own.
  EXPECT_EQ(compare_siblings("(defdist coin [p] [d (flip p)] (sample* [this] (if (sample* d) 1 0))"
                             "  (observe* [this v] (observe* d (= v 1))))"
                             "(defquery q (observe (coin 0.5) 1) [(sample (coin 0.5)) 1])"),
            7);
  // A function that draws without a checkpoint comes first: nothing can be shared.
  EXPECT_EQ(compare_siblings("(defquery q (observe (flip 0.5) true) [(rand) (sample (flip 0.5))])"),
            0);
  // A stack too deep to be worth copying.
  EXPECT_EQ(compare_siblings("(defm deep [n] (if (= n 0) (sample (discrete [1 1 1]))"
                             "  (+ n (deep (dec n)))))"
                             "(defquery q (observe (flip 0.5) true) (deep 100))"),
            0);
}

struct NullSink final : Sink {
  void draw(const EngineDraw&) override { ++draws; }
  std::size_t draws = 0;
};

TEST(Machine, memory_is_flat_over_sweeps) {
  for (const char* engine : {"smc", "pgibbs"}) {
    Fixture f(
        "(defquery q [ys] (reduce (fn [xs y] (let [x (sample (normal (peek xs) 1))] (observe "
        "(normal x 1) y) (conj xs x))) [0.0] ys))",
        "[[1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]]");
    f.setup.threads = 1;
    const auto peak_after = [&](int sweeps) {
      DiagnosticSink problems;
      auto e =
          make_engine(engine, f.setup, {{"number-of-particles", Value::integer(200)}}, problems);
      NullSink sink;
      for (int s = 0; s < sweeps; ++s) EXPECT_TRUE(e->step(sink));
      return e->statistics().peak_memory;
    };
    const std::size_t some = peak_after(100);
    EXPECT_LE(peak_after(1000), some + (std::size_t{4} << 20)) << engine;
  }
}

}  // namespace
