// SPDX-License-Identifier: Apache-2.0
// The program, line by line, with what happened there in its margin: mean effective sample size at
// its observes, and the columns of a profile.
#pragma once
#include <string>

#include "page/run_data.hpp"

namespace chancel::page {

std::string program_html(const std::string& name, const std::string& source,
                         const Barriers& barriers, double particles, const Profile& profile);

}  // namespace chancel::page
