// SPDX-License-Identifier: Apache-2.0
#include "paper/page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "chancel/chancel.hpp"
#include "paper/html.hpp"

namespace chancel::paper {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--page:#fff;--text:#1c1c1c;--soft:#5c5c5c;--rule:#dddddd;--good:#1b6e3c;--half:#8a5a00;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--page:#17191c;--text:#ececec;--soft:#b0b0b0;--rule:#3a3d42;--good:#6fd08c;--half:#f0b95a;--bad:#ff8a80}}
body{margin:0 auto;padding:1.5rem;max-width:1180px;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.8rem;line-height:1.2;margin:.5rem 0}h2{margin:2.5rem 0 .5rem;border-top:1px solid var(--rule);padding-top:1.2rem}
h3{margin:1.6rem 0 .3rem}details{margin:.3rem 0}pre{overflow-x:auto;font-size:.82rem;padding:.6rem;border:1px solid var(--rule);border-radius:6px}p,li{max-width:52rem}code{font-size:.9em}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(400px,1fr));gap:.8rem}
.figures svg{width:100%;height:auto;border:1px solid var(--rule);border-radius:6px}
.note{color:var(--soft);font-size:.9rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;margin:.6rem 0}
th,td{padding:.28rem .6rem;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top}
th:first-child,td:first-child{text-align:left}.words td{text-align:left}.words th{text-align:left}
.good{color:var(--good);font-weight:600}.half{color:var(--half);font-weight:600}.bad{color:var(--bad);font-weight:600}
@media print{body{max-width:none}.figures{grid-template-columns:1fr 1fr}h2{break-before:page}}
)";

std::string verdict_html(Finding::Verdict v) {
  switch (v) {
    case Finding::Verdict::Holds:
      return "<span class=\"good\">holds</span>";
    case Finding::Verdict::HoldsPartly:
      return "<span class=\"half\">holds in part</span>";
    case Finding::Verdict::DoesNotHold:
      return "<span class=\"bad\">does not hold</span>";
    case Finding::Verdict::Measured:
      break;
  }
  return "measured";
}

const char* verdict_word(Finding::Verdict v) {
  constexpr const char* kWords[] = {"holds", "holds in part", "does not hold", "measured"};
  return kWords[static_cast<int>(v)];
}

void write_tables(const Store& store, const Told& told) {
  std::string data = "cell,what,values\n", times = data;
  for (const Cell& cell : told.cells) {
    const CellResult result = store.get(cell.name);
    const auto append = [&](std::string& out, const Rows& rows) {
      const std::string text = rows.text();
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        out += cell.name + "," + text.substr(at, end - at + 1);
        at = end + 1;
      }
    };
    append(data, result.data);
    append(times, result.times);
  }
  store.write(fmt::format("data/{}.csv", told.experiment->name), data);
  store.write(fmt::format("data/{}-times.csv", told.experiment->name), times);
}

std::string findings_table(const std::vector<Finding>& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const Finding& f : findings) rows.push_back({f.claim, verdict_html(f.verdict), f.evidence});
  return "<div class=\"words\">" + html_table({"the paper says", "here it", "the data"}, rows) +
         "</div>";
}

}  // namespace

void write_results(const Settings& settings, const Store& store, const std::vector<Told>& told) {
  std::string body, contents;
  std::vector<Finding> findings;
  nlohmann::json list = nlohmann::json::array();
  for (const Told& t : told) {
    write_tables(store, t);
    const Section section = t.experiment->section(settings, store);
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>", t.experiment->name, section.title);
    body += fmt::format("<section id=\"{}\"><h2>{}</h2>{}", t.experiment->name, section.title,
                        section.intro);
    for (const Section::Row& row : section.rows) {
      body += fmt::format("<h3>{}</h3><div class=\"figures\">", row.heading);
      for (const Section::Figure& figure : row.figures) {
        const std::string svg = figure.chart.svg();
        store.write("figures/" + figure.name + ".svg", svg);
        body += svg + "\n";
      }
      body += "</div>";
      if (!row.caption.empty()) body += "<p class=\"note\">" + row.caption + "</p>";
    }
    body += section.tables;
    if (!section.findings.empty()) body += "<h3>Findings</h3>" + findings_table(section.findings);
    body += fmt::format(
        "<p class=\"note\">Raw data: <a href=\"data/{0}.csv\">data/{0}.csv</a>, times: <a "
        "href=\"data/{0}-times.csv\">data/{0}-times.csv</a>.</p></section>\n",
        t.experiment->name);
    for (const Finding& f : section.findings) {
      findings.push_back(f);
      list.push_back({{"experiment", t.experiment->name},
                      {"claim", f.claim},
                      {"verdict", verdict_word(f.verdict)}});
    }
  }
  store.write("data/findings.json", list.dump(1) + "\n");

  std::vector<std::vector<std::string>> summary;
  for (const Finding& f : findings)
    if (f.verdict != Finding::Verdict::Measured)
      summary.push_back({f.claim, verdict_html(f.verdict)});
  store.write(
      "index.html",
      fmt::format(
          "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width,initial-scale=1\"><title>The paper, "
          "reproduced</title><style>{}</style></head><body>"
          "<h1>A new approach to probabilistic programming inference, reproduced</h1>"
          "<p>Every figure of Wood, van de Meent and Mansinghka (AISTATS 2014), made by Chancel {} "
          "with the programs printed in the "
          "paper, beside the exact answer. PMCMC is the engine <code>pgibbs</code>, RDB is "
          "<code>lmh</code>. Lower is better "
          "throughout.</p>"
          "<p class=\"note\">Made by <code>chancel paper{} --runs {} --seed {}</code>. Distances, "
          "applications and posteriors are the "
          "same bits for the same seed on any number of threads; times are measurements of this "
          "machine and are kept in files of "
          "their own.</p><ul>{}</ul><h2>What holds</h2><div "
          "class=\"words\">{}</div>{}</body></html>\n",
          kStyle, version(), settings.quick ? " --quick" : "", settings.runs, settings.seed,
          contents, html_table({"finding of the paper", "in our data it"}, summary), body));
}

}  // namespace chancel::paper
