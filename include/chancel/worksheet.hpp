// SPDX-License-Identifier: Apache-2.0
// Worksheets: how values are shown, and pages of evaluated forms. docs/worksheets.md describes what
// people see.
//
//   chancel::Script script(options, seed);
//   chancel::WorksheetPage page("coins.clj", text);
//   script.evaluate_forms(text, "coins.clj", [&](const chancel::Form& form) {
//     if (!form.is_definition) std::cout << chancel::show_text(form.value) << "\n";
//     page.add(form);
//     return true;
//   });
//   page.write("coins.html");
//
// Plots and views (list-plot, histogram, table-view ...) are drawn, draws of doquery are summarised,
// other values are printed as pr does, cut where they are long. Values must have been evaluated as
// those of a Form are.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "chancel/summary.hpp"

namespace chancel {

struct TextStyle {
  std::size_t columns = 80;
  std::size_t most = 600;  // characters of a printed value
  bool colour = false;
};
// As lines of text, without a line end after the last one.
std::string show_text(const ValueView& value, const TextStyle& style = {});
// As an HTML fragment that needs nothing else: tables, and charts in SVG. It takes the colour of text
// from where it is put.
std::string show_html(const ValueView& value);
// The summary of a run: its tables, warnings, and the other statistics in a part that a click
// opens.
std::string show_html(const Summary& summary, const RunStatistics& statistics, const RunInfo& info);
// Whether show_html has more than the text: the value is or holds a plot, a view or draws.
bool is_rich(const ValueView& value);
// The formula of a latex-view, which notebooks draw themselves; else nothing.
std::optional<std::string> latex_of(const ValueView& value);

// A part of a worksheet. Files of Gorilla have segments: code between lines ";; @@", Markdown
// between lines ";; **", stored output (";; =>" to ";; <=", ";; ->" to ";; <-"), which is left out.
// Text outside segments is code.
struct WorksheetCell {
  bool markdown = false;
  std::string text;                // of Markdown: without its ";;; "
  std::size_t begin = 0, end = 0;  // of code: the bytes of the file
  std::size_t line = 0;
};
std::vector<WorksheetCell> worksheet_cells(std::string_view text);

// A worksheet as one HTML page that needs nothing else. Forms are added in their order, while their
// values are good; source that no form was added for is shown as not evaluated.
class WorksheetPage {
 public:
  // `name` is shown; `text` is the whole file.
  WorksheetPage(std::string name, std::string text, std::uint64_t seed = 0);
  ~WorksheetPage();
  WorksheetPage(const WorksheetPage&) = delete;
  WorksheetPage& operator=(const WorksheetPage&) = delete;
  void add(const Form& form);
  std::size_t pictures() const;  // so far: charts and images
  std::string make() const;
  void write(const std::string& file) const;  // throws Error (U004)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace chancel
