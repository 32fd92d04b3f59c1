// SPDX-License-Identifier: Apache-2.0
// See run_case.hpp.
#include "run_case.hpp"

#include "chancel/chancel.hpp"

namespace chancel::fuzz {

namespace {

constexpr std::uint64_t kDraws = 20;

Limits limits_of(const CaseLimits& limits) {
  Limits out;
  out.timeout = limits.seconds;
  out.max_memory = limits.bytes;
  return out;
}

}  // namespace

std::string run_script(const std::string& text, const CaseLimits& limits) {
  CompileOptions options;
  options.limits = limits_of(limits);
  Script script(options, 1);
  script.evaluate(text, "case", [](const Script::Result&) {});
  return {};
}

std::string run_query(const std::string& text, const std::string& engine,
                      const CaseLimits& limits) {
  CompileOptions compile;
  compile.limits = limits_of(limits);
  Model model = Model::compile(text, compile);
  InferOptions infer;
  infer.algorithm = engine;
  infer.samples = kDraws;
  infer.seed = 1;
  infer.threads = 1;
  infer.limits = limits_of(limits);
  std::size_t bytes = 0;
  std::string messages;
  infer.on_warning = [&](const Message& m) { messages += m.text; };
  Inference run = model.infer(model.default_query(), infer);
  while (const Draw* draw = run.next()) {
    bytes += draw->result.print().size();
    for (const Predict& p : draw->predicts) bytes += p.value.print().size();
  }
  return bytes == ~std::size_t{0} ? std::string() : messages;
}

}  // namespace chancel::fuzz
