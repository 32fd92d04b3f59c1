// SPDX-License-Identifier: Apache-2.0
// Decimal texts of doubles as Java's Formatter makes them: the shortest digits that name the
// double, then rounded half up.
#pragma once
#include <string>

namespace chancel {

// All take a finite x >= 0.
std::string decimal_fixed(double x, int precision);       // %f
std::string decimal_scientific(double x, int precision);  // %e
std::string decimal_general(double x, int precision);     // %g

}  // namespace chancel
