// SPDX-License-Identifier: Apache-2.0
// The tables of a page: what the draws say, and what to beware of. Plain HTML, so that they can be
// read and copied without scripts.
#pragma once
#include <string>

#include "chancel/summary.hpp"

namespace chancel::page {

std::string summary_html(const Summary& summary);
std::string warnings_html(const std::vector<Advice>& advice);

}  // namespace chancel::page
