// SPDX-License-Identifier: Apache-2.0
// Finds and reads project.clj and deps.edn. What the two say about paths is read as data, whatever else stands there;
// a file that cannot be read counts as one that says nothing, with a warning.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/read_file.hpp"
#include "chancel/project.hpp"
#include "diag/diagnostic.hpp"
#include "project/contained_path.hpp"
#include "reader/reader.hpp"

namespace chancel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;

bool is_keyword(const Datum& datum, const char* name) {
  return datum.is(DatumKind::Keyword) && datum.name->full == name;
}

// The value of a key among keys and values from items[from] on; null: there is none.
const Datum* value_of(const Datum& datum, const char* key, std::size_t from = 0) {
  for (std::size_t i = from; i + 1 < datum.items.size(); i += 2)
    if (is_keyword(datum.items[i], key)) return &datum.items[i + 1];
  return nullptr;
}

// As it is reached from the current folder.
std::string shown(const fs::path& folder) {
  std::error_code error;
  const fs::path near = fs::proximate(folder, fs::current_path(error), error);
  const bool outside = error || near.empty() || *near.begin() == "..";
  return outside ? folder.string() : near.string();
}

class ProjectReader {
 public:
  explicit ProjectReader(Project& project) : project_(project) {}

  void read(const std::string& file) {
    std::string text, why;
    const auto look = [](std::size_t bytes) {
      if (bytes > kLargestFile) throw TooLarge{};
    };
    try {
      if (!read_whole_file(file, &text, &why, look))
        return warn(fmt::format("cannot read it: {}", why));
    } catch (const TooLarge&) {
      return warn("it is larger than 1 MB");
    }
    SourceMap sources;
    DiagnosticSink sink;
    const std::vector<Datum> forms =
        read_all(sources, sources.add(file, std::move(text)), sink, nullptr, Notation::ForeignData);
    for (const Diagnostic& d : sink.list()) {
      return warn(
          fmt::format("line {}: {}", sources.position(d.span.file, d.span.begin).line, d.message));
    }
    for (const Datum& form : forms) {
      if (form.is_list_headed("defproject")) return leiningen(form);
      if (form.is(DatumKind::Map)) return deps(form);
    }
  }

  // The usual folders where the file says nothing.
  void fill_in() {
    if (!sources_) add(project_.source_paths, {"src"});
    if (!tests_) add(project_.test_paths, {"test"});
    if (!resources_) add(project_.resource_paths, {"resources"});
  }

 private:
  struct TooLarge {};

  void warn(std::string what) {
    Message message;
    message.code = "U003";
    message.error = false;
    message.file = project_.file;
    message.message = fmt::format("{}: {}", project_.file, what);
    message.text = fmt::format("{}: warning[U003]: {}\n", project_.file, what);
    project_.warnings.push_back(std::move(message));
  }

  // Those that are there; others are ignored, as Leiningen does.
  void add(std::vector<std::string>& to, const std::vector<std::string>& paths) {
    for (std::string path : paths) {
      while (path.size() > 1 && path.ends_with('/')) path.pop_back();
      const std::string whole = path_in(project_.folder, path);
      std::error_code error;
      const bool there = fs::is_directory(whole, error);
      if (!stays_below(path) || (there && !is_really_below(project_.folder, whole))) {
        warn(fmt::format("the path {} is outside the project: it is not searched", path));
      } else if (there && std::find(to.begin(), to.end(), path) == to.end()) {
        to.push_back(path);
      }
    }
  }
  // True: the key is there.
  bool add_list(std::vector<std::string>& to, const Datum* list) {
    if (list == nullptr || !(list->is(DatumKind::Vector) || list->is(DatumKind::List)))
      return false;
    std::vector<std::string> paths;
    for (const Datum& item : list->items)
      if (item.is(DatumKind::String)) paths.push_back(item.text);
    add(to, paths);
    return true;
  }

  // (defproject group/name "version" :key value ...)
  void leiningen(const Datum& form) {
    if (form.items.size() > 1 && form.items[1].is(DatumKind::Symbol))
      project_.name = form.items[1].name->base;
    const std::size_t from = form.items.size() > 2 && form.items[2].is(DatumKind::String) ? 3 : 2;
    sources_ = add_list(project_.source_paths, value_of(form, "source-paths", from));
    tests_ = add_list(project_.test_paths, value_of(form, "test-paths", from));
    resources_ = add_list(project_.resource_paths, value_of(form, "resource-paths", from));
    if (const Datum* main = value_of(form, "main", from); main && main->is(DatumKind::Symbol))
      project_.main = main->name->full;
    if (const Datum* list = value_of(form, "dependencies", from)) {
      for (const Datum& item : list->items)
        if (!item.items.empty() && item.items[0].is(DatumKind::Symbol))
          project_.dependencies.push_back(item.items[0].name->full);
    }
  }

  // {:paths [..] :deps {..} :aliases {:test {:extra-paths [..]}}}
  void deps(const Datum& form) {
    sources_ = add_list(project_.source_paths, value_of(form, "paths"));
    if (const Datum* aliases = value_of(form, "aliases"))
      for (std::size_t i = 0; i + 1 < aliases->items.size(); i += 2)
        tests_ =
            add_list(project_.test_paths, value_of(aliases->items[i + 1], "extra-paths")) || tests_;
    if (const Datum* list = value_of(form, "deps"))
      for (std::size_t i = 0; i + 1 < list->items.size(); i += 2)
        if (list->items[i].is(DatumKind::Symbol))
          project_.dependencies.push_back(list->items[i].name->full);
  }

  Project& project_;
  bool sources_ = false, tests_ = false, resources_ = false;  // the file says which
};

}  // namespace

std::optional<Project> find_project(const std::string& path) {
  std::error_code error;
  fs::path folder = fs::canonical(path.empty() ? "." : path, error);
  if (error) return std::nullopt;
  if (!fs::is_directory(folder, error)) folder = folder.parent_path();
  for (;; folder = folder.parent_path()) {
    for (const char* name : {"project.clj", "deps.edn"}) {
      if (!fs::is_regular_file(folder / name, error)) continue;
      Project project;
      project.folder = shown(folder);
      project.file = path_in(project.folder, name);
      project.name = folder.filename().string();
      ProjectReader reader(project);
      reader.read(project.file);
      reader.fill_in();
      return project;
    }
    if (folder == folder.parent_path()) return std::nullopt;
  }
}

}  // namespace chancel
