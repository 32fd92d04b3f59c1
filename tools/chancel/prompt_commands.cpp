// SPDX-License-Identifier: Apache-2.0
#include "prompt_commands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "option_parser.hpp"
#include "run_request.hpp"
#include "stored_summary.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr std::uint64_t kMostKept = 100'000;  // draws that *draws* has

constexpr std::string_view kCommands[] = {":infer", ":doc",     ":source", ":apropos", ":load",
                                          ":help",  ":dialect", ":quit",   ":exit",    ":q"};

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first));
}

// (doc name) and the like, alone on the line. Empty: something else.
std::string argument_of(std::string_view line, std::string_view function) {
  if (!line.starts_with('(') || !line.ends_with(')')) return {};
  const std::string inside = trimmed(line.substr(1, line.size() - 2));
  if (!inside.starts_with(function)) return {};
  std::string argument = inside.substr(function.size());
  if (argument.empty() || (argument[0] != ' ' && argument[0] != '\t')) return {};
  argument = trimmed(argument);
  if (argument.size() > 1 && argument[0] == '\'') argument.erase(0, 1);
  if (argument.find_first_of("()[]{} ") != argument.npos) return {};
  if (argument.size() > 2 && argument.front() == '"' && argument.back() == '"')
    argument = argument.substr(1, argument.size() - 2);
  return argument;
}

// Words as a shell splits them: quotes keep blanks together.
std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t') {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0)
    throw UsageError(fmt::format("a {} is not closed", quote == '"' ? "\"" : "'"), "");
  if (inside) words.push_back(std::move(word));
  return words;
}

UsageError unknown_name(const Script& script, const std::string& name) {
  return {fmt::format("nothing is known about '{}'", name),
          suggest(name, script.completions(""), ""), "F001"};
}

}  // namespace

const char* const kPromptHelp =
    ":infer QUERY [options]   infer a query and summarise it; :infer --help has the options of "
    "chancel infer;\n"
    "                         the draws are the value of *draws*\n"
    ":doc NAME, (doc name)    what a function or distribution does\n"
    ":source NAME             the text of a definition\n"
    ":apropos TEXT            names with this text in them\n"
    ":load FILE               evaluate a file\n"
    ":dialect NAME            clojure, venture, textbook or auto, for what follows\n"
    "*1 *2 *3 *e              the last values, and the last error\n"
    ":help, help              this text\n"
    ":quit, quit, exit        the end, as Ctrl-D\n"
    "Ctrl-C stops a form; one that takes draws continues with those made so far.\n"
    "Anything else is evaluated. Try:\n"
    "  (sample* (normal 0 1))\n"
    "  (defquery coin (let [p (sample (beta 1 1))] (observe (flip p) true) (predict :p p)))\n"
    "  :infer coin\n"
    "  (histogram (map :result (take 1000 (doquery :lmh coin nil))))\n";

std::optional<PromptCommand> prompt_command(const Script& script, const std::string& whole) {
  const std::string line = trimmed(whole);
  for (const char* word : {"help", "quit", "exit"})
    if (line == word || line == fmt::format("({})", word))
      return script.definition(word).empty()
                 ? std::optional(PromptCommand{fmt::format(":{}", word), ""})
                 : std::nullopt;
  for (const char* function : {"doc", "source", "apropos"})
    if (std::string argument = argument_of(line, function); !argument.empty())
      return PromptCommand{std::string(":") + function, std::move(argument)};
  if (!line.starts_with(':') || line.find('\n') != line.npos) return std::nullopt;
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string name = line.substr(0, end);
  if (std::find(std::begin(kCommands), std::end(kCommands), name) == std::end(kCommands))
    return std::nullopt;
  return PromptCommand{name, trimmed(std::string_view(line).substr(end))};
}

std::string doc_text(const Script& script, const std::string& name) {
  std::string text = script.documentation(name);
  if (text.empty()) throw unknown_name(script, name);
  return text;
}

std::string source_text(const Script& script, const std::string& name) {
  std::string text = script.definition(name);
  if (!text.empty()) return text;
  if (script.documentation(name).empty()) throw unknown_name(script, name);
  throw UsageError(fmt::format("{} is part of the language: it has no text here", name),
                   fmt::format(":doc {} says what it does", name), "F001");
}

std::string apropos_text(const Script& script, const std::string& part) {
  std::string text;
  for (const std::string& name : script.completions(""))
    if (name.find(part) != name.npos) text += (text.empty() ? "" : " ") + name;
  if (text.empty()) throw UsageError(fmt::format("no name has '{}' in it", part), "", "F001");
  return text;
}

std::optional<PromptRun> run_query(Script& script, const std::string& words, const Limits& limits,
                                   const Interrupt& interrupt, const PromptRunEvents& events,
                                   std::string* help) {
  RunRequest request;
  std::string query;
  OptionParser parser(":infer [QUERY] [options]",
                      "Infers the posterior of a query, of the newest one when none is named, and "
                      "shows a summary of its predicts.",
                      "  :infer coin -a smc --particles 1000 -n 10000\n"
                      "  :infer coin -v '[true true false]'\n");
  parser.positional("QUERY", &query, false);
  request.declare(parser);
  bool labels = false;
  parser.flag("--labels", &labels, kLabelsHelp);
  const std::vector<std::string> split = split_words(words);
  for (const std::string& word : split)
    if (word == "-h" || word == "--help") {
      *help = parser.help();
      return std::nullopt;
    }
  parser.parse(split);
  const std::vector<QueryInfo> queries = script.queries();
  if (query.empty()) {
    if (queries.empty())
      throw UsageError("there is no query yet", "write (defquery name [parameters] body ...)",
                       "F011");
    query = queries.back().name;
  }
  RunDescription description;
  request.describe(description);
  description.limits = limits;
  description.info.query = query;
  InferOptions options = description.infer_options();
  options.interrupt = interrupt;
  if (events.barrier) options.on_barrier = events.barrier;

  PromptRun run;
  run.info = description.info;
  run.labels = labels;
  Inference inference = script.infer(query, options);
  if (events.begins) events.begins(run.info, inference.statistics());
  SummaryBuilder builder;
  try {
    while (const Draw* draw = inference.next()) {
      builder.add(*draw);
      if (run.draws < kMostKept) script.keep(*draw);
      ++run.draws;
      if (events.draw) events.draw(run.draws);
    }
  } catch (const Error& error) {
    run.failure = error;
  }
  run.statistics = inference.statistics();
  if (run.draws > 0) {
    run.summary = builder.summary(run.statistics, description.threads);
    script.define_kept("*draws*");
  }
  return run;
}

}  // namespace chancel::tool
