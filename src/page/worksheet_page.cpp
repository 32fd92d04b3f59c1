// SPDX-License-Identifier: Apache-2.0
// The page of a worksheet: its text and its forms in their order, each form with what came of it.
// The HTML is complete but for the charts, which worksheet.js draws from the data in the page.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "chancel/worksheet.hpp"
#include "page/asset.hpp"
#include "page/chart_json.hpp"
#include "page/chart_svg.hpp"
#include "page/figure.hpp"
#include "page/html_text.hpp"
#include "page/markdown.hpp"
#include "page/source_view.hpp"
#include "page/summary_html.hpp"
#include "page/value_html.hpp"
#include "report/run_file.hpp"
#include "report/text_table.hpp"
#include "report/view_parts.hpp"

namespace chancel {

using namespace page;

namespace {

constexpr std::size_t kMostText = 2000;  // characters of a printed value
constexpr double kWorthTelling = 0.5;    // seconds

std::string coloured(std::string_view source) {
  std::string out;
  for (const std::string& line : coloured_lines(source)) out += (out.empty() ? "" : "\n") + line;
  return out;
}

// Messages may come with the colours of a terminal.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    out += text[i];
  }
  return out;
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Blank lines at both ends are left out, and so are blanks after the text.
std::string_view without_blank_lines(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  const std::size_t line = text.rfind('\n', first);
  text.remove_prefix(line == text.npos ? 0 : line + 1);
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

// Whether nothing but comments is there.
bool is_comment(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != line.npos && line[first] != ';') return false;
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return true;
}

struct Evaluated {
  std::size_t begin, end;
  std::string result;  // HTML; empty: nothing to show
  double seconds;
};

}  // namespace

struct WorksheetPage::Impl {
  std::string name, text;
  std::uint64_t seed;
  std::vector<Evaluated> forms;
  std::size_t failures = 0;
  std::string before;  // what is wrong with the whole text
  Json charts = Json::array();
  ValueHtml values{[this](const report::Chart& chart) { return canvas_of(chart); }, kMostText};

  std::string canvas_of(const report::Chart& chart) {
    charts.push_back(chart_json(chart));
    const std::string title = chart.y_title.empty() && chart.x_title.empty()
                                  ? "chart"
                                  : chart.y_title + " over " + chart.x_title;
    return fmt::format("<div class=\"chart\" style=\"width:{:.0f}px;aspect-ratio:{:.4f}\">{}</div>",
                       chart.width, chart.width / chart.height,
                       canvas("plot", charts.size() - 1, title));
  }

  std::string result_of(const Form& form) {
    std::string out;
    if (!form.output.empty())
      out += "<pre class=\"output\">" + html(without_blank_lines(form.output)) + "</pre>\n";
    for (const std::vector<Message>* said : {&form.warnings, &form.errors})
      for (const Message& message : *said)
        out += fmt::format("<pre class=\"{}\">{}</pre>\n", message.error ? "error" : "warning",
                           html(without_escapes(message.text)));
    if (form.failed() || form.is_definition) return out;
    const bool nil = form.value.kind() == ValueView::Kind::Nil;
    if (!nil || out.empty()) out += values.block(form.value);
    return out;
  }

  std::string code_cell(const WorksheetCell& cell) const {
    std::string out;
    std::size_t at = cell.begin;       // up to here has been shown
    std::size_t pending = cell.begin;  // source that waits for a result begins here
    const auto flush = [&](std::size_t end, const std::string& result, double seconds) {
      const std::string_view source =
          without_blank_lines(std::string_view(text).substr(pending, end - pending));
      pending = end;
      if (source.empty() && result.empty()) return;
      out += "<div class=\"cell\">";
      if (!source.empty()) out += "<pre class=\"program\">" + coloured(source) + "</pre>";
      if (seconds >= kWorthTelling)
        out += "<span class=\"time\">" + report::seconds_text(seconds) + "</span>";
      if (!result.empty()) out += "<div class=\"result\">\n" + result + "</div>";
      out += "</div>\n";
    };
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const Evaluated& form = forms[i];
      if (form.begin < cell.begin || form.begin >= cell.end) continue;
      at = std::min(form.end, cell.end);
      // A comment after the form, on its line.
      const std::size_t line_end = std::min(text.find('\n', at), cell.end);
      const bool next_is_here = i + 1 < forms.size() && forms[i + 1].begin < line_end;
      if (!next_is_here && is_comment(std::string_view(text).substr(at, line_end - at)))
        at = line_end;
      if (!form.result.empty() || form.seconds >= kWorthTelling)
        flush(at, form.result, form.seconds);
    }
    flush(at, "", 0);
    const std::string_view rest = std::string_view(text).substr(at, cell.end - at);
    if (is_blank(rest)) return out;
    flush(cell.end, is_comment(rest) ? "" : "<p class=\"note\">not evaluated</p>", 0);
    return out;
  }
};

WorksheetPage::WorksheetPage(std::string name, std::string text, std::uint64_t seed)
    : impl_(std::make_unique<Impl>()) {
  impl_->name = std::move(name);
  impl_->text = std::move(text);
  impl_->seed = seed;
}
WorksheetPage::~WorksheetPage() = default;

void WorksheetPage::add(const Form& form) {
  const std::string result = impl_->result_of(form);
  if (form.failed()) ++impl_->failures;
  if (form.source.empty() && form.end == 0)
    impl_->before += result;
  else
    impl_->forms.push_back({form.begin, form.end, result, form.seconds});
}

std::size_t WorksheetPage::pictures() const { return impl_->values.pictures(); }

std::string WorksheetPage::make() const {
  const Impl& x = *impl_;
  std::vector<Heading> headings;
  std::string body;
  if (!x.before.empty())
    body += "<div class=\"cell\"><div class=\"result\">" + x.before + "</div></div>\n";
  for (const WorksheetCell& cell : worksheet_cells(x.text))
    body += cell.markdown
                ? "<section class=\"text\">" + markdown_html(cell.text, headings) + "</section>\n"
                : x.code_cell(cell);
  std::string title = x.name, contents;
  std::size_t sections = 0;
  for (const Heading& h : headings)
    if (h.level == 2) {
      contents += fmt::format("<li><a href=\"#{}\">{}</a></li>", h.id, h.html);
      ++sections;
    }
  const auto first =
      std::find_if(headings.begin(), headings.end(), [](const Heading& h) { return h.level == 1; });
  std::string heading;
  if (first != headings.end()) {
    title = report::without_tags(first->html);
  } else {
    heading = "<h1>" + html(x.name) + "</h1>\n";
    title = html(x.name);
  }
  const auto counted = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::string lead =
      fmt::format("<code>{}</code>, {}, {}, seed {}", html(x.name), counted(x.forms.size(), "form"),
                  counted(x.values.pictures(), "picture"), x.seed);
  if (x.failures > 0) lead += fmt::format(", <b class=\"bad\">{} failed</b>", x.failures);
  const Json data = {{"charts", x.charts}};
  return fill(asset("worksheet.html"),
              {{"generator", fmt::format("Chancel {}", version())},
               {"title", title},
               {"css", std::string(asset("report.css")) + std::string(asset("worksheet.css"))},
               {"heading", heading},
               {"lead", lead},
               {"contents", sections < 2 ? "" : "<nav><ul>" + contents + "</ul></nav>"},
               {"body", body},
               {"footer", fmt::format("Evaluated by Chancel {}.", version())},
               {"licence", html(asset("chart.js.licence.txt"))},
               {"data", script_json(data.dump(-1, ' ', false, Json::error_handler_t::replace))},
               {"chart.js", std::string(asset("chart.min.js"))},
               {"js", std::string(asset("charts.js")) + std::string(asset("worksheet.js"))}});
}

void WorksheetPage::write(const std::string& file) const { report::replace_file(file, make()); }

std::string show_html(const ValueView& value) {
  ValueHtml values([](const report::Chart& chart) { return chart_svg(chart); }, kMostText);
  return values.block(value);
}

std::string show_html(const Summary& summary, const RunStatistics& statistics,
                      const RunInfo& info) {
  std::string out = summary_tables(summary, "");
  for (const Advice& a : advise(summary, statistics)) {
    out += fmt::format("<p><b>{}</b> {}",
                       a.weight == Advice::Weight::Grave   ? "Do not trust this:"
                       : a.weight == Advice::Weight::Doubt ? "Warning:"
                                                           : "Note:",
                       html(a.message));
    if (!a.hint.empty()) out += "<br><small>" + html(a.hint) + "</small>";
    out += "</p>\n";
  }
  return out + "<details><summary>" + fmt::format("{} draws", summary.draws) + "</summary><pre>" +
         html(statistics_text(summary, statistics, info)) + "</pre></details>\n";
}

}  // namespace chancel
