// SPDX-License-Identifier: Apache-2.0
// A query of a program text with what a run of it needs, for tests of what engines are made of.
#pragma once
#include <gtest/gtest.h>

#include <optional>

#include "runs/doqueries.hpp"
#include "runs/query_stream.hpp"
#include "runs/run_setup.hpp"
#include "session/session.hpp"

namespace chancel {

class SmallQuery {
 public:
  explicit SmallQuery(const char* text) : session_(~std::size_t{0}, 1, make_doqueries) {
    EXPECT_TRUE(session_.load(text, "test", std::nullopt, LoadMode::Definitions, &loaded_));
    const auto query = session_.globals().value(loaded_.queries.front().name);
    host_.emplace(session_, session_.images().of(query.value_or(Value::nil()), Value::nil()));
  }
  // On one thread, without native code.
  RunSetup setup() {
    RunSetup setup = *setup_run(session_, loaded_.queries.front(), std::nullopt, StreamName{1});
    setup.run = host_->run();
    setup.native = NativeUse::Never;
    return setup;
  }

 private:
  Session session_;
  LoadResult loaded_;
  std::optional<RunHost> host_;
};

}  // namespace chancel
