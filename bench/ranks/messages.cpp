// SPDX-License-Identifier: Apache-2.0
// What the ranks of one sweep pay beside their particles (docs/cluster.md): a gather of a few bytes, which all
// wait for, one of more, and looking at the sums of all weights. Shows shared memory or the network of the machines it
// runs on, and nothing of the work between two gathers, or of ranks that wait for the slowest.
// Run: mpirun -n 2 messages PATH/libchancel_mpi.so
#include <chrono>
#include <cstdio>

#include "infer/weights.hpp"
#include "ranks/mpi.hpp"
#include "ranks/ranks.hpp"

namespace chancel {
namespace {

template <class Work>
double seconds(int turns, Work&& work) {
  const auto begun = std::chrono::steady_clock::now();
  for (int i = 0; i < turns; ++i) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / turns;
}

int measure(const char* module) {
  std::string problem;
  std::shared_ptr<Transport> transport = join_mpi({module}, &problem);
  if (!transport) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    return 70;
  }
  Ranks ranks(transport);
  double latency = 1, large = 1;  // the best of some rounds: others may use the machine
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  for (int round = 0; round < 10; ++round) {
    latency = std::min(latency, seconds(200, [&] { ranks.all_gather(std::string(30, 'a')); }));
    large = std::min(large, seconds(5, [&] { ranks.all_gather(std::string(kLarge, 'a')); }));
  }
  constexpr std::size_t kParticles = std::size_t{1} << 22;
  Weights weights;
  weights.set(std::vector<double>(kParticles, -1.0));
  double sums = 1;
  for (int round = 0; round < 10; ++round)
    sums = std::min(sums, seconds(10, [&] { weights.finish(-1.0); }));
  if (ranks.first())
    std::printf(
        "%u ranks: a gather takes %.1f us, and %.2f ns more for each byte of a rank; sums take "
        "%.2f ns for 512 "
        "particles\n",
        ranks.size(), latency * 1e6, (large - latency) * 1e9 / kLarge,
        sums * 1e9 / (kParticles / kWeightChunk));
  ranks.leave();
  return 0;
}

}  // namespace
}  // namespace chancel

int main(int count, char** words) { return count == 2 ? chancel::measure(words[1]) : 64; }
