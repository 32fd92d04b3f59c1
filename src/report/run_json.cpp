// SPDX-License-Identifier: Apache-2.0
#include "report/run_json.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "report/file_error.hpp"
#include "report/statistic_fields.hpp"

namespace chancel::report {
namespace {

using Json = nlohmann::ordered_json;

// As on the command line.
constexpr std::uint64_t kMostThreads = 4096, kMostChains = 10000;

struct OutOfRange : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr const char* kStatusNames[] = {"running", "finished", "interrupted", "failed"};

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string ending(const std::string& name, const std::string& otherwise) {
  const std::size_t dot = name.find_last_of("./");
  if (dot == std::string::npos || name[dot] == '/' || dot + 1 == name.size()) return otherwise;
  return name.substr(dot);
}

// Every option of the engine with the value that holds: as given, or the default.
Json engine_options(const RunInfo& info, const std::string& made_by) {
  Json out = Json::object();
  for (const EngineInfo& engine : engines()) {
    if (engine.name != (made_by.empty() ? info.algorithm : made_by)) continue;
    for (const EngineInfo::Option& option : engine.options) out[option.name] = option.default_value;
  }
  for (const EngineOption& option : info.engine_options) {
    const std::string text = print_engine_options({option});
    out[option.name] = text.substr(text.find(' ') + 1);
  }
  return out;
}

Json diagnostics(const RunStatistics& statistics) {
  Json out;
  out["draws"] = statistics.draws;
  out["interrupted"] = statistics.interrupted;
  for (const CountField& field : kStatisticCounts) out[field.name] = statistics.*field.member;
  for (const RealField& field : kStatisticReals) out[field.name] = number(statistics.*field.member);
  out["independent"] = statistics.independent;
  out["fixed_labels"] = statistics.fixed_labels;
  out["predictive_labels"] = statistics.predictive_labels;
  out["divergence_places"] = divergence_places_json(statistics);
  out["chain_densities"] = chain_densities_json(statistics);
  out["improper_draws"] = statistics.improper_draws;
  out["other_engines"] = other_engines_json(statistics);
  out["sites"] = sites_json(statistics);
  return out;
}

Json warnings(const RunStatistics& statistics) {
  Json out = Json::array();
  for (const Message& m : statistics.warnings)
    out.push_back({{"code", m.code}, {"line", m.line}, {"message", m.message}, {"hint", m.hint}});
  return out;
}

// The library copies values by recursion.
Json parse_shallow(const std::string& text) {
  constexpr int kDeepest = 64;
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepest) throw OutOfRange("it is nested too deeply");
    return true;
  });
}

// The library converts a negative or a large number without a word.
std::uint64_t count_at(const Json& object, const char* name,
                       std::uint64_t most = ~std::uint64_t{0}) {
  const Json& number = object.at(name);
  const auto* const count = number.get_ptr<const Json::number_unsigned_t*>();
  if (!count || *count > most)
    throw OutOfRange(fmt::format("{} is {}, and must be a whole number from 0 to {}", name,
                                 number.is_structured() ? number.type_name() : number.dump(),
                                 most));
  return *count;
}

std::optional<std::uint64_t> number_or_nothing(const Json& run, const char* name) {
  if (!run.contains(name) || run.at(name).is_null()) return std::nullopt;
  return count_at(run, name);
}

RunStatistics read_statistics(const Json& run) {
  RunStatistics statistics;
  statistics.engine = run.value("engine", run.at("algorithm").get<std::string>());
  statistics.family = run.value("family", "");
  statistics.thin = run.contains("thin_used") ? count_at(run, "thin_used") : 1;
  statistics.burn = run.contains("burn_used") ? count_at(run, "burn_used") : 0;
  statistics.rounds = run.contains("rounds_made") ? count_at(run, "rounds_made") : 0;
  statistics.cut = run.value("cut", false);
  statistics.choice = run.value("choice", "");
  statistics.stopped = run.value("stopped", "");
  const Json& from = run.at("diagnostics");
  statistics.draws = count_at(from, "draws");
  statistics.interrupted = from.at("interrupted");
  for (const CountField& field : kStatisticCounts)
    statistics.*field.member = from.contains(field.name) ? count_at(from, field.name) : 0;
  for (const RealField& field : kStatisticReals)
    statistics.*field.member = !from.contains(field.name)      ? 0  // of an older version
                               : from.at(field.name).is_null() ? NAN
                                                               : from.at(field.name).get<double>();
  statistics.independent = from.value("independent", false);
  statistics.fixed_labels = from.value("fixed_labels", std::vector<std::string>());
  statistics.predictive_labels = from.value("predictive_labels", std::vector<std::string>());
  if (from.contains("divergence_places"))
    for (const Json& place : from.at("divergence_places"))
      statistics.divergence_places.push_back(
          {count_at(place, "line"), count_at(place, "column"), place.at("name"), place.at("shift"),
           place.at("gathers"), place.at("ordered"), place.at("positive")});
  if (from.contains("chain_densities"))
    for (const Json& chain : from.at("chain_densities")) {
      const auto real = [&](const char* name) {
        return chain.at(name).is_null() ? NAN : chain.at(name).get<double>();
      };
      statistics.chain_densities.push_back(
          {static_cast<std::uint32_t>(count_at(chain, "chain", 0xffffffff)),
           count_at(chain, "draws"), real("mean"), real("sd"), real("acceptance")});
    }
  statistics.improper_draws = from.value("improper_draws", false);
  if (from.contains("other_engines"))
    for (const Json& engine : from.at("other_engines"))
      statistics.other_engines.push_back({engine.at("name"), engine.at("family")});
  if (from.contains("sites"))
    for (const Json& site : from.at("sites"))
      statistics.sites.push_back({count_at(site, "line"), count_at(site, "column"),
                                  count_at(site, "proposals"), count_at(site, "accepted")});
  if (run.contains("left_out")) statistics.left_out = run.at("left_out").get<double>();
  const Json& evidence = run.at("log_evidence");
  if (!evidence.is_null()) {
    if (!evidence.at("value").is_null())
      statistics.log_evidence = evidence.at("value").get<double>();
    if (!evidence.at("se").is_null()) statistics.log_evidence_se = evidence.at("se").get<double>();
  }
  for (const Json& w : run.at("warnings")) {
    Message m;
    m.error = false;
    m.code = w.at("code");
    m.line = count_at(w, "line");
    m.message = w.at("message");
    m.hint = w.at("hint");
    m.text = fmt::format("warning[{}]: {}", m.code, m.message);
    statistics.warnings.push_back(std::move(m));
  }
  return statistics;
}

}  // namespace

std::string source_file_name(const RunDescription& run) {
  return "program" + ending(run.info.program, ".clj");
}
std::string data_file_name(const RunDescription& run) {
  return run.data ? "data" + ending(run.data->first, ".edn") : "";
}
std::string draws_file_name(const RunDescription& run) {
  return "draws." + run.draws_format + (run.gzip ? ".gz" : "");
}

std::string pointwise_file_name(const RunDescription& run) {
  return run.gzip ? "log_lik.csv.gz" : "log_lik.csv";
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string run_json(const RunDescription& run, RunStatus status, const RunStatistics& statistics,
                     const RunTimes& times, const std::optional<DrawsFile>& draws) {
  const RunInfo& info = run.info;
  Json out;
  out["format"] = kRunFormat;
  out["chancel"] = version();
  out["status"] = kStatusNames[static_cast<int>(status)];
  out["program"] = info.program;
  out["source"] = source_file_name(run);
  out["dialect"] = run.dialect;
  out["query"] = info.query;
  out["value"] = run.value ? Json(*run.value) : Json(nullptr);
  out["data"] = nullptr;
  if (run.data) out["data"] = {{"name", run.data->first}, {"file", data_file_name(run)}};
  out["algorithm"] = info.algorithm;
  out["engine"] = statistics.engine;
  out["family"] = statistics.family;
  out["choice"] = statistics.choice;
  out["stopped"] = statistics.stopped;
  out["algorithm_options"] = print_engine_options(info.engine_options);
  out["options"] = engine_options(info, statistics.engine);
  out["samples"] = optional_json(info.samples);
  out["ess"] = optional_json(info.ess);
  out["rounds"] = optional_json(info.rounds);
  out["warmup"] = optional_json(info.warmup);
  out["burn"] = optional_json(info.burn);
  out["thin"] = info.thin;
  out["thin_used"] = statistics.thin;
  out["burn_used"] = statistics.burn;
  out["rounds_made"] = statistics.rounds;
  out["cut"] = statistics.cut;
  out["chains"] = info.chains;
  out["prior"] = info.prior;
  out["pointwise"] = info.pointwise;
  out["seed"] = info.seed;
  out["threads"] = run.threads;
  out["limits"] = {{"max_memory", run.limits.max_memory},
                   {"timeout", run.limits.timeout},
                   {"max_depth", run.limits.max_depth},
                   {"max_output", run.limits.max_output},
                   {"files", run.files}};
  out["tier"] = run.tier;
  out["draws"] = {{"file", draws_file_name(run)}, {"format", run.draws_format}, {"gzip", run.gzip}};
  if (draws) {
    out["draws"]["count"] = draws->count;
    out["draws"]["bytes"] = draws->bytes;
    out["draws"]["crc32"] = draws->checksum;
  }
  out["command"] = info.command;
  out["started"] = times.started;
  out["updated"] = times.updated;
  out["resumed"] = times.resumed;
  out["resumed_draws"] = times.resumed_draws;
  out["log_evidence"] = nullptr;
  if (statistics.log_evidence)
    out["log_evidence"] = {
        {"value", number(*statistics.log_evidence)},
        {"se", statistics.log_evidence_se ? number(*statistics.log_evidence_se) : Json(nullptr)}};
  if (statistics.left_out) out["left_out"] = number(*statistics.left_out);
  out["diagnostics"] = diagnostics(statistics);
  out["warnings"] = warnings(statistics);
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunRecord parse_run_json(const RunFolder& folder, RunTimes* times) {
  const std::string path = folder.path_of("run.json");
  if (!folder.has("run.json"))
    throw_unreadable(path, "there is no such file",
                     "chancel infer ... --out DIR makes a run directory");
  RunRecord record;
  RunDescription& run = record.description;
  try {
    const Json json = parse_shallow(folder.read("run.json", kMostInDescription));
    const std::uint64_t format = count_at(json, "format");
    if (format != std::uint64_t{kRunFormat})
      throw_malformed(
          path, fmt::format("its format is {}, and this version reads {}", format, kRunFormat));
    const std::string status = json.at("status");
    for (int i = 0; i < 4; ++i)
      if (status == kStatusNames[i]) record.status = static_cast<RunStatus>(i);
    record.version = json.at("chancel");
    RunInfo& info = run.info;
    info.program = json.at("program");
    info.query = json.at("query");
    info.algorithm = json.at("algorithm");
    info.engine_options = read_engine_options(json.at("algorithm_options").get<std::string>());
    info.samples = number_or_nothing(json, "samples");
    info.ess = number_or_nothing(json, "ess");
    info.warmup = number_or_nothing(json, "warmup");
    info.rounds = number_or_nothing(json, "rounds");
    info.burn = number_or_nothing(json, "burn");
    info.thin = count_at(json, "thin");
    if (info.thin == 0) throw_malformed(path, "thin is 0");
    info.chains = static_cast<unsigned>(count_at(json, "chains", kMostChains));
    info.prior = json.value("prior", false);
    info.pointwise = json.value("pointwise", false);
    info.seed = count_at(json, "seed");
    info.command = json.at("command");
    run.dialect = json.at("dialect");
    if (!json.at("value").is_null()) run.value = json.at("value").get<std::string>();
    run.source = folder.read(json.at("source").get<std::string>(), kMostInText);
    if (!json.at("data").is_null())
      run.data = {json.at("data").at("name"),
                  folder.read(json.at("data").at("file").get<std::string>(), kMostInText)};
    info.value = run.value ? *run.value : run.data ? run.data->first : "nil";
    run.threads = static_cast<unsigned>(count_at(json, "threads", kMostThreads));
    const Json& limits = json.at("limits");
    run.limits = {count_at(limits, "max_memory"), limits.at("timeout"),
                  count_at(limits, "max_depth"), count_at(limits, "max_output")};
    if (!(run.limits.timeout >= 0)) throw_malformed(path, "the timeout is negative");
    run.files = limits.value("files", true);
    run.tier = json.value("tier", "auto");
    if (run.tier != "auto" && run.tier != "vm" && run.tier != "native" && run.tier != "segment")
      throw_malformed(path, fmt::format("there is no tier '{}'", run.tier));
    run.draws_format = json.at("draws").at("format");
    if (run.draws_format != "csv" && run.draws_format != "ndjson")
      throw_malformed(path, fmt::format("there is no format '{}' of draws", run.draws_format));
    run.gzip = json.at("draws").at("gzip");
    const Json& draws = json.at("draws");
    if (draws.contains("crc32"))
      record.draws = {count_at(draws, "count"), count_at(draws, "bytes"),
                      static_cast<std::uint32_t>(count_at(draws, "crc32", 0xffffffff))};
    record.draws_file = folder.path_of(draws_file_name(run));
    record.statistics = read_statistics(json);
    if (times) {
      times->started = json.at("started");
      times->resumed = static_cast<unsigned>(count_at(json, "resumed", 0xffffffff));
    }
  } catch (const OutOfRange& e) {
    throw_malformed(path, e.what());
  } catch (const nlohmann::json::exception& e) {
    throw_malformed(path, fmt::format("this is not the description of a run ({})", e.what()));
  }
  return record;
}

}  // namespace chancel::report
