// SPDX-License-Identifier: Apache-2.0
// See c_source.hpp.
#include "native/c_source.hpp"

#include <fmt/format.h>

#include <limits>

#include "infer/native_tier.hpp"
#include "math/special.hpp"
#include "native/abi_text.hpp"
#include "native/compilation.hpp"
#include "value/collections.hpp"
#include "value/metadata.hpp"

namespace chancel::native {

std::string generated_source(const std::string& piece, std::size_t whole, NativeNeeds needs) {
  constexpr std::size_t kLarge = std::size_t{200} << 10;  // some hundred lines between two observes
  std::string text;
  if (whole > kLarge) text = kLargeSource;
  const std::pair<const char*, bool> kinds[] = {{"STREAMS_GO_ON", needs.streams_go_on},
                                                {"KEYS", needs.keys},
                                                {"BLOCKS", needs.blocks},
                                                {"SOURCE", needs.source}};
  for (const auto& [name, wanted] : kinds)
    text += fmt::format("#define CN_{} {:d}\n", name, wanted);
  const auto tag = [&](const char* name, Tag t) {
    text += fmt::format("#define CN_{} {}\n", name, static_cast<std::uint64_t>(t));
  };
  tag("NIL", Tag::Nil);
  tag("BOOL", Tag::Bool);
  tag("INT", Tag::Int);
  tag("KEYWORD", Tag::Keyword);
  tag("DOUBLE", Tag::Double);
  tag("EMPTY_LIST", Tag::EmptyList);
  tag("BIG_INT", Tag::BigInt);
  tag("FIRST_OBJECT", kFirstObject);
  tag("CLOSURE", Tag::Closure);
  tag("VECTOR", Tag::Vector);
  tag("ARRAY_MAP", Tag::ArrayMap);
  tag("PROCESS", Tag::Process);
  tag("DIST", Tag::Dist);
  tag("PREDICTS", Tag::Predicts);
  tag("ROW", Tag::Row);
  tag("COMMON", Tag::Common);
  text += fmt::format("#define CN_HAS_META {}\n", static_cast<int>(kHasMeta));
  text += fmt::format("#define CN_ARRAY_MAP_LIMIT {}\n", kArrayMapLimit);
  text += fmt::format("#define CN_DRAW_VALUES {}\n", GivenDraws::kValues);
  text += fmt::format("#define CN_LOG_SQRT_TWO_PI ({:a})\n", kLogSqrtTwoPi);
  text += fmt::format("#define CN_LEAST_DRAW ({:a})\n#define CN_LARGEST_DRAW ({:a})\n",
                      std::numeric_limits<double>::min(), std::numeric_limits<double>::max());
  for (const AbiFile& file : abi_files()) text += file.text;
  return text + piece;
}

}  // namespace chancel::native
