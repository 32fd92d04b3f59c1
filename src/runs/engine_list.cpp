// SPDX-License-Identifier: Apache-2.0
// engines() of the public interface: all engines with their options and documentation.
#include "chancel/chancel.hpp"
#include "engines/registry.hpp"

namespace chancel {

std::vector<EngineInfo> engines() {
  std::vector<EngineInfo> out;
  for (const EngineDef& e : all_engines()) {
    EngineInfo info{e.name, e.summary, e.adapts && !e.adapts_with, {}};
    for (const OptionDef& o : e.options)
      info.options.push_back({o.name, o.type_name(), o.values_text(), o.default_text(), o.doc});
    out.push_back(std::move(info));
  }
  return out;
}

}  // namespace chancel
