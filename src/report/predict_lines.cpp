// SPDX-License-Identifier: Apache-2.0
// Anglican's own formats: four comment lines, then a line for each predict of each draw. They read
// like
//     :a,1.0,0.0        [:a 1.0 0.0]        [":a",1.0,0.0]
// Numbers are printed as Clojure prints them.
#include "report/predict_lines.hpp"

#include <fmt/format.h>

#include "base/double_text.hpp"
#include "report/json_text.hpp"
#include "report/json_value.hpp"

namespace chancel::report {

void PredictLines::begin(const RunInfo& info) {
  std::string stem = info.program.substr(info.program.find_last_of('/') + 1);
  if (const std::size_t dot = stem.find_last_of('.'); dot != std::string::npos && dot > 0)
    stem.resize(dot);
  const std::string options =
      info.engine_options.empty() ? "" : " " + print_engine_options(info.engine_options);
  const char* format = kind_ == Kind::Anglican  ? "anglican"
                       : kind_ == Kind::Clojure ? "clojure"
                                                : "json";
  output_(
      fmt::format(";; Program: {}/{} {}\n;; Inference algorithm: :{} (:warmup true{})\n"
                  ";; Number of samples: {} (*{}+{})\n;; Output format: :{}\n",
                  stem, info.query, info.value, info.algorithm, options,
                  info.samples.value_or(0) == 0 ? "nil" : std::to_string(*info.samples), info.thin,
                  info.burn.value_or(0), format));
}

void PredictLines::draw(const Draw& draw) {
  line_.clear();
  const std::string log_weight = java_double_text(draw.log_weight);
  for (const auto& [label, value] : draw.predicts) {
    switch (kind_) {
      case Kind::Anglican:
        line_ += label;
        line_ += ',';
        line_ += value.print();
        line_ += ',';
        line_ += log_weight;
        break;
      case Kind::Clojure:
        line_ += '[';
        line_ += label;
        line_ += ' ';
        line_ += value.print();
        line_ += ' ';
        line_ += log_weight;
        line_ += ']';
        break;
      case Kind::JsonLines:
        line_ += '[';
        append_json_string(line_, label_text(label));
        line_ += ',';
        append_json(line_, value);
        line_ += ',';
        append_json_number(line_, draw.log_weight);
        line_ += ']';
        break;
    }
    line_ += '\n';
  }
  output_(line_);
}

}  // namespace chancel::report
