// SPDX-License-Identifier: Apache-2.0
#include "paper/problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "paper/directives.hpp"
#include "paper/texts.hpp"

namespace chancel::paper {
namespace {

Problem from_file(std::string name, std::string title, std::string file,
                  std::vector<std::string> labels, Law law) {
  std::string program = text_of(file);
  return {std::move(name),    std::move(title),  std::move(file),
          std::move(program), std::move(labels), std::move(law)};
}

std::vector<std::string> state_labels() {
  std::vector<std::string> out;
  for (int i = 0; i <= 16; ++i) out.push_back(fmt::format("(get-state {})", i));
  return out;
}

}  // namespace

const char* Problem::distance() const {
  return law.normal ? "KS" : law.rows.size() > 1 ? "KL*" : "KL";
}
const char* Problem::distance_unit() const {
  return law.normal ? "largest CDF difference" : "nats";
}

Problem hmm_problem() {
  return from_file("hmm", "HMM", "models/hmm/hmm.clj", {":states"}, hmm_law(hmm_data()));
}
Problem mixture_problem() {
  return from_file("dp-mixture", "DP mixture", "models/dp-mixture/dp-mixture.clj",
                   {":num-clusters"}, mixture_law({}).law);
}
Problem branching_problem() {
  return from_file("branching", "Branching", "models/branching/branching.clj", {":r"},
                   branching_law(false));
}
Problem marsaglia_problem() {
  return from_file("marsaglia", "Marsaglia", "models/marsaglia/marsaglia.clj", {":mu"},
                   marsaglia_law());
}
std::vector<Problem> paper_problems() {
  return {hmm_problem(), mixture_problem(), branching_problem(), marsaglia_problem()};
}

Problem original_hmm() {
  return from_file("hmm", "HMM", "models/hmm/hmm.vnt", state_labels(), hmm_law(hmm_data()));
}
Problem original_mixture() {
  const MixturePrior literal = {false, 0, 0, 100};
  return from_file("dp-mixture", "DP mixture", "models/dp-mixture/dp-mixture.vnt", {"(K)"},
                   mixture_law(literal).law);
}
Problem original_branching() {
  return from_file("branching", "Branching", "models/branching/branching.vnt", {"r"},
                   branching_law(true));
}
Problem original_marsaglia() {
  return from_file("marsaglia", "Marsaglia", "models/marsaglia/marsaglia.vnt", {"mu"},
                   marsaglia_law());
}

std::vector<Problem> prior_problems() {
  std::vector<Problem> out = {original_hmm(), original_mixture(), original_branching(),
                              original_marsaglia()};
  out[0].law = hmm_prior_law();
  out[1].law = mixture_prior_law();
  out[2].law = branching_prior_law();
  out[3].law = marsaglia_prior_law();
  for (Problem& p : out) p.program = without_observes(p.program);
  return out;
}

Problem two_state_problem(bool prior) {
  Law law;
  law.rows = {{0.5, 0.5}};
  law.log_evidence = prior ? 0 : std::log(0.75 * 0.25);
  Problem out = from_file("two-state", "Two states", "models/two-state/two-state.clj", {":s"}, law);
  if (prior) {
    out.program = replaced(out.program, "(observe (flip (if s 0.25 0.75)) true)", "");
    out.program = replaced(out.program, "(observe (flip (if s 0.75 0.25)) true)", "");
  }
  return out;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos)
    throw std::logic_error("no '" + std::string(from) + "' in the program");
  return text.replace(at, from.size(), to);
}

}  // namespace chancel::paper
