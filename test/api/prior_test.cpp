// SPDX-License-Identifier: Apache-2.0
// InferOptions::prior: the draws of the same program without its observes, bit by bit.
#include <gtest/gtest.h>

#include <string>

#include "chancel/chancel.hpp"

namespace {

using namespace chancel;

InferOptions prior_options() {
  InferOptions o;
  o.prior = true;
  o.samples = 2000;
  o.seed = 5;
  return o;
}

std::string draws_of(const std::string& text, InferOptions o) {
  auto model = Model::compile(text);
  std::string out;
  for (const Draw& d : model.infer("q", o)) {
    out += std::to_string(d.log_weight) + (d.log_weight == 0 ? " " : " WEIGHTED ");
    for (const Predict& p : d.predicts) out += p.label + "=" + p.value.print() + " ";
    out += "\n";
  }
  return out;
}

// Every way in which a program can observe: before the first draw, with a distribution of its own,
// one that is a value, an impossible one, one that has no density, a factor.
std::string program(bool observes) {
  const auto when = [&](const char* form) { return observes ? std::string(form) : std::string(); };
  return "(defdist odd [p] [base (flip p)] (sample* [this] (sample* base))"
         "  (observe* [this x] (if x -1000 (log 0))))"
         "(with-primitive-procedures [odd] (defquery q " +
         when("(observe (flip 0.1) true)") +
         " (let [k (sample (poisson 3)) x (sample (normal k 2)) d (normal x 1)] " +
         when(
             "(observe d 100) (observe (normal x 0.1) k) (observe (flip 1) false)"
             "(observe (odd 0.5) false) (observe (normal x 1) nil) (factor (- x))") +
         " (predict :k k) (predict :x x) (predict :y (sample d)))))";
}

TEST(Prior, HasTheDrawsOfTheProgramWithoutObserves) {
  InferOptions plain = prior_options();
  plain.prior = false;
  plain.algorithm = "importance";
  const std::string without = draws_of(program(false), plain);
  EXPECT_EQ(draws_of(program(true), prior_options()), without);
  EXPECT_EQ(without.find("WEIGHTED"), std::string::npos);
}

TEST(Prior, GivesNeitherWarningNorEvidence) {
  auto model = Model::compile(program(true));
  auto run = model.infer("q", prior_options());
  while (run.next()) {
  }
  EXPECT_EQ(run.statistics().engine, "importance");
  EXPECT_TRUE(run.statistics().warnings.empty());
  EXPECT_FALSE(run.statistics().log_evidence);
  EXPECT_EQ(run.statistics().draws, 2000u);
}

void expect_error(const std::string& text, const InferOptions& o, const std::string& code,
                  const std::string& hint) {
  try {
    draws_of(text, o);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.messages().front().code, code);
    EXPECT_EQ(e.messages().front().hint, hint);
  }
}

TEST(Prior, MustBeProper) {
  expect_error("(defquery q (let [x (sample (flat))] (observe (normal x 1) 0) (predict :x x)))",
               prior_options(), "D003", "--prior needs a proper prior");
}

TEST(Prior, IsDrawnFromByImportanceAlone) {
  InferOptions o = prior_options();
  o.algorithm = "lmh";
  expect_error(program(true), o, "I002", "leave out the engine, or --prior");
}

}  // namespace
