// SPDX-License-Identifier: Apache-2.0
// Programs as cases of the limits oracle: what a case prints is made and thrown away, its messages
// are given back.
#pragma once
#include <string>

#include "limits_oracle.hpp"

namespace chancel::fuzz {

// Every form of the text, as `chancel run` does it.
std::string run_script(const std::string& text, const CaseLimits& limits);
// The query of the text under an engine, every draw as text.
std::string run_query(const std::string& text, const std::string& engine, const CaseLimits& limits);

}  // namespace chancel::fuzz
