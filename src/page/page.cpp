// SPDX-License-Identifier: Apache-2.0
// A page from its parts: see chancel/report_page.hpp. The HTML is complete but for the charts,
// which report.js draws from the data in the page when they come into view.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "chancel/report_page.hpp"
#include "chancel/run_directory.hpp"
#include "page/asset.hpp"
#include "page/draw_store.hpp"
#include "page/energy_chart.hpp"
#include "page/figure.hpp"
#include "page/label_charts.hpp"
#include "page/model_sections.hpp"
#include "page/pair_charts.hpp"
#include "page/predictive_checks.hpp"
#include "page/program_html.hpp"
#include "page/run_data.hpp"
#include "page/summary_html.hpp"
#include "page/sweep_charts.hpp"
#include "report/run_file.hpp"
#include "report/run_json.hpp"
#include "report/stored_draws.hpp"
#include "report/text_table.hpp"

namespace chancel {

using namespace page;

struct ReportPage::Impl {
  Barriers barriers;
  Ancestry ancestry;
  Profile profile;
  std::vector<std::string> pairs;
};

ReportPage::ReportPage() : impl_(std::make_unique<Impl>()) {}
ReportPage::~ReportPage() = default;
void ReportPage::barrier(const Barrier& b) { impl_->barriers.add(b); }
void ReportPage::descent(const Descent& d) { impl_->ancestry[{d.chain, d.sweep}].push_back(d); }
void ReportPage::profile(const std::vector<LineProfile>& lines) {
  impl_->profile = profile_of(profile_csv(lines));
}

void ReportPage::pairs(const std::vector<std::string>& labels) { impl_->pairs = labels; }

namespace {

constexpr std::size_t kMaxRows = 200;         // rows that get charts of their own
constexpr std::size_t kMaxRowsOfLabel = 50;   // parts of one label that do
constexpr std::size_t kMaxPoints = 60'000;    // of all traces together
constexpr std::size_t kMaxTrees = 2;          // family trees: those of the first chain
constexpr std::size_t kMaxLabelsInLine = 12;  // in the table of contents; more stand in columns

// A label with its parts: rows of the summary that follow each other.
struct Group {
  std::size_t begin, end;
  std::size_t size() const { return end - begin; }
};

std::vector<Group> groups_of(const std::vector<Estimate>& rows) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (groups.empty() || rows[groups.back().begin].predict != rows[i].predict)
      groups.push_back({i, i});
    groups.back().end = i + 1;
  }
  return groups;
}

std::string charts_html(const Json& charts, std::size_t at) {
  const std::string label = charts.at("label");
  std::string out = "<div class=\"charts\">\n";
  if (charts.contains("histogram")) out += figure("distribution", at, "Distribution", label, false);
  if (charts.contains("bars")) out += figure("bars", at, "Probability of each value", label, false);
  if (charts.contains("trace")) out += figure("trace", at, "Trace", label, false);
  if (charts.contains("ranks"))
    out += figure("ranks", at, "Ranks: flat when all parts agree", label, false);
  if (charts.contains("autocorrelation"))
    out += figure("autocorrelation", at, "Autocorrelation", label, false);
  if (charts.contains("running"))
    out += figure(
        "running", at,
        charts.at("running").at("probability").get<bool>() ? "Running probability" : "Running mean",
        label, false);
  return out + "</div>\n";
}

// All that is drawn.
struct Material {
  const RunRecord& run;
  const Summary& summary;
  const Barriers& barriers;
  const Profile& profile;
  Json rows = Json::array();               // charts, in the order of `charted`
  Json groups = Json::array();             // overviews of labels with parts
  std::vector<std::size_t> chart_of = {};  // row of the summary -> index in `rows`, or npos
  std::size_t step = 1;                    // every step-th draw is charted
  double particles = 0;
  Json ess = nullptr, ancestry = Json::array();
  Json checks = Json::array(), pairs = nullptr, energy = nullptr;
  bool pairs_chosen = false;  // of more labels
};
constexpr std::size_t kNone = ~std::size_t{0};

Material collect(const ReportPage::Impl& page, const RunRecord& run, const SummaryBuilder& draws,
                 const Summary& summary) {
  Material m{run, summary, page.barriers, page.profile};
  m.particles = particles_of(run.description.info, run.statistics.engine);
  m.ess = ess_chart(m.barriers, m.particles);
  for (const auto& [place, descents] : page.ancestry) {
    const Json tree = ancestry_chart(place.first, place.second, descents);
    if (!tree.is_null() && m.ancestry.size() < kMaxTrees) m.ancestry.push_back(tree);
  }

  m.chart_of.assign(m.summary.estimates.size(), kNone);
  std::vector<std::size_t> charted;
  const std::vector<Group> groups = groups_of(m.summary.estimates);
  for (const Group& group : groups)
    for (std::size_t i = group.begin; i < std::min(group.end, group.begin + kMaxRowsOfLabel); ++i)
      if (charted.size() < kMaxRows) charted.push_back(i);
  ChartBudget budget;
  budget.points = std::clamp<std::size_t>(kMaxPoints / std::max<std::size_t>(1, charted.size()),
                                          300, budget.points);
  const DrawStore store(draws.columns(), charted.size());
  m.step = budget.step = store.step();
  for (const std::size_t i : charted) {
    m.chart_of[i] = m.rows.size();
    const Estimate& row = m.summary.estimates[i];
    m.rows.push_back(label_charts(row, store.series(i, row), budget));
  }
  m.checks = predictive_checks(run, summary, store);
  const PairChoice choice = choose_pairs(summary, run.statistics, store, page.pairs);
  m.pairs = pair_charts(choice, summary, store);
  m.pairs_chosen = choice.chosen;
  m.energy = energy_chart(draws.columns().energies_by_chain());
  for (const Group& group : groups)
    m.groups.push_back(group.size() > 1
                           ? group_chart({m.summary.estimates.data() + group.begin, group.size()})
                           : Json(nullptr));
  return m;
}

std::string labels_html(const Material& m) {
  std::string out;
  const std::vector<Group> groups = groups_of(m.summary.estimates);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group& group = groups[g];
    const std::string label = m.summary.estimates[group.begin].predict;
    out += fmt::format("<section id=\"label-{}\"><h2><code>{}</code></h2>\n", g, html(label));
    if (!m.groups[g].is_null())
      out += "<div class=\"charts\">" +
             figure("group", g,
                    m.groups[g].contains("mean") ? "Mean and 5 % to 95 % of each part"
                                                 : "Probabilities of each part",
                    label, true) +
             "</div>\n";
    std::size_t left = 0;
    if (group.size() > 1) out += "<div class=\"parts\">\n";
    for (std::size_t i = group.begin; i < group.end; ++i) {
      if (m.chart_of[i] == kNone) {
        ++left;
      } else if (group.size() == 1) {
        const std::string path = m.summary.estimates[i].path;
        if (!path.empty()) out += "<h3><code>" + html(path) + "</code></h3>\n";
        out += charts_html(m.rows[m.chart_of[i]], m.chart_of[i]);
      } else {
        out += "<details class=\"part\"><summary><code>" + html(m.summary.estimates[i].label()) +
               "</code></summary>\n" + charts_html(m.rows[m.chart_of[i]], m.chart_of[i]) +
               "</details>\n";
      }
    }
    if (group.size() > 1) out += "</div>\n";
    if (left > 0)
      out += fmt::format(
          "<p class=\"note\">{} more part{} without charts of {} own; the summary has {}.</p>\n",
          left, left == 1 ? "" : "s", left == 1 ? "its" : "their", left == 1 ? "it" : "them");
    out += "</section>\n";
  }
  return out;
}

std::string sweeps_html(const Material& m) {
  if (m.ess.is_null() && m.ancestry.empty()) return {};
  std::string out = "<section id=\"sweeps\"><h2>Sweeps</h2>\n<div class=\"charts\">\n";
  if (!m.ess.is_null())
    out +=
        figure("ess", 0,
               "Effective sample size at each observe, by source line: mean and range over sweeps",
               "sweeps", true);
  out += "</div>\n<div class=\"charts pair\">\n";
  for (std::size_t i = 0; i < m.ancestry.size(); ++i)
    out += figure("ancestry", i,
                  fmt::format("Family tree of sweep {}: which particles have descendants",
                              m.ancestry[i].at("sweep").get<std::uint64_t>() + 1),
                  "sweeps", false);
  return out + "</div></section>\n";
}

std::string contents_html(const Material& m, bool warnings, bool notes) {
  std::string out = "<nav aria-label=\"Contents\"><ul>\n";
  const auto entry = [&](const std::string& id, const std::string& text) {
    out += "<li><a href=\"#" + id + "\">" + text + "</a></li>\n";
  };
  if (warnings) entry("warnings", "Warnings");
  if (notes) entry("notes", "Notes");
  entry("summary", "Summary");
  const std::vector<Group> groups = groups_of(m.summary.estimates);
  const bool many = groups.size() > kMaxLabelsInLine;
  if (many)
    out += fmt::format("<li class=\"many\"><details><summary>{} labels</summary><ul>\n",
                       groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    entry(fmt::format("label-{}", g),
          "<code>" + html(m.summary.estimates[groups[g].begin].predict) + "</code>");
  if (many) out += "</ul></details></li>\n";
  if (!m.checks.empty()) entry("checks", "Predictive checks");
  if (!m.pairs.is_null()) entry("pairs", "Pairs");
  if (!m.energy.is_null()) entry("moves", "Moves");
  if (!m.ess.is_null() || !m.ancestry.empty()) entry("sweeps", "Sweeps");
  entry("program", "Program");
  entry("run", "Run");
  return out + "</ul></nav>\n";
}

std::string lead_text(const Material& m) {
  const RunInfo& info = m.run.description.info;
  std::string out =
      fmt::format("{} draws by <code>{}</code>", m.summary.draws,
                  html(m.run.statistics.engine.empty() ? info.algorithm : m.run.statistics.engine));
  if (!info.engine_options.empty())
    out += " <code>" + html(print_engine_options(info.engine_options)) + "</code>";
  if (m.summary.chains > 1) out += fmt::format(", {} chains", m.summary.chains);
  if (m.summary.weighted)
    out += fmt::format(", weighted, effective sample size {:.1f}{}", m.summary.weight_ess,
                       report::pareto_k_text(m.summary.pareto_k));
  out += fmt::format(", seed {}", info.seed);
  if (m.run.statistics.log_evidence) {
    out += fmt::format(". Log-evidence {:.4f}", *m.run.statistics.log_evidence);
    if (m.run.statistics.log_evidence_se && std::isfinite(*m.run.statistics.log_evidence_se))
      out += fmt::format(" ± {:.4f}", *m.run.statistics.log_evidence_se);
  }
  out += ".";
  if (m.step > 1)
    out += fmt::format(" The charts show every {}th draw, the summary is of all.", m.step);
  if (m.run.status == RunStatus::Running) out += " <b>The run has not finished.</b>";
  if (m.run.status == RunStatus::Interrupted) out += " <b>The run was stopped early.</b>";
  if (m.run.status == RunStatus::Failed) out += " <b>The run failed.</b>";
  return out;
}

}  // namespace

std::string ReportPage::make(const RunRecord& run, const SummaryBuilder& draws,
                             const Summary& summary) const {
  const Material m = collect(*impl_, run, draws, summary);
  const RunInfo& info = m.run.description.info;
  const std::string heading = info.query.empty() ? info.program : info.query;
  const std::vector<Advice> advice = advise(m.summary, m.run.statistics);
  const std::string warnings = warnings_html(advice), notes = notes_html(advice);
  const Json data{{"weighted", m.summary.weighted},
                  {"rows", m.rows},
                  {"groups", m.groups},
                  {"checks", m.checks},
                  {"pairs", m.pairs},
                  {"energy", m.energy},
                  {"ess", m.ess},
                  {"ancestry", m.ancestry}};
  return fill(
      asset("report.html"),
      {{"title", html(heading + " - " + info.program)},
       {"generator", html(std::string("chancel ") + version())},
       {"heading", html(heading)},
       {"lead", lead_text(m)},
       {"css", std::string(asset("report.css"))},
       {"contents", contents_html(m, !warnings.empty(), !notes.empty())},
       {"warnings", warnings + notes},
       {"summary", summary_html(m.summary)},
       {"labels", labels_html(m)},
       {"checks", checks_html(m.checks, info.prior)},
       {"pairs", pairs_html(m.pairs, m.pairs_chosen)},
       {"moves", moves_html(m.energy, m.run.statistics)},
       {"sweeps", sweeps_html(m)},
       {"program",
        program_html(info.program, m.run.description.source, m.barriers, m.particles, m.profile)},
       {"run", "<section id=\"run\"><h2>Run</h2>\n<pre>" +
                   html(statistics_text(m.summary, m.run.statistics, info)) + "</pre></section>\n"},
       {"footer", html(fmt::format("Made by Chancel {}.", version()))},
       {"licence", html(asset("chart.js.licence.txt"))},
       {"data", script_json(data.dump(-1, ' ', false, Json::error_handler_t::replace))},
       {"chart.js", std::string(asset("chart.min.js"))},
       {"js", std::string(asset("charts.js")) + std::string(asset("report.js"))}});
}

void ReportPage::write(const std::string& file, const RunRecord& run, const SummaryBuilder& draws,
                       const Summary& summary) const {
  report::replace_file(file, make(run, draws, summary));
}

std::string report_page(const std::string& directory, const std::vector<std::string>& pairs) {
  const report::RunFolder folder(directory);
  const RunRecord run = report::parse_run_json(folder);
  const SummaryBuilder draws = report::stored_draws({directory});
  ReportPage page;
  page.pairs(pairs);
  for_barriers(folder, [&](const Barrier& b) { page.barrier(b); });
  for_descents(folder, [&](const Descent& d) { page.descent(d); });
  page.impl_->profile = read_profile(folder);
  return page.make(run, draws, report::summarize_stored(draws, run.statistics));
}

void write_report_page(const std::string& directory, const std::string& file,
                       const std::vector<std::string>& pairs) {
  report::replace_file(file, report_page(directory, pairs));
}

}  // namespace chancel
