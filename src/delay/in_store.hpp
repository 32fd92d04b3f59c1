// SPDX-License-Identifier: Apache-2.0
// Runs work on the delayed draws of a context's world; changes are written back when the outermost
// work is done. (Library functions called by the work may enter again.)
#pragma once
#include "delay/delayed_draws.hpp"

namespace chancel {

template <class F>
auto DelayedDraws::in_store(NativeContext& context, F&& work) {
  struct Leave {
    int& depth;
    ~Leave() { --depth; }
  };
  if (depth_++ == 0) store_.load(context);
  const Leave leave{depth_};
  auto result = work();
  if (depth_ == 1) store_.commit();
  return result;
}

}  // namespace chancel
