// SPDX-License-Identifier: Apache-2.0
// Natives of the host program (chancel/native.hpp) as the language sees them. One function stands
// for all of them; the user pointer of its NativeDef leads to the closure. For distributions that is
// the constructor: the object's type leads back to the others.
#pragma once
#include <memory>
#include <vector>

#include "chancel/native.hpp"
#include "value/dist_object.hpp"
#include "value/native.hpp"

namespace chancel {

class HostExtension {
 public:
  HostExtension(const HostExtension&) = delete;
  HostExtension& operator=(const HostExtension&) = delete;
  virtual ~HostExtension() = default;
  const NativeDef& def() const { return def_; }
  virtual Value call(NativeContext& cx, const Value* args, std::uint32_t count) = 0;

 protected:
  HostExtension();
  NativeDef def_{};
};

std::unique_ptr<HostExtension> make_extension(const NativeFunction& function);
std::unique_ptr<HostExtension> make_extension(const NativeDistribution& distribution);

}  // namespace chancel
