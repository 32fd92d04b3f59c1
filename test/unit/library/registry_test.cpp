// SPDX-License-Identifier: Apache-2.0
// Rules that every native of the library obeys, whatever it does.
#include <set>

#include "calls.hpp"
#include "library/prelude_text.hpp"

namespace chancel {
namespace {

TEST(PrimitivesRegistry, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const NativeDef* def : all_natives()) {
    EXPECT_TRUE(names.insert(def->name).second) << def->name;
    EXPECT_EQ(find_native(def->name), def);
  }
  EXPECT_GT(names.size(), 350u);
  EXPECT_EQ(find_native("no-such-function"), nullptr);
}

TEST(PrimitivesRegistry, EveryNativeIsDocumented) {
  for (const NativeDef* def : all_natives()) {
    const std::string_view signature = def->signature;
    const std::string_view doc = def->doc;
    EXPECT_TRUE(signature.starts_with('[') && signature.ends_with(']')) << def->name;
    EXPECT_TRUE(doc.ends_with('.')) << def->name;
    EXPECT_TRUE(def->max_args == -1 || def->min_args <= def->max_args) << def->name;
  }
}

TEST(PrimitivesRegistry, PreludeNamesDifferFromNatives) {
  std::size_t definitions = 0;
  for (const PreludeFile& file : prelude_files()) {
    for (std::size_t at = file.text.find("\n(def"); at != std::string_view::npos;
         at = file.text.find("\n(def", at + 1)) {
      const std::size_t from = file.text.find(' ', at) + 1;
      const std::string_view name =
          file.text.substr(from, file.text.find_first_of(" \n", from) - from);
      EXPECT_EQ(find_native(name), nullptr) << name << " in " << file.name;
      ++definitions;
    }
  }
  EXPECT_GT(definitions, 150u);
}

// No native may crash on values it does not expect: every one is called with arguments of all
// kinds.
class PrimitivesAbuse : public PrimitivesTest {};

TEST_F(PrimitivesAbuse, StrangeArgumentsFailCleanly) {
  const Values strange = {nil(),
                          b(true),
                          i(-3),
                          i(2),
                          d(2.5),
                          d(NAN),
                          ch('x'),
                          kw("k"),
                          s("text"),
                          s(""),
                          Value::empty_list(),
                          list({i(1), kw("a")}),
                          v({}),
                          v({i(1), d(2), i(3)}),
                          v({v({i(1), i(2)}), v({i(3), i(4)})}),
                          v({v({i(1)}), i(2)}),
                          m({}),
                          m({kw("a"), i(1)}),
                          fn("+"),
                          unrealised(),
                          value("range", {i(3)}),
                          value("set", {v({i(1)})})};
  const std::set<std::string_view> internal = {"%vector-nth", "%reverse-list",
                                               "%reverse-list-or-nil"};
  std::size_t calls = 0;
  for (const NativeDef* def : all_natives()) {
    if (internal.contains(def->name) || (def->flags & kTopLevelOnly)) continue;
    const std::string_view name = def->name;
    if (name == "%capture-begin" || name == "%capture-end") continue;
    for (int n = def->min_args;
         n <= std::min<int>(def->max_args < 0 ? def->min_args + 2 : def->max_args, 3); ++n) {
      for (std::size_t k = 0; k < strange.size(); ++k) {
        for (std::size_t l = 0; l < (n > 1 ? strange.size() : 1); ++l) {
          Values args = {strange[k], strange[l], strange[(k + l) % strange.size()]};
          args.resize(static_cast<std::size_t>(n));
          const Outcome out = run(name, args);
          if (out.status == NativeContext::Status::Failed) {
            EXPECT_FALSE(out.failure.message.empty()) << name;
            EXPECT_LT(out.failure.argument, std::max(n, 1)) << name << ": " << out.failure.message;
          }
          ++calls;
        }
      }
    }
  }
  EXPECT_GT(calls, 50000u);
}

}  // namespace
}  // namespace chancel
