// SPDX-License-Identifier: Apache-2.0
// Code that draws nothing, as native code (docs/native.md) and interpreted, against the same in C++ with
// checked arithmetic. CPU time, best of several turns, all in one run.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>

#include "chancel/chancel.hpp"

namespace {

// Through a volatile pointer, so that the compiler does not work them out.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) std::abort();
  return sum;
}
std::int64_t multiplied(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) std::abort();
  return product;
}
std::int64_t fib(std::int64_t n) { return n < 2 ? n : added(fib(added(n, -1)), fib(added(n, -2))); }
double basel(std::int64_t n) {
  double sum = 0;
  for (std::int64_t i = 0; i < n; i = added(i, 1))
    sum += 1.0 / (1.0 + static_cast<double>(multiplied(i, i)));
  return sum;
}
double logistic(std::int64_t n) {
  double x = 0.3;
  for (std::int64_t i = 0; i < n; i = added(i, 1)) x = 3.7 * x * (1.0 - x);
  return x;
}

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double best_of(int turns, const std::function<void()>& work) {
  double best = INFINITY;
  for (int i = 0; i < turns; ++i) {
    const double start = cpu_seconds();
    work();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

struct Case {
  const char* name;
  const char* definition;
  const char* call;
  std::function<double()> by_hand;
};

double run_once(chancel::Script& script, const char* text) {
  double value = 0;
  script.evaluate(text, "bench",
                  [&](const auto& r) { value = std::strtod(r.text.c_str(), nullptr); });
  return value;
}

}  // namespace

int main() {
  using chancel::Tier;
  std::int64_t (*volatile fib_of)(std::int64_t) = fib;
  double (*volatile basel_of)(std::int64_t) = basel;
  double (*volatile logistic_of)(std::int64_t) = logistic;
  const Case cases[] = {
      {"(fib 30)", "(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))", "(fib 30)",
       [&] { return static_cast<double>(fib_of(30)); }},
      {"sum 1/(1+i*i)",
       "(defn basel [n] (loop [i 0 s 0.0] (if (< i n) (recur (inc i) (+ s (/ 1.0 (+ 1.0 (* i "
       "i))))) "
       "s)))",
       "(basel 3000000)", [&] { return basel_of(3000000); }},
      {"logistic map",
       "(defn logistic [n] (loop [i 0 x 0.3] (if (< i n) (recur (inc i) (* (* 3.7 x) (- 1.0 x))) "
       "x)))",
       "(logistic 3000000)", [&] { return logistic_of(3000000); }}};
  fmt::print("CPU ms, best of 5        native    interpreted   by hand     ratio\n");
  bool wrong = false;
  for (const Case& c : cases) {
    double seconds[2] = {};
    for (const Tier tier : {Tier::Native, Tier::Vm}) {
      chancel::CompileOptions options;
      options.tier = tier;
      chancel::Script script(options, 1);
      script.evaluate(c.definition, "bench");
      wrong = wrong || run_once(script, c.call) != c.by_hand();
      seconds[tier == Tier::Vm] = best_of(5, [&] { run_once(script, c.call); });
    }
    volatile double kept = 0;
    const double by_hand = best_of(5, [&] { kept = c.by_hand(); });
    fmt::print("{:<20} {:>10.2f} {:>14.2f} {:>9.2f} {:>9.2f}\n", c.name, 1e3 * seconds[0],
               1e3 * seconds[1], 1e3 * by_hand, seconds[0] / by_hand);
  }
  if (wrong) fmt::print("WRONG: a value differs\n");
  return wrong ? 1 : 0;
}
