// SPDX-License-Identifier: Apache-2.0
// Work on the draws of a context's world, written back when the outermost work is done. (Functions of
// the library that are called on the way ask again.)
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
