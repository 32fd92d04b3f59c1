// SPDX-License-Identifier: Apache-2.0
// Draws back from files. zlib reads plain and compressed files alike; a file that ends in the
// middle (a killed run) ends with its last whole line. CSV cells become values by the rules of
// csv_writer.hpp. Memory: one buffer and one draw.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "chancel/run_directory.hpp"
#include "data/csv.hpp"
#include "data/json.hpp"
#include "data/scalar.hpp"
#include "report/file_error.hpp"
#include "report/run_json.hpp"
#include "report/sampler_columns.hpp"
#include "report/stored_draws.hpp"

namespace chancel {

using namespace report;

namespace {

constexpr std::size_t kChunk = 1 << 20;
constexpr std::size_t kMostInRecord = std::size_t{1}
                                      << 28;  // bytes: a few make gigabytes, compressed
// Values made for this many draws are dropped together.
constexpr std::uint64_t kRowsPerHeap = 4096;

bool ends_with_any(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings)
    if (path.ends_with(ending)) return true;
  return false;
}

template <class Number>
bool parse_all(std::string_view text, Number* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc{} && end == text.data() + text.size();
}

// The value of a null, truth value, number or text.
ValueView atom(const data::Node& node, ValueMaker& maker) {
  switch (node.kind) {
    case data::NodeKind::Bool:
      return ValueMaker::boolean(node.boolean);
    case data::NodeKind::Integer:
      return ValueMaker::integer(node.integer);
    case data::NodeKind::Real:
      return ValueMaker::real(node.real);
    case data::NodeKind::Text:
      return maker.string(node.text);
    default:
      return ValueMaker::nil();
  }
}

ValueView value_of(std::string_view cell, ValueMaker& maker) {
  const char c = cell.front();
  if (c == ':') return ValueMaker::keyword(cell.substr(1));
  if (std::string_view("([{#\"\\'").find(c) != std::string_view::npos) {
    if (const auto value = maker.parse(cell)) return *value;
    return maker.string(cell);
  }
  data::Node node;
  return data::read_scalar(cell, &node) ? atom(node, maker) : maker.string(cell);
}

// The values of a line of JSON, by node. Numbers that JSON cannot say are strings in it.
std::vector<ValueView> values_of(const data::Document& document, ValueMaker& maker) {
  const std::vector<data::Node>& nodes = document.nodes;
  std::vector<ValueView> values(nodes.size(), ValueMaker::nil());
  for (std::size_t n = nodes.size(); n-- > 0;) {
    const data::Node& node = nodes[n];
    if (node.kind == data::NodeKind::Array) {
      std::vector<ValueView> items;
      for (std::size_t i = n + 1; i < node.next; i = nodes[i].next) items.push_back(values[i]);
      values[n] = maker.vector(items);
    } else if (node.kind == data::NodeKind::Object) {
      std::vector<std::pair<ValueView, ValueView>> entries;
      for (std::size_t i = n + 1; i < node.next; i = nodes[i + 1].next)
        entries.emplace_back(ValueMaker::keyword(nodes[i].text), values[i + 1]);
      values[n] = maker.map(entries);
    } else if (node.kind == data::NodeKind::Text &&
               (node.text == "Infinity" || node.text == "-Infinity" || node.text == "NaN")) {
      constexpr double kInfinity = std::numeric_limits<double>::infinity();
      values[n] = ValueMaker::real(node.text[0] == 'N'   ? std::numeric_limits<double>::quiet_NaN()
                                   : node.text[0] == '-' ? -kInfinity
                                                         : kInfinity);
    } else {
      values[n] = atom(node, maker);
    }
  }
  return values;
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
  SamplerColumns sampler;
  std::size_t first_label = 4;  // the cells before it are the draw's own
  std::vector<std::string> columns;
  std::vector<std::string_view> cells;
  std::string unquoted;
  data::Document document;
  ValueMaker maker;
  Draw draw;

  ~Impl() {
    if (file) gzclose(file);
  }

  // Of a record that has not ended there is at least as much more: it is looked through again then.
  bool read_more() {
    if (ended) return false;
    if (buffer.size() - at > kMostInRecord)
      bad_row(fmt::format("it has more than {} bytes", kMostInRecord));
    const std::size_t had = buffer.size() - at;
    bool more = read_chunk();
    while (more && buffer.size() < 2 * had) more = read_chunk();
    return buffer.size() > had;
  }
  bool read_chunk() {
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
      if (const std::size_t length = data::split_record(rest, cells, unquoted)) {
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
    first_label = 4;
    while (first_label < cells.size() && find_sampler_column(cells[first_label]))
      sampler.push_back(find_sampler_column(cells[first_label++]));
    for (std::size_t i = first_label; i < cells.size(); ++i) columns.emplace_back(cells[i]);
  }

  [[noreturn]] void bad_row(const std::string& why) {
    throw_malformed(path, fmt::format("draw {}: {}", rows, why));
  }

  const Draw* next_csv() {
    if (!next_record()) return nullptr;
    if (cells.size() != columns.size() + first_label)
      bad_row("the number of cells is not that of the header");
    ValueView weight = value_of(cells[3].empty() ? "NaN" : cells[3], maker);
    if (!parse_all(cells[0], &draw.index) || !parse_all(cells[1], &draw.chain) ||
        !parse_all(cells[2], &draw.sweep) || !weight.is_number())
      bad_row("index, chain, sweep and log_weight are numbers");
    draw.log_weight = weight.number();
    draw.log_joint = NAN;
    draw.move.reset();
    for (std::size_t i = 0; i < sampler.size(); ++i) {
      if (cells[4 + i].empty()) continue;
      const ValueView x = value_of(cells[4 + i], maker);
      if (!x.is_number()) bad_row("the columns before the labels are numbers");
      sampler[i]->set(draw, x.number());
    }
    std::size_t count = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string_view cell = cells[i + first_label];
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
    data::DataError error;
    if (!data::read_json(line, &document, &error)) bad_row(error.message);
    const std::vector<data::Node>& nodes = document.nodes;
    const std::vector<ValueView> values = values_of(document, maker);
    if (nodes[0].kind != data::NodeKind::Object) bad_row("it is not an object");
    const auto member = [&](const char* name) {
      std::size_t i = 1;
      while (i < nodes.size() && nodes[i].text != name) i = nodes[i + 1].next;
      if (i >= nodes.size()) bad_row(fmt::format("there is no {}", name));
      return i + 1;
    };
    const auto count = [&](const char* name) {
      const data::Node& node = nodes[member(name)];
      if (node.kind != data::NodeKind::Integer || node.integer < 0)
        bad_row(fmt::format("{} is not a count", name));
      return static_cast<std::uint64_t>(node.integer);
    };
    draw.index = count("index");
    draw.chain = static_cast<std::uint32_t>(count("chain"));
    draw.sweep = count("sweep");
    const ValueView& weight = values[member("log_weight")];
    if (!weight.is_number()) bad_row("log_weight is not a number");
    draw.log_weight = weight.number();
    draw.log_joint = NAN;
    draw.move.reset();
    for (std::size_t i = 1; i < nodes.size(); i = nodes[i + 1].next)
      if (const SamplerColumn* column = find_sampler_column(nodes[i].text))
        if (values[i + 1].is_number()) column->set(draw, values[i + 1].number());
    draw.predicts.clear();
    const std::size_t predicts = member("predicts");
    if (nodes[predicts].kind != data::NodeKind::Object) bad_row("predicts is not an object");
    for (std::size_t i = predicts + 1; i < nodes[predicts].next; i = nodes[i + 1].next)
      draw.predicts.push_back({nodes[i].text, values[i + 1]});
    return &draw;
  }
};

namespace {

// The draws of a run that has ended must be those that it wrote: a file that was cut or changed
// since would give another answer without a word.
void check_draws(const RunFolder& folder, const RunRecord& run) {
  const std::string name = draws_file_name(run.description);
  if (!run.draws || !folder.has(name)) return;
  const FileContents found = folder.contents(name);
  if (found.bytes == run.draws->bytes && found.checksum == run.draws->checksum) return;
  throw_malformed(
      run.draws_file,
      found.bytes == run.draws->bytes
          ? fmt::format("this is not the file of {} draws that the run wrote: its checksum differs",
                        run.draws->count)
          : fmt::format("the run wrote {} draws in {} bytes, and {} bytes are there",
                        run.draws->count, run.draws->bytes, found.bytes),
      fmt::format("chancel summary {} takes the draws that are there; `{}` makes all again",
                  run.draws_file, run.description.info.command));
}

}  // namespace

DrawReader::DrawReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  Impl& x = *impl_;
  const bool is_file = ends_with_any(path, {".csv", ".csv.gz", ".ndjson", ".ndjson.gz"});
  int file = -1;
  if (is_file) {
    x.path = path;
    file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw_unreadable(path);
  } else {
    const RunFolder folder(path);
    const RunRecord run = parse_run_json(folder);
    check_draws(folder, run);
    x.path = run.draws_file;
    file = folder.open_to_read(draws_file_name(run.description));
  }
  x.json = ends_with_any(x.path, {".ndjson", ".ndjson.gz"});
  x.file = gzdopen(file, "rb");
  if (!x.file) {
    ::close(file);
    throw_unreadable(x.path, "zlib has no memory");
  }
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

SummaryBuilder report::stored_draws(const std::vector<std::string>& paths) {
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
  return builder;
}

Summary report::summarize_stored(const SummaryBuilder& draws, const RunStatistics& statistics) {
  Summary summary = draws.summary(statistics);
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

Summary summarize_draws(const std::vector<std::string>& paths, const RunStatistics& statistics) {
  return report::summarize_stored(report::stored_draws(paths), statistics);
}

}  // namespace chancel
