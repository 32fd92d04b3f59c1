// SPDX-License-Identifier: Apache-2.0
// by_hand renderer|walk|regression-1000: what a competent programmer writes for three programs of
// this folder, with their data read from the programs themselves. The distributions sampled from
// are those of the programs under smc (systematic resampling after every observe, 1000 particles)
// and lmh (one draw a step, proposed from its prior). Prints the CPU nanoseconds of a particle or
// step, and an answer that bench/untuned/run compares with Chancel's: the log evidence, or the
// posterior mean of the slope. Built with -O3 -march=native.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "yardstick/resampling.hpp"

namespace {

using chancel::StreamName;
using chancel::yardstick::Stream;
using chancel::yardstick::Weighting;

constexpr std::size_t kParticles = 1000;
constexpr double kLogRoot2Pi = 0.91893853320467274178;

// The numbers of the vector `name` of a program.
std::vector<double> numbers(const std::string& program, const std::string& name) {
  std::ifstream in(std::string(CHANCEL_SOURCE_DIR) + "/bench/untuned/" + program + ".clj");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::size_t start = text.find("(def " + name + " [");
  if (start == std::string::npos) {
    fmt::print(stderr, "by_hand: no vector {} in {}.clj\n", name, program);
    std::exit(66);
  }
  const std::size_t open = text.find('[', start) + 1;
  std::istringstream words(text.substr(open, text.find(']', open) - open));
  std::vector<double> out;
  for (double x = 0; words >> x;) out.push_back(x);
  return out;
}

double cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

// The log of the mean evidence of sweeps, given their logs.
double log_mean(const std::vector<double>& logs) {
  const double largest = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - largest);
  return largest + std::log(sum / static_cast<double>(logs.size()));
}

struct Answer {
  double ns;
  double value;
};

template <class Sweep>
Answer sweeps(int count, Sweep sweep) {
  Stream stream(StreamName{31}, 0, 0);
  std::vector<double> logs;
  const double start = cpu_ns();
  for (int i = 0; i < count; ++i) logs.push_back(sweep(stream));
  return {(cpu_ns() - start) / (count * static_cast<double>(kParticles)), log_mean(logs)};
}

Answer walk() {
  const std::vector<double> ys = numbers("walk", "ys");
  Weighting w(kParticles);
  std::vector<double> at(kParticles), size(kParticles), next_at(kParticles), next_size(kParticles);
  return sweeps(400, [&](Stream& stream) {
    // gamma(2, 2): a sum of two exponential draws
    for (double& s : size) s = 0.5 * (stream.exponential() + stream.exponential());
    std::fill(at.begin(), at.end(), 0.0);
    double log_evidence = 0;
    for (const double y : ys) {
      for (std::size_t i = 0; i < kParticles; ++i) {
        at[i] += size[i] * stream.normal();
        const double d = (y - at[i]) / 0.5;
        w.log_weights[i] = -0.5 * d * d;
      }
      log_evidence += w.weigh_all() - kLogRoot2Pi - std::log(0.5);
      w.resample_systematically(stream);
      for (std::size_t i = 0; i < kParticles; ++i) {
        next_at[i] = at[w.ancestors[i]];
        next_size[i] = size[w.ancestors[i]];
      }
      at.swap(next_at);
      size.swap(next_size);
    }
    return log_evidence;
  });
}

Answer renderer() {
  constexpr int kSide = 20, kDiscs = 3;
  const std::vector<double> picture = numbers("renderer", "picture");
  Weighting w(kParticles);
  std::vector<double> ink(kParticles), next_ink(kParticles);
  return sweeps(400, [&](Stream& stream) {
    for (std::size_t i = 0; i < kParticles; ++i) {
      double x[kDiscs], y[kDiscs], square[kDiscs];
      for (int d = 0; d < kDiscs; ++d) {
        x[d] = kSide * stream.uniform();
        y[d] = kSide * stream.uniform();
        const double radius = 1 + 4 * stream.uniform();
        square[d] = radius * radius;
      }
      double error = 0, pixels = 0;
      for (int row = 0; row < kSide; ++row) {
        for (int column = 0; column < kSide; ++column) {
          double drawn = 0;
          for (int d = 0; d < kDiscs; ++d) {
            const double dx = column - x[d], dy = row - y[d];
            if (dx * dx + dy * dy < square[d]) {
              drawn = 1;
              break;
            }
          }
          const double difference = drawn - picture[static_cast<std::size_t>(row * kSide + column)];
          error += difference * difference;
          pixels += drawn;
        }
      }
      w.log_weights[i] = error / -8.0;
      ink[i] = pixels;
    }
    const double log_evidence = w.weigh_all();
    w.resample_systematically(stream);
    for (std::size_t i = 0; i < kParticles; ++i) next_ink[i] = ink[w.ancestors[i]];
    ink.swap(next_ink);
    return log_evidence;
  });
}

Answer regression() {
  const std::vector<double> xs = numbers("bars/regression-1000", "xs"),
                            ys = numbers("bars/regression-1000", "ys");
  constexpr int kSteps = 200000, kBurn = 50000;
  const auto n = static_cast<double>(xs.size());
  const auto log_likelihood = [&](double slope, double intercept, double noise) {
    double squares = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      const double d = ys[i] - (intercept + slope * xs[i]);
      squares += d * d;
    }
    return -n * std::log(noise) - 0.5 * squares / (noise * noise);
  };
  Stream stream(StreamName{31}, 0, 0);
  const auto noise_draw = [&] { return 0.5 * (stream.exponential() + stream.exponential()); };
  double slope = 5 * stream.normal(), intercept = 5 * stream.normal(), noise = noise_draw();
  double now = log_likelihood(slope, intercept, noise), mean = 0;
  const double start = cpu_ns();
  for (int step = 0; step < kSteps; ++step) {
    double s = slope, i = intercept, d = noise;
    switch (stream.below(3)) {
      case 0:
        s = 5 * stream.normal();
        break;
      case 1:
        i = 5 * stream.normal();
        break;
      default:
        d = noise_draw();
    }
    const double then = log_likelihood(s, i, d);
    if (std::log(stream.uniform_open()) < then - now) {
      slope = s;
      intercept = i;
      noise = d;
      now = then;
    }
    if (step >= kBurn) mean += slope;
  }
  return {(cpu_ns() - start) / kSteps, mean / (kSteps - kBurn)};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc == 2 ? argv[1] : "";
  Answer answer{};
  if (name == "walk") {
    answer = walk();
  } else if (name == "renderer") {
    answer = renderer();
  } else if (name == "regression-1000") {
    answer = regression();
  } else {
    fmt::print(stderr, "usage: by_hand renderer|walk|regression-1000\n");
    return 64;
  }
  fmt::print("{{\"ns\": {:.3f}, \"answer\": {:.6f}}}\n", answer.ns, answer.value);
  return 0;
}
