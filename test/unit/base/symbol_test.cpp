// SPDX-License-Identifier: Apache-2.0
// Interning: one pointer per spelling, the split of namespaces, Clojure's hashes, and use from many
// threads.
#include "base/symbol.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace chancel {
namespace {

TEST(Symbol, OnePointerPerSpelling) {
  EXPECT_EQ(intern("map"), intern(std::string("ma") + "p"));
  EXPECT_NE(intern("map"), intern("Map"));
  EXPECT_EQ(intern("clojure.core/map"), intern("clojure.core", "map"));
  EXPECT_EQ(intern("", "map"), intern("map"));
}

TEST(Symbol, SplitsNamespace) {
  EXPECT_EQ(intern("a/b")->ns, "a");
  EXPECT_EQ(intern("a/b")->base, "b");
  EXPECT_EQ(intern("map")->ns, "");
  EXPECT_EQ(intern("map")->base, "map");
  EXPECT_EQ(intern("/")->base, "/");
  EXPECT_EQ(intern("/")->ns, "");
  EXPECT_EQ(intern("clojure.core//")->ns, "clojure.core");
  EXPECT_EQ(intern("clojure.core//")->base, "/");
  EXPECT_EQ(intern("/a")->base, "/a");
  EXPECT_EQ(intern("a/")->base, "a/");
  EXPECT_EQ(intern("")->base, "");
}

TEST(Symbol, HashesAsClojure) {
  auto symbol = [](const char* s) { return static_cast<std::int32_t>(intern(s)->symbol_hash); };
  auto keyword = [](const char* s) { return static_cast<std::int32_t>(intern(s)->keyword_hash); };
  EXPECT_EQ(symbol("a/b"), -1172211204);
  EXPECT_EQ(symbol("map"), -1282745308);
  EXPECT_EQ(symbol("/"), -1371932971);
  EXPECT_EQ(symbol("hello"), 1395506130);
  EXPECT_EQ(symbol("\u00e9"), 1763584775);
  EXPECT_EQ(keyword("a"), -2123407586);
  EXPECT_EQ(keyword("user/abc"), -1211660560);
}

TEST(Symbol, ThreadsAgree) {
  constexpr int kThreads = 4;
  constexpr int kNames = 500;
  std::vector<std::vector<const Name*>> seen(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&seen, t] {
      for (int i = 0; i < kNames; ++i)
        seen[t].push_back(intern("thread-name-" + std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 1; t < kThreads; ++t) EXPECT_EQ(seen[t], seen[0]);
  EXPECT_EQ(seen[0][7]->full, "thread-name-7");
}

}  // namespace
}  // namespace chancel
