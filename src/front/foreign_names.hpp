// SPDX-License-Identifier: Apache-2.0
// Names that people bring along from Stan, PyMC and NumPy.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace chancel::front {

// A hint for an unbound name that is another system's word for one of the candidates, or one of them
// in another spelling: gaussian, half_normal, pm.HalfNormal, normal_lpdf. Empty: it is none.
std::string foreign_name_hint(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace chancel::front
