// SPDX-License-Identifier: Apache-2.0
#include "paper/store.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "chancel/chancel.hpp"
#include "usage.hpp"

namespace chancel::paper {
namespace {

using tool::UsageError;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in)
    throw UsageError(fmt::format("cannot read {}", path.string()), "", "U002", ExitCode::NoInput);
  return text.str();
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::filesystem::path beside = path;
  beside += ".part";
  {
    std::ofstream out(beside, std::ios::binary);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.flush();
    if (!out)
      throw UsageError(fmt::format("cannot write {}", path.string()),
                       "is there room, and the right to write?", "U002", ExitCode::NoInput);
  }
  std::filesystem::rename(beside, path);
}

nlohmann::json identity(const Settings& s) {
  return {{"seed", s.seed}, {"quick", s.quick}, {"version", version()}, {"format", 1}};
}

}  // namespace

Store::Store(const Settings& settings) : folder_(settings.out) {
  const std::filesystem::path note = folder_ / "run.json";
  const nlohmann::json mine = identity(settings);
  const bool before = std::filesystem::exists(note);
  if (settings.resume && before) {
    const nlohmann::json theirs = nlohmann::json::parse(read_file(note), nullptr, false);
    if (theirs != mine)
      throw UsageError(fmt::format("{} holds another run: {}", note.string(), theirs.dump()),
                       fmt::format("this one is {}; take its --seed and --quick, or another --out",
                                   mine.dump()));
  } else if (before) {
    std::filesystem::remove_all(folder_ / "cells");
  }
  // Where several ranks go on together, one of them has written it.
  if (!settings.resume || !before) write_whole(note, mine.dump() + "\n");
}

bool Store::has(const Cell& cell) const {
  return std::filesystem::exists(folder_ / "cells" / (cell.name + ".csv"));
}

void Store::put(const Cell& cell, const CellResult& result) const {
  const std::filesystem::path path = folder_ / "cells" / cell.name;
  if (!result.times.of.empty()) write_whole(path.string() + ".time", result.times.text());
  write_whole(path.string() + ".csv", result.data.text());
}

CellResult Store::get(const std::string& cell) const {
  const std::string path = (folder_ / "cells" / cell).string();
  try {
    CellResult out;
    out.data = Rows::parse(read_file(path + ".csv"));
    if (std::filesystem::exists(path + ".time")) out.times = Rows::parse(read_file(path + ".time"));
    return out;
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}.csv: {}", path, error.what()),
                     "remove that file and go on with --resume");
  }
}

void Store::write(const std::string& name, std::string_view text) const {
  write_whole(folder_ / name, text);
}

}  // namespace chancel::paper
