// SPDX-License-Identifier: Apache-2.0
// java.io.File, resources, and writing: at top level only. What a program may reach is said by vm/program_files.hpp.
#include "library/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "library/arguments.hpp"
#include "library/registry.hpp"
#include "value/record.hpp"
#include "vm/run_state.hpp"

namespace chancel {

namespace fs = std::filesystem;

namespace {

const RecordType& file_type() {
  static const RecordType type = [] {
    RecordType t;
    t.name = intern("file");
    t.kind = RecordKind::Host;
    t.class_name = "java.io.File";
    t.fields = {intern("path")};
    t.parameter_count = 1;
    return t;
  }();
  return type;
}

Value make_file(NativeContext& cx, std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  auto* r = cx.arena->make<Record>(Tag::Record, bytes_with<Record>(1));
  r->type = &file_type();
  r->fields[0] = make_string(*cx.arena, path);
  return Value::object(r);
}

// The files of the run; null after a failure.
ProgramFiles* files_for(NativeContext& cx, const char* function) {
  if (cx.in_query) {
    cx.fail(Code::F010, fmt::format("{}: files are out of reach inside a query", function), -1,
            "use them at top level, and pass the data in");
    return nullptr;
  }
  if (cx.run && cx.run->host->files) return cx.run->host->files.get();
  cx.fail(Code::U002, fmt::format("{}: files are out of reach here (check, --no-files)", function),
          0);
  return nullptr;
}

bool read_path(NativeContext& cx, const char* function, const Value* a, int index,
               std::string* out) {
  if (const auto path = path_of(a[index])) {
    *out = *path;
    return true;
  }
  if (a[index].is_nil())
    cx.fail_as("java.lang.IllegalArgumentException", Code::R001,
               fmt::format("{}: there is no file: nil", function), index,
               "(io/resource name) is nil where there is no such resource");
  else
    cx.wrong_type(function, index, "a path or a file", a[index]);
  return false;
}

// The real place of the argument; nothing after a failure.
std::optional<fs::path> place(NativeContext& cx, const char* function, const Value* a) {
  std::string path;
  ProgramFiles* files = files_for(cx, function);
  if (!files || !read_path(cx, function, a, 0, &path)) return std::nullopt;
  return fs::path(files->place_of(path));
}

// (io/file path), (io/file parent child ...), (File. path)
Value file(NativeContext& cx, const Value* a, std::uint32_t n) {
  if (n == 1 && (is_file(a[0]) || a[0].is_nil())) return a[0];
  std::string whole;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::string part;
    if (!read_path(cx, "file", a, static_cast<int>(i), &part)) return Value::nil();
    if (i > 0 && part.starts_with('/'))
      return cx.fail(Code::R009, fmt::format("file: {} is not a relative path", part),
                     static_cast<int>(i));
    whole += (i > 0 && !whole.ends_with('/') ? "/" : "") + part;
  }
  return make_file(cx, std::move(whole));
}
Value resource(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string path;
  ProgramFiles* files = files_for(cx, "resource");
  if (!files || !read_path(cx, "resource", a, 0, &path)) return Value::nil();
  const auto found = files->resource(path);
  return found ? make_file(cx, *found) : Value::nil();
}

// --- what is known of a file ---
Value is_file_native(NativeContext&, const Value* a, std::uint32_t) {
  return Value::boolean(is_file(a[0]));
}
enum class Kind { Any, File, Folder };
template <Kind kind>
Value is_there(NativeContext& cx, const Value* a, std::uint32_t) {
  const auto path = place(cx, ".exists", a);
  std::error_code error;
  if (!path) return Value::nil();
  return Value::boolean(kind == Kind::File     ? fs::is_regular_file(*path, error)
                        : kind == Kind::Folder ? fs::is_directory(*path, error)
                                               : fs::exists(*path, error));
}
Value size_of(NativeContext& cx, const Value* a, std::uint32_t) {
  const auto path = place(cx, ".length", a);
  std::error_code error;
  if (!path) return Value::nil();
  const auto size = fs::file_size(*path, error);
  return Value::integer(error ? 0 : static_cast<std::int64_t>(size));
}
// Sorted by name, since file systems keep no order.
Value list_files(NativeContext& cx, const Value* a, std::uint32_t) {
  const auto path = place(cx, ".listFiles", a);
  if (!path) return Value::nil();
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(*path, error), end; !error && at != end; at.increment(error)) {
    cx.tick();
    names.push_back(at->path().filename().string());
  }
  if (error) return Value::nil();
  std::sort(names.begin(), names.end());
  std::vector<Value> files;
  const std::string parent = *path_of(a[0]);
  for (const std::string& name : names) {
    const char* between = parent.empty() || parent.ends_with('/') ? "" : "/";
    push_within_limits(cx, files, make_file(cx, parent + between + name));
  }
  return vector_of(cx, files);
}
Value file_name(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string path;
  if (!read_path(cx, ".getName", a, 0, &path)) return Value::nil();
  return make_string(*cx.arena, path.substr(path.rfind('/') + 1));
}
Value parent(NativeContext& cx, const Value* a, std::uint32_t) {
  std::string path;
  if (!read_path(cx, ".getParent", a, 0, &path)) return Value::nil();
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos || path == "/") return Value::nil();
  return make_string(*cx.arena, slash == 0 ? "/" : path.substr(0, slash));
}
Value absolute(NativeContext& cx, const Value* a, std::uint32_t) {
  const auto path = place(cx, ".getAbsolutePath", a);
  std::error_code error;
  return path ? make_string(*cx.arena, fs::absolute(*path, error).string()) : Value::nil();
}

// --- writing ---
Value cannot_write(NativeContext& cx, const char* function, const std::string& path,
                   const std::string& why) {
  return cx.fail_as("java.io.FileNotFoundException", Code::U004,
                    fmt::format("{}: cannot write {}: {}", function, path, why), 0);
}
// (spit file content :append true)
Value spit(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string path, error;
  const std::string text = to_str(cx, a[1]);
  if (!cx.ok()) return Value::nil();
  ProgramFiles* files = files_for(cx, "spit");
  if (!files || !read_path(cx, "spit", a, 0, &path)) return Value::nil();
  bool append = false;
  for (std::uint32_t i = 2; i + 1 < n; i += 2)
    if (a[i].is(Tag::Keyword) && a[i].name->full == "append") append = a[i + 1].truthy();
  if (files->write(path, text, append, &error)) return Value::nil();
  return cannot_write(cx, "spit", path, error);
}
template <bool parents_only>
Value make_folders(NativeContext& cx, const Value* a, std::uint32_t n) {
  const Value whole = file(cx, a, n);
  ProgramFiles* files = cx.ok() ? files_for(cx, "make-parents") : nullptr;
  if (!files) return Value::nil();
  std::string path = *path_of(whole), error;
  if (parents_only) {
    const std::size_t slash = path.rfind('/');
    if (slash == path.npos) return Value::boolean(false);
    path.resize(slash);
  }
  std::error_code none;
  if (fs::is_directory(files->place_of(path), none)) return Value::boolean(false);
  if (files->make_folders(path, &error)) return Value::boolean(true);
  return cannot_write(cx, "make-parents", path, error);
}
Value remove_file(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string path, error;
  ProgramFiles* files = files_for(cx, "delete-file");
  if (!files || !read_path(cx, "delete-file", a, 0, &path)) return Value::nil();
  if (files->remove(path, &error)) return Value::boolean(true);
  if (n == 2) return a[1];  // silently
  return cx.fail_as("java.io.IOException", Code::U004,
                    fmt::format("delete-file: couldn't delete {}: {}", path, error), 0);
}

constexpr NativeDef kFileNatives[] = {
    {"%file", 1, -1, file, 0, "[path] [parent child & more]", "A file by its path."},
    {"resource", 1, 1, resource, kTopLevelOnly, "[name]",
     "The file of this name in the resource paths of the project, or nil (top level only)."},
    {"%file?", 1, 1, is_file_native, kPure, "[x]", "True for what file gives."},
    {"%exists?", 1, 1, is_there<Kind::Any>, kTopLevelOnly, "[file]", "True when it is there."},
    {"%is-file?", 1, 1, is_there<Kind::File>, kTopLevelOnly, "[file]", "True for a file."},
    {"%is-folder?", 1, 1, is_there<Kind::Folder>, kTopLevelOnly, "[file]", "True for a folder."},
    {"%file-size", 1, 1, size_of, kTopLevelOnly, "[file]", "The bytes of a file."},
    {"%list-files", 1, 1, list_files, kTopLevelOnly, "[file]", "The files of a folder, or nil."},
    {"%file-name", 1, 1, file_name, 0, "[file]", "The last part of a path."},
    {"%parent-path", 1, 1, parent, 0, "[file]", "The path without its last part, or nil."},
    {"%absolute-path", 1, 1, absolute, kTopLevelOnly, "[file]", "The path from the root."},
    {"spit", 2, -1, spit, kTopLevelOnly, "[file content & options]",
     "Writes (str content) to a file below the folder of the project or script; :append true adds "
     "to it "
     "(top level only)."},
    {"make-parents", 1, -1, make_folders<true>, kTopLevelOnly, "[path & more]",
     "Makes the folders that a file lies in; true when some were not there."},
    {"%make-folders", 1, -1, make_folders<false>, kTopLevelOnly, "[path & more]",
     "Makes a folder."},
    {"delete-file", 1, 2, remove_file, kTopLevelOnly, "[file] [file silently]",
     "Deletes a file or an empty folder below the folder of the project or script."},
};

}  // namespace

bool is_file(const Value& v) { return v.is(Tag::Record) && v.as<Record>()->type == &file_type(); }

std::optional<std::string> path_of(const Value& v) {
  const Value& text = is_file(v) ? v.as<Record>()->fields[0] : v;
  if (!text.is(Tag::String)) return std::nullopt;
  return std::string(string_view_of(text));
}

std::span<const NativeDef> file_natives() { return kFileNatives; }

}  // namespace chancel
