// SPDX-License-Identifier: Apache-2.0
// Natives of the host program (chancel/native.hpp) as the language sees them. A NativeFn has no
// room for a closure, so there are kMaxNatives functions made by a template, each with a slot that
// says what it stands for; a slot is free again when its owner goes. Distributions need a slot for
// their constructor only: the object's type leads back to the closures.
#pragma once
#include <memory>
#include <vector>

#include "chancel/native.hpp"
#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {

class HostExtension {
 public:
  virtual ~HostExtension();
  const NativeDef& def() const { return def_; }
  virtual Value call(NativeContext& cx, const Value* args, std::uint32_t count) = 0;

 protected:
  HostExtension();  // takes a slot; throws Error when there is none
  NativeDef def_{};

 private:
  std::size_t slot_;
};

std::unique_ptr<HostExtension> make_extension(const NativeFunction& function);
std::unique_ptr<HostExtension> make_extension(const NativeDistribution& distribution);

}  // namespace chancel
