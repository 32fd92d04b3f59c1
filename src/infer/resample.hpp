// SPDX-License-Identifier: Apache-2.0
// Resampling: from weights to an ancestor for every slot. Four schemes (Douc, Cappe & Moulines
// 2005), all with E[offspring of i] = N w_i; and two for conditional SMC, where slot 0 holds the
// retained particle and keeps itself:
//  - multinomial: the N-1 others are drawn independently from all N (the paper's Algorithm 1);
//  - systematic: Chopin & Singh (2015), Algorithm 4. Plain systematic resampling of the others
//    around a protected particle is wrong (the two-state test detects it).
// Slots are filled in the order of parents (conditional systematic: turned by a cycle), so that
// siblings are neighbours and what they have in common is run once (population.cpp).
// Cost: O(N), one or N uniforms; scratch is kept. Sums are the same bits on any number of threads.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "infer/running_sums.hpp"
#include "random/stream.hpp"

namespace chancel {

enum class Resampling : std::uint8_t { Multinomial, Systematic, Stratified, Residual };
const char* resampling_name(Resampling scheme);
bool find_resampling(std::string_view name, Resampling* out);

// Weights of which only some are known: those of a slice, and of all pieces (running_sums.hpp) that a slice
// has a part of.
struct WeightSlice {
  std::span<const double> weights;     // as many as there are in all
  std::size_t begin, end;              // the slice
  std::span<const double> piece_sums;  // RunningSums::piece() of all pieces
  std::size_t last;                    // of all particles the last one with weight
};

class Resampler {
 public:
  // Fills `ancestors` (one for each weight). Weights need not sum to one; one of them is positive. Threads
  // may share the work; the ancestors are the same.
  void draw(Resampling scheme, std::span<const double> weights, Stream& stream,
            std::span<std::uint32_t> ancestors, const InSlices& in_slices = {});
  // The same with ancestors[0] = 0 fixed; scheme Multinomial or Systematic. weights[0] must be
  // positive.
  void draw_conditional(Resampling scheme, std::span<const double> weights, Stream& stream,
                        std::span<std::uint32_t> ancestors, const InSlices& in_slices = {});
  // Systematic resampling of all, where the offspring of a slice is wanted: fills in those slots, and those of
  // the other particles of its first and last piece.
  void draw_slice(const WeightSlice& slice, Stream& stream, std::span<std::uint32_t> ancestors,
                  const InSlices& in_slices = {});
  // After that: the first slot with offspring of this particle or a later one. The weights of its piece
  // before it are known.
  std::size_t first_child(std::size_t particle, std::span<const double> weights) const;
  // Particles that had offspring in the last draw (of the slice).
  std::uint32_t distinct() const { return distinct_; }

 private:
  // Each fills in ancestors in ascending order.
  void multinomial(std::span<const double> weights, Stream& stream,
                   std::span<std::uint32_t> ancestors);
  void systematic(std::span<const double> weights, double u, std::span<std::uint32_t> ancestors);
  // Of the particles of these pieces, by their cumulated weights.
  void place_points(std::span<std::uint32_t> ancestors, std::size_t first, std::size_t pieces);
  void stratified(std::span<const double> weights, Stream& stream,
                  std::span<std::uint32_t> ancestors);
  void residual(std::span<const double> weights, Stream& stream,
                std::span<std::uint32_t> ancestors);
  void cumulate(std::span<const double> weights);
  double total() const { return starts_.back(); }
  class Window;
  template <class Points>
  void find(double scale, std::span<std::uint32_t> ancestors, const Points& points);
  std::size_t find_in(const Window& window, std::size_t at, double scale,
                      std::span<const double> points, std::uint32_t* ancestors);
  void place(std::span<std::uint32_t> ancestors);

  const InSlices* in_slices_ = nullptr;
  std::span<const double> weights_;       // of the draw at work
  std::vector<double> starts_;            // their sums before each piece, and of all
  std::size_t last_ = 0;                  // particle with weight
  double shift_ = 0;                      // of the points of systematic resampling
  std::vector<double> point_starts_;      // sums of points_ before each piece
  std::vector<double> points_;            // in ascending order, or how far they are apart
  std::vector<double> rest_;              // residual weights
  std::vector<std::uint32_t> offspring_;  // where they are counted
  std::vector<std::uint32_t> ordered_;
  std::uint32_t distinct_ = 0;
};

// One index drawn with probability proportional to the weights (sum > 0).
std::uint32_t draw_index(std::span<const double> weights, double sum, Stream& stream);

}  // namespace chancel
