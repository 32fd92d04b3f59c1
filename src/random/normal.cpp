// SPDX-License-Identifier: Apache-2.0
// Standard normal draws by the ziggurat of Marsaglia and Tsang (2000), in Doornik's form with
// 53-bit fractions. Chosen over polar and Box-Muller because 98.8 % of the draws cost one word of
// the stream, one multiplication and one comparison. One word gives layer (bits 0-7), sign (bit 8)
// and fraction (bits 11-63), so no bit is used twice. Draws come through Stream::next only.
#include <cmath>

#include "math/elementary.hpp"
#include "random/stream.hpp"
#include "random/ziggurat_table.hpp"

namespace chancel {
namespace {

// |x| beyond the base layer's edge r, by Marsaglia's exponential rejection.
double tail(Stream& stream) {
  const double r = ziggurat::kEdge[1];
  for (;;) {
    const double x = -math::log(stream.uniform_open()) / r;
    const double y = -math::log(stream.uniform_open());
    if (y + y > x * x) return r + x;
  }
}

}  // namespace

double Stream::normal() {
  for (;;) {
    const std::uint64_t bits = next();
    const unsigned layer = bits & 255;
    const double sign = (bits & 256) ? -1.0 : 1.0;
    const double x = static_cast<double>(bits >> 11) * 0x1.0p-53 * ziggurat::kEdge[layer];
    if (x < ziggurat::kEdge[layer + 1]) return sign * x;
    if (layer == 0) return sign * tail(*this);
    const double low = ziggurat::kHeight[layer];
    const double high = ziggurat::kHeight[layer + 1];
    if (low + uniform() * (high - low) < math::exp(-0.5 * x * x)) return sign * x;
  }
}

}  // namespace chancel
