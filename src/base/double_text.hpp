// SPDX-License-Identifier: Apache-2.0
// A double as Clojure's pr writes it: the fewest digits that read back to the same bits, laid out
// as Java's Double.toString does (1.0, 1.0E10, 1.5E-5), and ##Inf, ##-Inf, ##NaN.
#pragma once
#include <string>

namespace chancel {

std::string java_double_text(double value);
void append_java_double(std::string& out, double value);

}  // namespace chancel
