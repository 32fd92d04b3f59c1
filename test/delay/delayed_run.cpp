// SPDX-License-Identifier: Apache-2.0
// See delayed_run.hpp.
#include "delayed_run.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace delayed {

Outcome run(const std::string& program, const Setting& setting, std::uint64_t samples,
            std::uint64_t seed, unsigned threads) {
  chancel::Model model = chancel::Model::compile(program);
  chancel::InferOptions options;
  options.algorithm = setting.engine;
  options.engine_options = chancel::read_engine_options(setting.options);
  options.samples = samples;
  options.seed = seed;
  options.threads = threads;
  Outcome out;
  chancel::Inference inference = model.infer(model.queries().back().name, options);
  while (const chancel::Draw* draw = inference.next()) {
    out.log_weights.push_back(draw->log_weight);
    out.bits += fmt::format("{:016x}", std::bit_cast<std::uint64_t>(draw->log_weight));
    for (const chancel::Predict& p : draw->predicts) {
      out.bits += " " + p.label + " " + p.value.print();
      if (p.value.is_number()) out.predicts[p.label].push_back(p.value.number());
    }
    out.bits += '\n';
  }
  out.log_evidence = inference.statistics().log_evidence.value_or(NAN);
  out.spread = inference.statistics().evidence_spread;
  out.bits += fmt::format("{:016x}\n", std::bit_cast<std::uint64_t>(out.log_evidence));
  return out;
}

}  // namespace delayed
