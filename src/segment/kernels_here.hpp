// SPDX-License-Identifier: Apache-2.0
// The kernels of generated code as part of the program: evaluate.cpp runs them. What generated code
// knows when it is compiled is asked of the batch here.
#pragma once
#include <limits>

#include "math/special.hpp"
#include "value/collections.hpp"
#include "value/metadata.hpp"

namespace chancel::segment {
namespace kernels {
#define CN_TAG(name, tag) constexpr std::uint64_t CN_##name = static_cast<std::uint64_t>(Tag::tag);
CN_TAG(NIL, Nil)
CN_TAG(BOOL, Bool)
CN_TAG(INT, Int)
CN_TAG(KEYWORD, Keyword)
CN_TAG(DOUBLE, Double)
CN_TAG(EMPTY_LIST, EmptyList)
CN_TAG(BIG_INT, BigInt)
CN_TAG(CLOSURE, Closure)
CN_TAG(VECTOR, Vector)
CN_TAG(ARRAY_MAP, ArrayMap)
CN_TAG(PROCESS, Process)
CN_TAG(DIST, Dist)
CN_TAG(PREDICTS, Predicts)
CN_TAG(ROW, Row)
CN_TAG(COMMON, Common)
#undef CN_TAG
constexpr std::uint64_t CN_FIRST_OBJECT = static_cast<std::uint64_t>(kFirstObject);
}  // namespace kernels
}  // namespace chancel::segment

using namespace chancel::segment::kernels;  // NOLINT: the kernels are C
#define CN_HAS_META chancel::kHasMeta
#define CN_ARRAY_MAP_LIMIT chancel::kArrayMapLimit
#define CN_DRAW_VALUES 4
#define CN_LEAST_DRAW std::numeric_limits<double>::min()
#define CN_LARGEST_DRAW std::numeric_limits<double>::max()
#define CN_STREAMS_GO_ON (b->drawn != nullptr)
#define CN_SOURCE (b->source != nullptr)
#define CN_KEYS 1
#define CN_BLOCKS 1
#define CN_WITH_KERNELS
#include "segment/abi.h"
#include "segment/kernels.h"
