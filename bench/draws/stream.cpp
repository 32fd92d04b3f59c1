// SPDX-License-Identifier: Apache-2.0
// How fast draws of ten scalars stream to draws.csv, against a plain C++ loop that writes the same
// text to the same file system. Stresses the CSV writer (and the recorder with its summary
// columns); no engine runs. The three texts are compared before a time counts.
//
//   stream [--rows N] [--folder DIR]   10 million rows, /dev/shm (no disk). Prints JSON: seconds of
//                                      CPU time of each, and the ratios of the rates to the plain
//                                      loop's; the bar is 0.5.
//   stream --rows N --write FILE       only writes a file of sticky draws, for summaries
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "chancel/draw_writer.hpp"
#include "chancel/run_directory.hpp"

namespace {

constexpr int kScalars = 10;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The same numbers for each writer, between 0.001 and 1000, where Java's layout of a double and
// that of std::to_chars agree.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return 0.001 + 999 * static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  // Each scalar remembers nine tenths of its last value.
  double next_sticky(int scalar) { return last_[scalar] = 0.9 * last_[scalar] + 0.1 * next(); }

 private:
  std::uint64_t state_ = 1;
  double last_[kScalars] = {};
};

double plain_loop(const std::string& path, std::uint64_t rows, bool sticky = false) {
  const double begun = cpu_seconds();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  std::vector<char> buffer(1 << 16);
  char* at = buffer.data();
  const auto put = [&](const char* text) { at = std::copy(text, text + std::strlen(text), at); };
  put("index,chain,sweep,log_weight");
  for (int i = 0; i < kScalars; ++i) at = fmt::format_to(at, ",:x{}", i);
  *at++ = '\n';
  Numbers numbers;
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (buffer.data() + buffer.size() - at < 1000) {
      std::fwrite(buffer.data(), 1, static_cast<std::size_t>(at - buffer.data()), file);
      at = buffer.data();
    }
    char* const end = buffer.data() + buffer.size();
    at = std::to_chars(at, end, row).ptr;
    put(",0,");
    at = std::to_chars(at, end, row).ptr;
    put(",0.0");
    for (int i = 0; i < kScalars; ++i) {
      *at++ = ',';
      at = std::to_chars(at, end, sticky ? numbers.next_sticky(i) : numbers.next()).ptr;
    }
    *at++ = '\n';
  }
  std::fwrite(buffer.data(), 1, static_cast<std::size_t>(at - buffer.data()), file);
  std::fclose(file);
  return cpu_seconds() - begun;
}

template <class Take>
void make_draws(std::uint64_t rows, const Take& take) {
  chancel::Draw draw;
  draw.predicts.resize(kScalars);
  for (int i = 0; i < kScalars; ++i) draw.predicts[i].label = fmt::format(":x{}", i);
  Numbers numbers;
  for (std::uint64_t row = 0; row < rows; ++row) {
    draw.index = draw.sweep = row;
    for (auto& predict : draw.predicts) predict.value = chancel::ValueMaker::real(numbers.next());
    take(draw);
  }
}

double writer(const std::string& path, std::uint64_t rows) {
  const double begun = cpu_seconds();
  std::FILE* file = std::fopen(path.c_str(), "wb");
  auto csv = chancel::make_draw_writer(
      "csv", [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); });
  make_draws(rows, [&](const chancel::Draw& draw) { csv->draw(draw); });
  csv->end();
  std::fclose(file);
  return cpu_seconds() - begun;
}

// Without the summary at the end, which is another matter.
double recorder(const std::string& folder, std::uint64_t rows) {
  const double begun = cpu_seconds();
  chancel::RunDescription description;
  description.info.program = "none.clj";
  chancel::RunRecorder recorder(folder, description);
  make_draws(rows, [&](const chancel::Draw& draw) { recorder.draw(draw); });
  return cpu_seconds() - begun;
}

bool same_text(const std::string& a, const std::string& b, bool prefix) {
  std::ifstream x(a, std::ios::binary);
  std::ifstream y(b, std::ios::binary);
  std::string p(1 << 20, 0);
  std::string q(1 << 20, 0);
  while (true) {
    x.read(p.data(), static_cast<std::streamsize>(p.size()));
    y.read(q.data(), static_cast<std::streamsize>(q.size()));
    const auto n = static_cast<std::size_t>(prefix ? std::min(x.gcount(), y.gcount()) : x.gcount());
    if (!prefix && x.gcount() != y.gcount()) return false;
    if (std::memcmp(p.data(), q.data(), n) != 0) return false;
    if (x.gcount() == 0 || y.gcount() == 0) return true;
  }
}

}  // namespace

int main(int count, char** words) {
  std::uint64_t rows = 10'000'000;
  std::string folder = "/dev/shm";
  for (int i = 1; i + 1 < count; i += 2) {
    if (std::strcmp(words[i], "--rows") == 0) rows = std::strtoull(words[i + 1], nullptr, 10);
    if (std::strcmp(words[i], "--folder") == 0) folder = words[i + 1];
    if (std::strcmp(words[i], "--write") == 0) {
      plain_loop(words[i + 1], rows, true);
      return 0;
    }
  }
  folder += "/chancel-stream-" + std::to_string(std::random_device()());
  std::filesystem::create_directories(folder);
  const double plain = plain_loop(folder + "/plain.csv", rows);
  const double ours = writer(folder + "/writer.csv", rows);
  const bool writer_same = same_text(folder + "/plain.csv", folder + "/writer.csv", false);
  const auto bytes = std::filesystem::file_size(folder + "/plain.csv");
  std::filesystem::remove(folder + "/writer.csv");
  const double kept = recorder(folder + "/run", rows);
  // The recorder was not finished: its last lines may still wait.
  const bool recorder_same = same_text(folder + "/plain.csv", folder + "/run/draws.csv", true);
  std::filesystem::remove_all(folder);
  fmt::print(
      "{{\"rows\": {}, \"megabytes\": {:.1f}, \"plain_seconds\": {:.3f}, \"writer_seconds\": "
      "{:.3f}, \"recorder_seconds\": {:.3f}, "
      "\"writer_ratio\": {:.3f}, \"recorder_ratio\": {:.3f}}}\n",
      rows, static_cast<double>(bytes) / 1e6, plain, ours, kept, plain / ours, plain / kept);
  if (!writer_same || !recorder_same) {
    fmt::print(stderr, "stream: the texts differ\n");
    return 1;
  }
  return 0;
}
