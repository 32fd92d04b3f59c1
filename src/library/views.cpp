// SPDX-License-Identifier: Apache-2.0
// Plots and other views as Gorilla worksheets make them: a map {:chancel/view KIND ...} that holds
// data and options and is drawn only when it is shown (report/chart.hpp says how it is read).
// Everything that can be wrong with the data is found here, at the call, where a message has a
// place. Options that are not known are kept: Gorilla passes over them, and so may a program that
// was written for it; the picture then has a note.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/base64.hpp"
#include "library/arguments.hpp"
#include "library/files.hpp"
#include "library/host.hpp"
#include "library/registry.hpp"
#include "value/equality.hpp"

namespace chancel {
namespace {

constexpr std::string_view kView = "chancel/view";

// The arguments of a function with keyword options after the first `fixed`.
class ViewCall {
 public:
  ViewCall(NativeContext& cx, const char* function, const Value* args, std::uint32_t count,
           std::uint32_t fixed)
      : cx_(cx), function_(function), args_(args), count_(count), fixed_(fixed) {}

  // All items of a sequence with everything in them evaluated. False: reported or asked for.
  bool items(std::uint32_t index, std::vector<Value>* out) {
    Value v = args_[index];
    if (!is_seqable(v)) {
      cx_.wrong_type(function_, static_cast<int>(index), "a sequence", v);
      return false;
    }
    return ensure_realised(cx_, v) &&
           read_items(cx_, function_, args_, static_cast<int>(index), out);
  }
  Value wrong(std::uint32_t index, const char* wanted, const Value& got, std::size_t position) {
    return cx_.fail(Code::R001,
                    fmt::format("{}: expected {}, got {} at position {}", function_, wanted,
                                describe(got), position),
                    static_cast<int>(index));
  }

  // {} when there are none. False: reported.
  bool options(Value* out) {
    *out = empty_map(*cx_.arena);
    std::vector<Value> given(args_ + fixed_, args_ + count_);
    if (given.size() == 1 && is_map(given[0])) {  // Clojure 1.11 takes options as a map, too
      *out = given[0];
      given.clear();
    }
    for (std::size_t i = 0; i < given.size(); i += 2) {
      const int at = static_cast<int>(fixed_ + i);
      if (!given[i].is(Tag::Keyword)) {
        cx_.fail(Code::R001,
                 fmt::format("{}: expected an option such as :color, got {}", function_,
                             describe(given[i])),
                 at);
        return false;
      }
      if (i + 1 == given.size()) {
        cx_.fail(Code::R009,
                 fmt::format("{}: the option {} has no value", function_, show(given[i])), at);
        return false;
      }
      Value value = given[i + 1];
      if (!ensure_realised(cx_, value) || !check_option(given[i].name->full, value, at + 1))
        return false;
      *out = map_assoc(*cx_.arena, *out, Value::keyword(usual_name(given[i].name)), value);
    }
    return true;
  }

  Value view(std::string_view kind, std::initializer_list<std::pair<const char*, Value>> parts) {
    Value map = map_assoc(*cx_.arena, empty_map(*cx_.arena), keyword_of(kView), keyword_of(kind));
    for (const auto& [name, part] : parts) map = map_assoc(*cx_.arena, map, keyword_of(name), part);
    return map;
  }

 private:
  static const Name* usual_name(const Name* name) {
    if (name->full == "colour") return intern("color");
    if (name->full == "normalise") return intern("normalize");
    return name;
  }
  bool check_option(const std::string& name, const Value& value, int at) {
    const auto wants = [&](bool right, const char* wanted) {
      if (!right)
        cx_.fail(
            Code::R001,
            fmt::format("{}: :{} must be {}, got {}", function_, name, wanted, describe(value)),
            at);
      return right;
    };
    const auto positive = [&] { return value.is_number() && to_double(value) > 0; };
    if (name == "color" || name == "colour")
      return wants(value.is(Tag::String) || value.is(Tag::Keyword) || value.is_nil(),
                   "a colour, as in \"steelblue\" or \"#0072b2\"");
    if (name == "opacity" || name == "fill-opacity")
      return wants(value.is_number() && to_double(value) >= 0 && to_double(value) <= 1,
                   "a number from 0 to 1");
    if (name == "plot-size" || name == "aspect-ratio" || name == "symbol-size")
      return wants(positive(), "a positive number");
    if (name == "bins") return wants(positive() || value.is(Tag::Keyword), "a number of bins");
    if (name == "plot-points") return wants(positive(), "a number of points");
    if (name == "normalize" || name == "normalise")
      return wants(value.is(Tag::Keyword) &&
                       (value.name->full == "count" || value.name->full == "probability" ||
                        value.name->full == "probability-density"),
                   ":count, :probability or :probability-density");
    if (name == "plot-range") return wants(is_plot_range(value), "[x y], each :all or [low high]");
    if (name == "columns") return wants(is_seqable(value), "a sequence of names");
    return true;
  }
  static bool is_plot_range(const Value& value) {
    if (!value.is(Tag::Vector)) return value.is(Tag::Keyword);
    const auto* both = value.as<Vector>();
    if (both->count != 2) return false;
    for (std::uint32_t i = 0; i < 2; ++i) {
      const Value& range = vector_nth(both, i);
      if (range.is(Tag::Keyword)) continue;
      if (!range.is(Tag::Vector) || range.as<Vector>()->count != 2) return false;
      for (std::uint32_t k = 0; k < 2; ++k)
        if (!vector_nth(range.as<Vector>(), k).is_number()) return false;
    }
    return true;
  }

  NativeContext& cx_;
  const char* function_;
  const Value* args_;
  std::uint32_t count_, fixed_;
};

// The items of a pair, triple ... of numbers. False: it is something else.
bool read_tuple(NativeContext& cx, const Value& item, std::size_t size, std::vector<Value>* out) {
  if (!is_sequential(item)) return false;
  out->clear();
  for (SeqCursor it(cx, item, "list-plot", 0); it.next() && out->size() < size;)
    out->push_back(it.item());
  if (out->size() < size) return false;
  for (const Value& v : *out)
    if (!v.is_number()) return false;
  return true;
}

Value points_view(NativeContext& cx, const Value* a, std::uint32_t n, const char* function,
                  std::string_view kind, std::size_t size, const char* wanted) {
  ViewCall call(cx, function, a, n, 1);
  std::vector<Value> items;
  Value options;
  if (!call.items(0, &items) || !call.options(&options)) return Value::nil();
  std::vector<Value> points, tuple;
  const bool numbers = size == 2 && !items.empty() && items[0].is_number();
  for (std::size_t i = 0; i < items.size(); ++i) {
    cx.tick();
    if (numbers && items[i].is_number()) {
      tuple = {Value::integer(static_cast<std::int64_t>(i)), items[i]};
    } else if (numbers || !read_tuple(cx, items[i], size, &tuple)) {
      if (cx.ok()) call.wrong(0, numbers ? "numbers" : wanted, items[i], i);
      return Value::nil();
    }
    push_within_limits(cx, points, make_vector(*cx.arena, tuple.data(), tuple.size()));
  }
  return call.view(kind, {{"data", vector_of(cx, points)}, {"options", options}});
}

Value list_plot(NativeContext& cx, const Value* a, std::uint32_t n) {
  return points_view(cx, a, n, "list-plot", "list-plot", 2, "pairs [x y] of numbers");
}
Value band_plot(NativeContext& cx, const Value* a, std::uint32_t n) {
  return points_view(cx, a, n, "band-plot", "band-plot", 3, "triples [x low high] of numbers");
}
// The points of a curve that the prelude has worked out.
Value function_plot(NativeContext& cx, const Value* a, std::uint32_t n) {
  return points_view(cx, a, n, "plot", "plot", 2, "a function that gives numbers");
}

Value histogram(NativeContext& cx, const Value* a, std::uint32_t n) {
  ViewCall call(cx, "histogram", a, n, 1);
  std::vector<Value> items;
  Value options;
  if (!call.items(0, &items) || !call.options(&options)) return Value::nil();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!items[i].is_number()) return call.wrong(0, "numbers", items[i], i);
  return call.view("histogram", {{"data", vector_of(cx, items)}, {"options", options}});
}

Value bar_chart(NativeContext& cx, const Value* a, std::uint32_t n) {
  ViewCall call(cx, "bar-chart", a, n, 2);
  std::vector<Value> categories, values, bars;
  Value options;
  if (!call.items(1, &values) || !call.options(&options)) return Value::nil();
  // (range) will do: there are as many bars as the shorter of the two.
  SeqCursor it(cx, a[0], "bar-chart", 0, false);
  while (categories.size() < values.size() && it.next()) categories.push_back(it.item());
  if (!cx.ok()) return Value::nil();
  values.resize(categories.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i].is_number()) return call.wrong(1, "numbers", values[i], i);
    if (!ensure_realised(cx, categories[i])) return Value::nil();
    bars.push_back(pair_of(cx, categories[i], values[i]));
  }
  return call.view("bar-chart", {{"data", vector_of(cx, bars)}, {"options", options}});
}

bool is_plot(const Value& v) {
  const Value* kind = is_map(v) ? map_find(v, keyword_of(kView)) : nullptr;
  if (!kind || !kind->is(Tag::Keyword)) return false;
  for (const char* plot : {"list-plot", "band-plot", "plot", "histogram", "bar-chart", "compose"})
    if (kind->name->full == plot) return true;
  return false;
}

Value compose(NativeContext& cx, const Value* a, std::uint32_t n) {
  for (std::uint32_t i = 0; i < n; ++i)
    if (!is_plot(a[i])) return cx.wrong_type("compose", static_cast<int>(i), "a plot", a[i]);
  return ViewCall(cx, "compose", a, n, n)
      .view("compose", {{"plots", make_vector(*cx.arena, a, n)}});
}

// --- views other than charts ---

Value list_view(NativeContext& cx, const Value* a, std::uint32_t n) {
  ViewCall call(cx, "list-view", a, n, 1);
  std::vector<Value> items;
  Value options;
  if (!call.items(0, &items) || !call.options(&options)) return Value::nil();
  return call.view("list", {{"items", vector_of(cx, items)}, {"options", options}});
}

// Rows of cells. Rows that are maps have their keys as columns.
Value rows_view(NativeContext& cx, const Value* a, std::uint32_t n, const char* function,
                std::string_view kind) {
  ViewCall call(cx, function, a, n, 1);
  std::vector<Value> items, rows;
  Value options;
  if (!call.items(0, &items) || !call.options(&options)) return Value::nil();
  std::vector<Value> columns;
  const bool maps = !items.empty() && is_map(items[0]);
  if (maps) map_each(items[0], [&](const Value& key, const Value&) { columns.push_back(key); });
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<Value> cells;
    if (maps && is_map(items[i])) {
      for (const Value& column : columns) {
        const Value* cell = map_find(items[i], column);
        cells.push_back(cell ? *cell : Value::nil());
      }
    } else if (is_sequential(items[i])) {
      for (SeqCursor it(cx, items[i], function, 0); it.next();) cells.push_back(it.item());
      if (!cx.ok()) return Value::nil();
    } else {
      return call.wrong(0, maps ? "maps" : "rows, each a sequence", items[i], i);
    }
    push_within_limits(cx, rows, vector_of(cx, cells));
  }
  if (maps && !map_find(options, keyword_of("columns")))
    options = map_assoc(*cx.arena, options, keyword_of("columns"), vector_of(cx, columns));
  return call.view(kind, {{"rows", vector_of(cx, rows)}, {"options", options}});
}
Value table_view(NativeContext& cx, const Value* a, std::uint32_t n) {
  return rows_view(cx, a, n, "table-view", "table");
}
Value grid_view(NativeContext& cx, const Value* a, std::uint32_t n) {
  return rows_view(cx, a, n, "grid-view", "grid");
}

template <Text function, Text kind>
Value text_view(NativeContext& cx, const Value* a, std::uint32_t n) {
  std::string_view text;
  if (!read_string(cx, function.text, a, 0, &text)) return Value::nil();
  return ViewCall(cx, function.text, a, n, n).view(kind.text, {{"text", a[0]}});
}

// --- images ---

// By its first bytes; empty: not a picture that browsers show.
std::string_view image_type(std::string_view bytes) {
  if (bytes.starts_with("\x89PNG")) return "image/png";
  if (bytes.starts_with("\xff\xd8\xff")) return "image/jpeg";
  if (bytes.starts_with("GIF8")) return "image/gif";
  if (bytes.starts_with("RIFF") && bytes.substr(0, 16).find("WEBP") != bytes.npos)
    return "image/webp";
  if (bytes.substr(0, 1024).find("<svg") != bytes.npos) return "image/svg+xml";
  return {};
}

Value image_file(NativeContext& cx, const Value* path, ViewCall& call, const Value& options) {
  constexpr std::size_t kMostBytes = std::size_t{16} << 20;
  std::string bytes;
  if (!read_file(cx, "image-view", path, &bytes)) {
    if (cx.failure.code != Code::U002) return Value::nil();
    // A worksheet shows what is missing and continues.
    cx.status = NativeContext::Status::Ok;
    return call.view("image", {{"path", *path},
                               {"missing", make_string(*cx.arena, cx.failure.message)},
                               {"options", options}});
  }
  const std::string_view type = image_type(bytes);
  if (type.empty() || bytes.size() > kMostBytes)
    return cx.fail(Code::U003,
                   fmt::format("image-view: {} {}", to_str(cx, *path),
                               type.empty() ? "is not a picture" : "is larger than 16 MB"),
                   0, "pictures are PNG, JPEG, GIF, WebP or SVG files");
  const std::string source = fmt::format("data:{};base64,{}", type, base64(bytes));
  return call.view(
      "image", {{"path", *path}, {"source", make_string(*cx.arena, source)}, {"options", options}});
}

// A file, or rows of grey levels from 0 (the background) to 1.
Value image_view(NativeContext& cx, const Value* a, std::uint32_t n) {
  ViewCall call(cx, "image-view", a, n, 1);
  Value options;
  if (!call.options(&options)) return Value::nil();
  if (path_of(a[0])) return image_file(cx, a, call, options);
  // What ImageIO/read gives: a map with the path of the file.
  if (const Value* path = is_map(a[0]) ? map_find(a[0], keyword_of("path")) : nullptr)
    return image_file(cx, path, call, options);
  std::vector<Value> items, rows;
  if (!call.items(0, &items)) return Value::nil();
  std::size_t width = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<Value> levels;
    if (!is_sequential(items[i]))
      return call.wrong(0, "a file name or rows of numbers", items[i], i);
    for (SeqCursor it(cx, items[i], "image-view", 0); it.next();) {
      if (!it.item().is_number()) return call.wrong(0, "rows of numbers", it.item(), i);
      levels.push_back(Value::real(to_double(it.item())));
    }
    if (!cx.ok()) return Value::nil();
    if (i > 0 && levels.size() != width)
      return cx.fail(Code::R009,
                     fmt::format("image-view: row {} has {} numbers, the first one has {}", i,
                                 levels.size(), width),
                     0);
    width = levels.size();
    rows.push_back(vector_of(cx, levels));
  }
  return call.view("image", {{"rows", vector_of(cx, rows)}, {"options", options}});
}

constexpr NativeDef kViewsNatives[] = {
    {"list-plot", 1, -1, list_plot, kPure, "[data & options]",
     "Points: pairs [x y], or numbers at 0, 1, 2 and so on; :joined true draws a line."},
    {"band-plot", 1, -1, band_plot, kPure, "[data & options]",
     "The area between two curves: triples [x low high]."},
    {"%function-plot", 1, -1, function_plot, kPure, "[points & options]",
     "The graph of a function at these points."},
    {"histogram", 1, -1, histogram, kPure, "[data & options]",
     "A histogram of numbers; :bins, :normalize :count, :probability or :probability-density."},
    {"bar-chart", 2, -1, bar_chart, kPure, "[categories values & options]",
     "Bars of the values over the categories."},
    {"compose", 1, -1, compose, kPure, "[& plots]", "Several plots in one, with common axes."},
    {"list-view", 1, -1, list_view, kPure, "[items & options]",
     "The items one after another, each as it is shown."},
    {"table-view", 1, -1, table_view, kPure, "[rows & options]",
     "A table of rows, sequences or maps; :columns names its columns."},
    {"grid-view", 1, -1, grid_view, kPure, "[rows & options]",
     "Rows of values, each as it is shown: pictures beside each other."},
    {"html-view", 1, 1, text_view<"html-view", "html">, kPure, "[text]",
     "Text with a few elements of HTML; scripts and addresses are left out."},
    {"latex-view", 1, 1, text_view<"latex-view", "latex">, kPure, "[text]", "A formula of TeX."},
    {"image-view", 1, -1, image_view, 0, "[image & options]",
     "A picture: the name of a file, or rows of grey levels from 0 to 1."},
};

}  // namespace

std::span<const NativeDef> view_natives() { return kViewsNatives; }

}  // namespace chancel
