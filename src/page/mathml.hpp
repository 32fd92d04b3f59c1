// SPDX-License-Identifier: Apache-2.0
// Formulas of TeX as MathML, which browsers draw without help: what texts on statistics use of TeX.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace chancel::page {

// `block`: a formula of its own, else within a line. Nothing when something in it is not known.
std::optional<std::string> mathml(std::string_view tex, bool block);
// The same, or the TeX itself as code.
std::string formula_html(std::string_view tex, bool block);

}  // namespace chancel::page
