// SPDX-License-Identifier: Apache-2.0
// The formats by name, and ndjson.
#include "chancel/draw_writer.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/csv_writer.hpp"
#include "report/json_text.hpp"
#include "report/json_value.hpp"
#include "report/predict_lines.hpp"
#include "report/sampler_columns.hpp"

namespace chancel {
namespace {

using namespace report;

class NdjsonWriter : public DrawWriter {
 public:
  explicit NdjsonWriter(Output output) : output_(std::move(output)) {}
  void draw(const Draw& draw) override {
    line_ = "{\"index\":" + std::to_string(draw.index) +
            ",\"chain\":" + std::to_string(draw.chain) +
            ",\"sweep\":" + std::to_string(draw.sweep) + ",\"log_weight\":";
    append_json_number(line_, draw.log_weight);
    for (const SamplerColumn* column : sampler_columns_of(draw)) {
      line_ += fmt::format(",\"{}\":", column->name);
      append_json_number(line_, column->get(draw));
    }
    line_ += ",\"predicts\":{";
    bool first = true;
    const auto add = [&](const std::string& label, const ValueView& value) {
      if (!first) line_ += ',';
      first = false;
      append_json_string(line_, label_text(label));
      line_ += ':';
      append_json(line_, value);
    };
    for (const auto& [label, value] : draw.predicts) add(label, value);
    if (draw.predicts.empty()) add(":result", draw.result);
    line_ += "}}\n";
    output_(line_);
  }

 private:
  Output output_;
  std::string line_;
};

}  // namespace

std::unique_ptr<DrawWriter> make_draw_writer(std::string_view format, DrawWriter::Output output) {
  using Lines = PredictLines;
  if (format == "anglican")
    return std::make_unique<Lines>(Lines::Kind::Anglican, std::move(output));
  if (format == "clojure") return std::make_unique<Lines>(Lines::Kind::Clojure, std::move(output));
  if (format == "json-lines")
    return std::make_unique<Lines>(Lines::Kind::JsonLines, std::move(output));
  if (format == "csv") return std::make_unique<CsvWriter>(std::move(output));
  if (format == "ndjson") return std::make_unique<NdjsonWriter>(std::move(output));
  return nullptr;
}

std::vector<std::string> draw_formats() {
  return {"anglican", "clojure", "json-lines", "csv", "ndjson"};
}

}  // namespace chancel
