// SPDX-License-Identifier: Apache-2.0
// Draws back from files. zlib reads plain and compressed files alike; a file that ends in the
// middle (a killed run) ends with its last whole line. CSV cells become values by the rules of
// csv_writer.hpp. Memory: one buffer and one draw.
#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "chancel/run_directory.hpp"
#include "report/csv_text.hpp"
#include "report/file_error.hpp"
#include "report/run_file.hpp"

namespace chancel {

using namespace report;

namespace {

constexpr std::size_t kChunk = 1 << 20;
constexpr std::uint64_t kRowsPerHeap =
    4096;  // values made for this many draws are dropped together

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings)
    if (path.ends_with(ending)) return true;
  return false;
}

template <class Number>
bool parse_all(std::string_view text, Number* out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc{} && end == text.data() + text.size();
}

ValueView value_of(std::string_view cell, ValueMaker& maker) {
  const char c = cell.front();
  if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
    std::int64_t integer = 0;
    double real = 0;
    if (parse_all(cell, &integer)) return ValueMaker::integer(integer);
    if (parse_all(cell, &real)) return ValueMaker::real(real);
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (cell == "true" || cell == "false") return ValueMaker::boolean(cell == "true");
  if (cell == "Inf") return ValueMaker::real(kInfinity);
  if (cell == "-Inf") return ValueMaker::real(-kInfinity);
  if (cell == "NaN") return ValueMaker::real(std::numeric_limits<double>::quiet_NaN());
  if (cell == "nil") return ValueMaker::nil();
  if (c == ':') return ValueMaker::keyword(cell.substr(1));
  if (std::string_view("([{#\"\\'").find(c) != std::string_view::npos) {
    if (const auto value = maker.parse(cell)) return *value;
  }
  return maker.string(cell);
}

ValueView value_of(const nlohmann::ordered_json& json, ValueMaker& maker) {
  if (json.is_null()) return ValueMaker::nil();
  if (json.is_boolean()) return ValueMaker::boolean(json.get<bool>());
  if (json.is_number_integer()) return ValueMaker::integer(json.get<std::int64_t>());
  if (json.is_number()) return ValueMaker::real(json.get<double>());
  if (json.is_string()) {
    const auto& text = json.get_ref<const std::string&>();
    if (text == "Infinity") return ValueMaker::real(std::numeric_limits<double>::infinity());
    if (text == "-Infinity") return ValueMaker::real(-std::numeric_limits<double>::infinity());
    if (text == "NaN") return ValueMaker::real(std::numeric_limits<double>::quiet_NaN());
    return maker.string(text);
  }
  if (json.is_array()) {
    std::vector<ValueView> items;
    for (const auto& item : json) items.push_back(value_of(item, maker));
    return maker.vector(items);
  }
  std::vector<std::pair<ValueView, ValueView>> entries;
  for (const auto& [key, item] : json.items())
    entries.emplace_back(ValueMaker::keyword(key), value_of(item, maker));
  return maker.map(entries);
}

}  // namespace

struct DrawReader::Impl {
  std::string path;
  gzFile file = nullptr;
  bool json = false;
  std::string buffer;
  std::size_t at = 0;
  bool ended = false;
  std::uint64_t rows = 0;
  std::vector<std::string> columns;
  std::vector<std::string_view> cells;
  std::string unquoted;
  ValueMaker maker;
  Draw draw;

  ~Impl() {
    if (file) gzclose(file);
  }

  bool read_more() {
    if (ended) return false;
    buffer.erase(0, at);
    at = 0;
    const std::size_t size = buffer.size();
    buffer.resize(size + kChunk);
    const int got = gzread(file, buffer.data() + size, kChunk);
    buffer.resize(size + static_cast<std::size_t>(std::max(0, got)));
    ended = got <= 0;  // an error is the torn end of a compressed file
    return got > 0;
  }
  bool next_record() {
    while (true) {
      const std::string_view rest = std::string_view(buffer).substr(at);
      if (const std::size_t length = split_record(rest, cells, unquoted)) {
        at += length;
        return true;
      }
      if (!read_more()) return false;
    }
  }
  bool next_line(std::string_view* line) {
    while (true) {
      const std::size_t end = buffer.find('\n', at);
      if (end != std::string::npos) {
        *line = std::string_view(buffer).substr(at, end - at);
        at = end + 1;
        return true;
      }
      if (!read_more()) return false;
    }
  }

  void read_header() {
    if (!next_record()) return;
    if (cells.size() < 4 || cells[0] != "index" || cells[1] != "chain" || cells[2] != "sweep" ||
        cells[3] != "log_weight")
      throw_malformed(path, "the header of a draws file begins with index,chain,sweep,log_weight");
    for (std::size_t i = 4; i < cells.size(); ++i) columns.emplace_back(cells[i]);
  }

  [[noreturn]] void bad_row(const char* why) {
    throw_malformed(path, fmt::format("draw {}: {}", rows, why));
  }

  const Draw* next_csv() {
    if (!next_record()) return nullptr;
    if (cells.size() != columns.size() + 4)
      bad_row("the number of cells is not that of the header");
    ValueView weight = value_of(cells[3].empty() ? "NaN" : cells[3], maker);
    if (!parse_all(cells[0], &draw.index) || !parse_all(cells[1], &draw.chain) ||
        !parse_all(cells[2], &draw.sweep) || !weight.is_number())
      bad_row("index, chain, sweep and log_weight are numbers");
    draw.log_weight = weight.number();
    std::size_t count = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view cell = cells[i + 4];
      if (cell.empty()) continue;
      if (count >= draw.predicts.size()) draw.predicts.emplace_back();
      Predict& predict = draw.predicts[count++];
      if (predict.label != columns[i]) predict.label = columns[i];
      predict.value = value_of(cell, maker);
    }
    draw.predicts.resize(count);
    return &draw;
  }

  const Draw* next_json() {
    std::string_view line;
    if (!next_line(&line)) return nullptr;
    try {
      const auto row = nlohmann::ordered_json::parse(line);
      draw.index = row.at("index");
      draw.chain = row.at("chain");
      draw.sweep = row.at("sweep");
      draw.log_weight = value_of(row.at("log_weight"), maker).number();
      draw.predicts.clear();
      for (const auto& [label, value] : row.at("predicts").items())
        draw.predicts.push_back({label, value_of(value, maker)});
    } catch (const nlohmann::json::exception& e) {
      bad_row(e.what());
    }
    return &draw;
  }
};

DrawReader::DrawReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  Impl& x = *impl_;
  const bool is_file = ends_with_any(path, {".csv", ".csv.gz", ".ndjson", ".ndjson.gz"});
  x.path = is_file ? path : read_run(path).draws_file;
  x.json = ends_with_any(x.path, {".ndjson", ".ndjson.gz"});
  if (!file_exists(x.path)) throw_unreadable(x.path, "there is no such file");
  x.file = gzopen(x.path.c_str(), "rb");
  if (!x.file) throw_unreadable(x.path);
  gzbuffer(x.file, kChunk);
  if (!x.json) x.read_header();
}
DrawReader::~DrawReader() = default;
DrawReader::DrawReader(DrawReader&&) noexcept = default;
DrawReader& DrawReader::operator=(DrawReader&&) noexcept = default;

const Draw* DrawReader::next() {
  Impl& x = *impl_;
  if (++x.rows % kRowsPerHeap == 0) x.maker.clear();
  return x.json ? x.next_json() : x.next_csv();
}

Summary summarize_draws(const std::vector<std::string>& paths, const Figures& figures) {
  SummaryBuilder builder;
  std::uint32_t first_chain = 0;
  for (const std::string& path : paths) {
    DrawReader reader(path);
    std::uint32_t chains = 0;
    while (const Draw* read = reader.next()) {
      chains = std::max(chains, read->chain + 1);
      if (first_chain == 0) {
        builder.add(*read);
      } else {
        Draw moved = *read;
        moved.chain += first_chain;
        builder.add(moved);
      }
    }
    first_chain += chains;
  }
  Summary summary = builder.summary(figures);
  // Parts of a label are columns of their own in a file: put the names back together.
  for (Estimate& row : summary.estimates) {
    std::size_t from = row.predict.size();
    while (from > 0 && row.predict[from - 1] == ']') {
      const std::size_t open = row.predict.rfind('[', from - 1);
      if (open == std::string::npos || open == 0) break;
      from = open;
    }
    row.path = row.predict.substr(from) + row.path;
    row.predict.resize(from);
  }
  return summary;
}

}  // namespace chancel
