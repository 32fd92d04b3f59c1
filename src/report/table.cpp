// SPDX-License-Identifier: Apache-2.0
// The summary as people read it: one table of real quantities in Stan's columns, one of
// probabilities for each discrete label (a column a value where they are few, a line a value
// otherwise), the most probable structures, a line for each vector that is folded, then the run's own statistics, then advice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "chancel/summary.hpp"
#include "report/acceptance.hpp"
#include "report/command_to_repeat.hpp"
#include "report/divergence_text.hpp"
#include "report/evidence_text.hpp"
#include "report/text_table.hpp"

namespace chancel {
namespace {

using namespace report;

using Kind = Estimate::Kind;
using Rows = std::vector<const Estimate*>;

constexpr std::size_t kMaxValueColumns = 6;   // probabilities side by side, each with its error
constexpr std::size_t kMaxDenseColumns = 12;  // without
constexpr std::size_t kMaxValueWidth = 60;    // characters of a printed structure

std::string ess_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.0f}", value);
}
std::string error_text(double mcse) { return std::isnan(mcse) ? "-" : fmt::format("{:.4f}", mcse); }
std::string share_text(const Support& s) {
  if (std::isnan(s.mcse)) return fmt::format("{:.4f}", s.probability);
  return fmt::format("{:.4f} ± {:.4f}", s.probability, s.mcse);
}

std::string remark(const Estimate& row) {
  std::string text =
      row.presence < 0.99999 ? fmt::format("in {:.1f} % of draws", 100 * row.presence) : "";
  if (row.never_changed()) {
    if (!text.empty()) text += ", ";
    text +=
        row.change == Estimate::Change::Coalesced ? "one value: shared ancestor" : "never changed";
  }
  return text;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kMaxValueWidth) return text;
  std::size_t end = kMaxValueWidth - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string real_table(const Rows& rows, bool colour) {
  TextTable table;
  table.add_row(
      {"", "Mean", "MCSE", "StdDev", "MAD", "5%", "50%", "95%", "ESS_bulk", "ESS_tail", "R_hat"});
  for (const Estimate* row : rows) {
    table.add_row({row->label(), short_number(row->mean), short_number(row->mcse),
                   short_number(row->sd), short_number(row->mad), short_number(row->q5),
                   short_number(row->q50), short_number(row->q95), ess_text(row->ess_bulk),
                   ess_text(row->ess_tail), r_hat_text(row->r_hat), remark(*row)});
  }
  return table.text(colour);
}

// The values of all rows in one order: integers by size (support comes sorted), others by first
// appearance.
std::vector<std::string> all_values(const Rows& rows) {
  std::vector<std::string> values;
  bool numeric = true;
  for (const Estimate* row : rows) {
    numeric = numeric && row->numeric;
    for (const Support& s : row->support) {
      if (std::find(values.begin(), values.end(), s.value) == values.end())
        values.push_back(s.value);
    }
  }
  if (numeric) {
    std::sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
      return std::stoll(a) < std::stoll(b);
    });
  } else {
    std::sort(values.begin(), values.end());
  }
  return values;
}

const Support* find_value(const Estimate& row, const std::string& value) {
  const auto found = std::find_if(row.support.begin(), row.support.end(),
                                  [&](const Support& s) { return s.value == value; });
  return found == row.support.end() ? nullptr : &*found;
}

std::string wide_table(const Rows& rows, const std::vector<std::string>& values, bool colour) {
  TextTable table;
  std::vector<std::string> head = {""};
  for (const std::string& value : values) head.push_back("P(" + value + ")");
  head.insert(head.end(), {"ESS_bulk", "R_hat"});
  table.add_row(head);
  for (const Estimate* row : rows) {
    std::vector<std::string> cells = {row->label()};
    for (const std::string& value : values) {
      const Support* s = find_value(*row, value);
      cells.push_back(s == nullptr ? "0" : share_text(*s));
    }
    cells.insert(cells.end(), {ess_text(row->ess_bulk), r_hat_text(row->r_hat), remark(*row)});
    table.add_row(cells);
  }
  return table.text(colour);
}

// Probabilities of many values side by side: no room for each error, so the largest is shown.
std::string dense_table(const Rows& rows, const std::vector<std::string>& values, bool colour) {
  TextTable table;
  std::vector<std::string> head = {""};
  for (const std::string& value : values) head.push_back("P(" + value + ")");
  head.insert(head.end(), {"MCSE <=", "ESS_bulk", "R_hat"});
  table.add_row(head);
  for (const Estimate* row : rows) {
    std::vector<std::string> cells = {row->label()};
    double error = std::numeric_limits<double>::quiet_NaN();
    for (const std::string& value : values) {
      const Support* s = find_value(*row, value);
      cells.push_back(s == nullptr ? "0" : fmt::format("{:.3f}", s->probability));
      if (s != nullptr) error = std::fmax(error, s->mcse);
    }
    cells.insert(cells.end(), {error_text(error), ess_text(row->ess_bulk), r_hat_text(row->r_hat),
                               remark(*row)});
    table.add_row(cells);
  }
  return table.text(colour);
}

// One value a line, below a line about the label. Structures and large supports end with what is
// left.
std::string long_table(const Rows& rows, std::size_t limit, bool colour) {
  TextTable table;
  table.add_row({"", "probability", "MCSE"});
  for (const Estimate* row : rows) {
    std::string head = row->label();
    if (row->numeric) {
      head += "  mean " + short_number(row->mean);
      if (!std::isnan(row->mcse)) head += " ± " + short_number(row->mcse);
      head += ", sd " + short_number(row->sd);
    } else if (row->distinct > row->support.size() || row->support.size() > limit) {
      head += fmt::format("  {}{} different values", row->distinct_is_bound ? "more than " : "",
                          row->distinct);
    }
    if (!std::isnan(row->ess_bulk)) head += fmt::format("  ESS_bulk {}", ess_text(row->ess_bulk));
    if (!std::isnan(row->r_hat)) head += fmt::format("  R_hat {}", r_hat_text(row->r_hat));
    const std::string more = remark(*row);
    table.add_row({more.empty() ? head : head + "  " + more});
    std::vector<Support> shown = row->support;
    if (shown.size() > limit && !row->numeric) shown.resize(limit);
    double left = 1;
    for (const Support& s : shown) {
      left -= s.probability;
      table.add_row(
          {"  " + shortened(s.value), fmt::format("{:.4f}", s.probability), error_text(s.mcse)});
    }
    if (row->distinct > shown.size() || row->distinct_is_bound) {
      table.add_row({"  others", fmt::format("{:.4f}", std::max(0.0, left)), ""});
    }
  }
  return table.text(colour);
}

// Rows of one label, cut to the limit, with a line that counts what was left out.
std::string limited(Rows rows, std::size_t limit,
                    const std::function<std::string(const Rows&)>& text) {
  const std::size_t all = rows.size();
  if (all <= limit) return text(rows);
  const std::string label = rows.front()->predict;
  rows.resize(limit);
  return text(rows) +
         fmt::format("... {} more of {} (--format json shows all)\n", all - limit, label);
}

// Elements of one vector (or of a vector of vectors) of a predict.
struct Elements {
  std::string label;  // without their indices
  Rows rows;
  bool predictive = false;
};

// ":x[:w]" for ":x[:w][3][0]".
std::string without_indices(const Estimate& row) {
  std::string label = row.label();
  while (label.ends_with(']')) {
    const std::size_t open = label.find_last_of('[');
    if (open == label.npos || open < row.predict.size() ||
        label.find_first_not_of("0123456789", open + 1) != label.size() - 1)
      break;
    label.resize(open);
  }
  return label;
}

std::vector<Elements> folded_elements(const Summary& summary, const TableOptions& options,
                                      const std::vector<std::string>& predictive) {
  std::vector<Elements> all;
  if (options.fold_above == 0) return all;
  std::map<std::string, std::size_t> places;
  for (const Estimate& row : summary.estimates) {
    const std::string label = without_indices(row);
    const auto [place, is_new] = places.emplace(label, all.size());
    if (is_new) {
      const bool generated =
          std::find(predictive.begin(), predictive.end(), row.predict) != predictive.end();
      all.push_back({label, {}, generated});
    }
    all[place->second].rows.push_back(&row);
  }
  std::erase_if(all, [&](const Elements& e) {
    return e.rows.size() <= (e.predictive ? 1 : options.fold_above);
  });
  return all;
}

std::string folded_text(const Elements& elements) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  struct Range {
    double least = kNone, most = kNone;
    void add(double x) {
      least = std::fmin(least, x);
      most = std::fmax(most, x);
    }
    std::string text() const {
      const std::string from = short_number(least), to = short_number(most);
      return from == to ? from : from + " to " + to;
    }
  } mean, sd, probability, ess, r_hat;
  std::size_t stuck = 0;
  for (const Estimate* row : elements.rows) {
    if (row->numeric) {
      mean.add(row->mean);
      sd.add(row->sd);
    } else {
      double most = 0;
      for (const Support& s : row->support) most = std::fmax(most, s.probability);
      probability.add(most);
    }
    ess.add(row->ess_bulk);
    r_hat.add(row->r_hat);
    stuck += row->never_changed();
  }
  std::string out = fmt::format("{}  {} elements", elements.label, elements.rows.size());
  if (elements.predictive) out += ", predictive";
  if (!std::isnan(mean.least)) out += fmt::format("; mean {}, sd {}", mean.text(), sd.text());
  if (!std::isnan(probability.least))
    out += fmt::format("; most probable value {}", probability.text());
  if (!std::isnan(ess.least)) out += "; ESS_bulk from " + ess_text(ess.least);
  if (!std::isnan(r_hat.least)) out += "; R_hat up to " + r_hat_text(r_hat.most);
  if (stuck > 0) out += fmt::format("; {} never changed", stuck);
  return out + "\n";
}

std::string estimates_text(const Summary& summary, const TableOptions& options,
                           const std::vector<std::string>& predictive) {
  std::string out;
  const std::vector<Elements> folded = folded_elements(summary, options, predictive);
  std::set<const Estimate*> hidden;
  for (const Elements& e : folded) hidden.insert(e.rows.begin(), e.rows.end());
  Rows reals;
  std::string cut_notes;
  std::vector<std::pair<std::string, Rows>> discrete;  // by label
  std::string last;
  std::size_t of_label = 0;
  for (const Estimate& row : summary.estimates) {
    if (hidden.contains(&row)) continue;
    if (row.kind == Kind::Real) {
      of_label = row.predict == last ? of_label + 1 : 1;
      last = row.predict;
      if (of_label <= options.rows_per_label) reals.push_back(&row);
      if (of_label == options.rows_per_label + 1) {
        cut_notes += fmt::format("... more of {} (--format json shows all)\n", row.predict);
      }
    } else {
      if (discrete.empty() || discrete.back().first != row.predict)
        discrete.push_back({row.predict, {}});
      discrete.back().second.push_back(&row);
    }
  }
  if (!reals.empty()) out += real_table(reals, options.colour) + cut_notes;

  Rows lone;  // scalar labels of the same support share a table
  std::vector<std::string> lone_values;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "\n") + text; };
  const auto flush = [&] {
    if (!lone.empty()) add(wide_table(lone, lone_values, options.colour));
    lone.clear();
  };
  for (const auto& [label, rows] : discrete) {
    const bool structures = std::any_of(
        rows.begin(), rows.end(), [](const Estimate* r) { return r->kind == Kind::Structure; });
    const std::vector<std::string> values = all_values(rows);
    const bool widest_is_short = std::all_of(values.begin(), values.end(),
                                             [](const std::string& v) { return v.size() <= 16; });
    if (rows.size() > 1 && !structures && widest_is_short && values.size() > kMaxValueColumns &&
        values.size() <= kMaxDenseColumns) {
      flush();
      add(limited(rows, options.rows_per_label,
                  [&](const Rows& shown) { return dense_table(shown, values, options.colour); }));
    } else if (structures || values.size() > kMaxValueColumns || !widest_is_short) {
      flush();
      add(limited(rows, options.rows_per_label, [&](const Rows& shown) {
        return long_table(shown, options.values_per_label, options.colour);
      }));
    } else if (rows.size() == 1) {
      if (values != lone_values) flush();
      lone_values = values;
      lone.push_back(rows.front());
    } else {
      flush();
      add(limited(rows, options.rows_per_label,
                  [&](const Rows& shown) { return wide_table(shown, values, options.colour); }));
    }
  }
  flush();
  if (folded.empty()) return out;
  std::string lines;
  for (const Elements& e : folded) lines += folded_text(e);
  add(lines + fmt::format("({})\n", options.unfolding));
  return out;
}

std::string draws_text(const Summary& summary) {
  std::string draws = fmt::format("{}", summary.draws);
  if (summary.chains > 1) draws += fmt::format(" of {} chains", summary.chains);
  if (summary.sweeps > 0 && summary.sweeps < summary.draws) {
    draws += fmt::format(", {} sweep{}", summary.sweeps, summary.sweeps == 1 ? "" : "s");
  }
  if (summary.enumerated)
    draws += ", enumerated: each with its own probability";
  else if (summary.weighted)
    draws += fmt::format(", weighted, effective sample size {:.1f}{}", summary.weight_ess,
                         report::pareto_k_text(summary.pareto_k));
  return draws;
}

// Of "engine rmh: why" without the first word, which the table has already.
std::string engine_text(const std::string& choice) {
  constexpr std::string_view kWord = "engine ";
  return choice.starts_with(kWord) ? choice.substr(kWord.size()) : choice;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Of all proposals, then by sample site: all of a few, the worst of many.
std::string acceptance_text(const RunStatistics& statistics) {
  constexpr std::size_t kMaxSites = 4;
  std::string out =
      fmt::format("{} of {} proposals", percent(statistics.accepted, statistics.proposals),
                  statistics.proposals);
  const std::vector<SiteAcceptance>& sites = statistics.sites;
  if (sites.size() < 2) return out;
  const auto place = [&](const SiteAcceptance& s) {
    const bool alone = std::count_if(sites.begin(), sites.end(), [&](const SiteAcceptance& other) {
                         return other.line == s.line;
                       }) == 1;
    return alone ? fmt::format("line {}", s.line) : fmt::format("line {}:{}", s.line, s.column);
  };
  const SiteAcceptance& worst = *worst_site(statistics);
  if (sites.size() > kMaxSites)
    return out + fmt::format("; lowest of {} sample sites: {} of {} at {}", sites.size(),
                             percent(worst.accepted, worst.proposals), worst.proposals,
                             place(worst));
  out += ":";
  for (const SiteAcceptance& s : sites)
    out += fmt::format("{} {} at {}{}", &s == &sites.front() ? "" : ",",
                       percent(s.accepted, s.proposals), place(s), &s == &worst ? " (lowest)" : "");
  return out;
}

}  // namespace

std::string statistics_text(const Summary& summary, const RunStatistics& statistics,
                            const RunInfo& info) {
  std::string out;
  const auto line = [&](std::string_view name, const std::string& text) {
    out += fmt::format("{:<14}{}\n", name, text);
  };
  if (!statistics.choice.empty()) line("Engine", engine_text(statistics.choice));
  if (!statistics.stopped.empty()) line("Stopped", statistics.stopped);
  if (statistics.log_evidence) {
    const bool has_error = statistics.log_evidence_se && std::isfinite(*statistics.log_evidence_se);
    const std::string doubt = evidence_doubt(summary, statistics);
    line("Log evidence", has_error ? fmt::format("{:.4f} ± {:.4f}", *statistics.log_evidence,
                                                 *statistics.log_evidence_se)
                                   : fmt::format("{:.4f}{}", *statistics.log_evidence,
                                                 doubt.empty() ? "" : ", unreliable: " + doubt));
  }
  if (statistics.left_out)
    line("Left out",
         *statistics.left_out == 0
             ? "nothing: all is exact"
             : fmt::format("executions of prior probability {:.3g}", *statistics.left_out));
  std::string draws = draws_text(summary);
  if (statistics.interrupted)
    draws += info.samples.value_or(0) > 0 ? fmt::format("; stopped early, {} were asked for",
                                                        *info.samples * std::max(1u, info.chains))
                                          : "; stopped early";
  if (statistics.thin > 1 && summary.draws > 0)
    draws += fmt::format("; 1 of {} steps kept", statistics.thin);
  if (statistics.burn > 0)
    draws += fmt::format("; the first {} draws of each chain left out", statistics.burn);
  if (statistics.warmup > 0) draws += fmt::format("; warm-up {}, not kept", statistics.warmup);
  line("Draws", draws);
  if (statistics.family == "gradient") {
    if (summary.draws > 0) line("Divergences", divergences_text(statistics));
  } else if (statistics.proposals > 0) {
    line("Acceptance", acceptance_text(statistics));
  }
  if (statistics.suggested_particles > 0)
    line("Likelihood", fmt::format("its log has variance {:.3g}; that calls for {} particles",
                                   statistics.likelihood_variance, statistics.suggested_particles));
  if (statistics.temperatures > 0) {
    const auto runs = static_cast<double>(std::max<std::size_t>(1, summary.sweeps));
    std::string text =
        fmt::format("{:.3g} in a run", static_cast<double>(statistics.temperatures) / runs);
    if (statistics.lowest_acceptance_at > 0)  // some moves were made
      text += fmt::format("; lowest acceptance {:.1f} %, at temperature {:.2g}",
                          100 * statistics.lowest_acceptance, statistics.lowest_acceptance_at);
    line("Temperatures", text);
  }
  if (statistics.resamplings > 0 || statistics.mean_ess > 0) {
    std::string text =
        fmt::format("{} time{}", statistics.resamplings, statistics.resamplings == 1 ? "" : "s");
    if (statistics.mean_ess > 0)
      text += fmt::format("; ESS {:.1f} on average, lowest {:.1f}", statistics.mean_ess,
                          statistics.min_ess);
    if (statistics.min_ess_line > 0) text += fmt::format(" at line {}", statistics.min_ess_line);
    if (statistics.mean_distinct_ancestors > 0) {
      text +=
          fmt::format("; {:.1f} distinct ancestors on average", statistics.mean_distinct_ancestors);
    }
    line("Resampling", text);
  }
  if (statistics.zero_weight > 0) {
    line("Weight zero", fmt::format("{} of {} executions contradict the observations",
                                    statistics.zero_weight, statistics.simulations));
  }
  std::string work = count_text(static_cast<double>(statistics.applications)) + " applications";
  if (statistics.particle_steps > 0) {
    work += fmt::format(", {} particle-steps",
                        count_text(static_cast<double>(statistics.particle_steps)));
    if (statistics.seconds > 0) {
      work += fmt::format(
          " ({} a second)",
          count_text(static_cast<double>(statistics.particle_steps) / statistics.seconds));
    }
  }
  line("Work", work);
  line("Time", fmt::format("{}, peak memory {}", seconds_text(statistics.seconds),
                           bytes_text(static_cast<double>(statistics.peak_memory))));
  line("Seed", fmt::format("{}", info.seed));
  if (!info.command.empty()) line("Repeat", command_to_repeat(info, statistics));
  return out;
}

std::string advice_text(const Summary& summary, const RunStatistics& statistics, bool colour) {
  std::string out;
  const char* off = colour ? "\x1b[0m" : "";
  std::set<std::string> said;
  for (const Advice& advice : advise(summary, statistics)) {
    const bool grave = advice.weight == Advice::Weight::Grave;
    const char* tone = !colour ? "" : grave ? "\x1b[1;31m" : "\x1b[1;35m";
    const char* word = advice.weight == Advice::Weight::Note ? "note"
                       : grave                               ? "do not trust this"
                                                             : "warning";
    out += fmt::format("{}{}{}{}: {}\n", tone, word, off,
                       advice.code.empty() ? "" : "[" + advice.code + "]", advice.message);
    // The same remedy for several troubles is said once.
    if (!advice.hint.empty() && said.insert(advice.hint).second)
      out += fmt::format("  hint: {}\n", advice.hint);
  }
  return out;
}

std::string draws_table(const Summary& summary, const TableOptions& options) {
  std::string out = estimates_text(summary, options, {});
  if (!out.empty()) out += "\n";
  out += fmt::format("{:<14}{}\n", "Draws", draws_text(summary));
  const std::string advice = advice_text(summary, {}, options.colour);
  if (!advice.empty()) out += "\n" + advice;
  return out;
}

std::string table(const Summary& summary, const RunStatistics& statistics, const RunInfo& info,
                  const TableOptions& options) {
  std::string out = estimates_text(summary, options, statistics.predictive_labels);
  if (!out.empty()) out += "\n";
  out += statistics_text(summary, statistics, info);
  const std::string advice = advice_text(summary, statistics, options.colour);
  if (!advice.empty()) out += "\n" + advice;
  return out;
}

}  // namespace chancel
