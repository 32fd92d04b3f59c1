// SPDX-License-Identifier: Apache-2.0
// Programs that delayed sampling sums out, with their answers in closed form.
#pragma once
#include <map>
#include <string>
#include <vector>

namespace delayed {

struct Moments {
  double mean = 0;
  double variance = 0;
};
struct Answer {
  const char* name = "";
  std::string program = {};  // one query
  double log_evidence = 0;
  std::map<std::string, Moments> predicts = {};  // of the posterior
};

const std::vector<Answer>& answers();

}  // namespace delayed
