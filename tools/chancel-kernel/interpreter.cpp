// SPDX-License-Identifier: Apache-2.0
#include "interpreter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <sstream>
#include <xeus/xhelper.hpp>

#include "chancel/worksheet.hpp"
#include "input.hpp"
#include "names_at.hpp"
#include "run_request.hpp"
#include "usage.hpp"

namespace chancel::kernel {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMostCompletions = 300;

CompileOptions for_cells(CompileOptions options, CellOutput& output) {
  options.interactive = true;
  options.colour = true;
  options.output = [&output](std::string_view text) { output.print(text); };
  return options;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Everything about a value that a notebook may show; it takes the richest that it can.
Json bundle(const ValueView& value) {
  Json data = {{"text/plain", show_text(value)}};
  if (const auto tex = latex_of(value)) {
    data["text/latex"] = "$$" + *tex + "$$";
  } else if (is_rich(value)) {
    data["text/html"] = show_html(value);
  }
  return data;
}

}  // namespace

Interpreter::Interpreter(CompileOptions options, std::uint64_t seed)
    : interrupt_(options.interrupt),
      limits_(options.limits),
      output_({[this](const std::string& name, const std::string& text) {
                 if (!silent_) publish_stream(name, text);
               },
               [this](const Json& data, const Json& transient, bool update) {
                 if (silent_) return;
                 if (update)
                   update_display_data(data, Json::object(), transient);
                 else
                   display_data(data, Json::object(), transient);
               }}),
      script_(for_cells(std::move(options), output_), seed) {
  xeus::register_interpreter(this);
}

Json Interpreter::execute_request_impl(int count, const std::string& code, bool silent, bool, Json,
                                       bool) {
  count_ = count;
  silent_ = silent;
  interrupt_.clear();
  output_.begin([this] {
    const Script::Activity now = script_.activity();
    if (now.draws == 0) return std::string();
    return fmt::format("{}: {} draws", now.engine, now.draws);
  });
  Json reply = run_cell(code);
  output_.end();
  interrupt_.clear();
  return reply.is_null() ? xeus::create_successful_reply() : reply;
}

Json Interpreter::run_cell(const std::string& code) {
  std::string rest = code, dialect;
  for (;;) {
    const std::size_t first = rest.find_first_not_of(" \t\r\n");
    if (first == rest.npos) return nullptr;
    const std::size_t end = std::min(rest.find('\n', first), rest.size());
    const auto command = tool::prompt_command(script_, rest.substr(first, end - first));
    if (!command) break;
    try {
      if (Json reply = obey(*command, &dialect); !reply.is_null()) return reply;
    } catch (const tool::UsageError& error) {
      Message message;
      message.code = error.code();
      message.message = error.what();
      message.text = fmt::format("error[{}]: {}", error.code(), error.what()) +
                     (error.hint().empty() ? "" : "\nhint: " + error.hint());
      return failed({message});
    } catch (const Error& error) {
      return failed(error.messages());
    }
    // What was obeyed becomes blank, so that places in messages stay those of the cell.
    for (std::size_t i = first; i < end; ++i) rest[i] = ' ';
  }
  try {
    return run_forms(rest, dialect);
  } catch (const Error& error) {
    return failed(error.messages());
  }
}

Json Interpreter::run_forms(const std::string& code, const std::string& dialect) {
  Json reply;  // null
  std::optional<Json> last;
  const auto show_last = [&](bool is_result) {
    // Of forms before the last one only pictures and the like are shown.
    if (last && (is_result || last->size() > 1)) show(std::move(*last), is_result);
    last.reset();
  };
  script_.evaluate_forms(
      code, fmt::format("<cell {}>", count_),
      [&](const Form& form) {
        show_last(false);
        if (form.interrupted_after)
          output_.after_prints([&] {
            if (!silent_)
              publish_stream("stderr", fmt::format("interrupted: continuing with {} draws\n",
                                                   *form.interrupted_after));
          });
        for (const Message& message : form.warnings)
          output_.after_prints([&] {
            if (!silent_) publish_stream("stderr", message.text + "\n");
          });
        if (form.failed()) {
          reply = failed(form.errors);
          return false;
        }
        if (!form.is_definition && form.value.kind() != ValueView::Kind::Nil)
          last = bundle(form.value);
        return true;
      },
      dialect);
  show_last(true);
  return reply;
}

void Interpreter::show(Json data, bool is_result) {
  if (silent_) return;
  output_.after_prints([&] {
    if (is_result)
      publish_execution_result(count_, std::move(data), Json::object());
    else
      display_data(std::move(data), Json::object(), Json::object());
  });
}

// Answers to commands: a cell has one result, and that is the value of its last form.
void Interpreter::show_text_answer(const std::string& text) { show({{"text/plain", text}}, false); }

Json Interpreter::failed(const std::vector<Message>& messages) {
  std::vector<std::string> trace;
  for (const Message& message : messages)
    for (std::string& line : lines_of(message.text)) trace.push_back(std::move(line));
  const std::string code = messages.empty() ? "X001" : messages.front().code;
  const std::string what = messages.empty() ? "unknown error" : messages.front().message;
  output_.after_prints([&] {
    if (!silent_) publish_execution_error(code, what, trace);
  });
  return xeus::create_error_reply(code, what, trace);
}

Json Interpreter::obey(const tool::PromptCommand& command, std::string* dialect) {
  const std::string& name = command.name;
  if (name == ":infer") return infer(command.argument);
  if (name == ":help") {
    show_text_answer(tool::kPromptHelp);
  } else if (name == ":quit" || name == ":exit" || name == ":q") {
    show_text_answer("the notebook ends the kernel");
  } else if (command.argument.empty()) {
    throw tool::UsageError(fmt::format("{} needs an argument", name), ":help says what");
  } else if (name == ":doc") {
    show_text_answer(tool::doc_text(script_, command.argument));
  } else if (name == ":source") {
    show_text_answer(tool::source_text(script_, command.argument));
  } else if (name == ":apropos") {
    show_text_answer(tool::apropos_text(script_, command.argument));
  } else if (name == ":load") {
    return run_forms(tool::read_program(command.argument), "");
  } else if (name == ":dialect") {
    *dialect = command.argument == "auto" ? "" : command.argument;
  }
  return nullptr;
}

Json Interpreter::infer(const std::string& words) {
  std::atomic<std::uint64_t> draws{0};
  std::atomic<bool> warming_up{false};
  std::uint64_t goal = 0;
  std::string engine;
  std::mutex mutex;  // of goal and engine, which another thread reads
  output_.end();
  output_.begin([&] {
    const std::lock_guard lock(mutex);
    const std::uint64_t now = draws.load(std::memory_order_relaxed);
    if (engine.empty()) return std::string();
    if (now == 0) return engine + (warming_up ? ": warm-up" : ": no draws yet");
    return goal > 0 ? fmt::format("{}: {} of {} draws", engine, now, goal)
                    : fmt::format("{}: {} draws", engine, now);
  });
  tool::PromptRunEvents events;
  events.begins = [&](const RunInfo& info, const RunStatistics& statistics) {
    const std::lock_guard lock(mutex);
    engine = statistics.engine;
    goal = tool::draws_goal(info, statistics);
    warming_up = tool::warms_up(info, statistics);
  };
  events.draw = [&](std::uint64_t n) { draws.store(n, std::memory_order_relaxed); };
  std::string help;
  const auto run = tool::run_query(script_, words, limits_, interrupt_, events, &help);
  output_.end();  // nothing may look at our variables any more
  output_.begin({});
  if (!run) {
    show_text_answer(help);
    return nullptr;
  }
  if (run->draws > 0)
    show({{"text/plain", table(run->summary, run->statistics, run->info)},
          {"text/html", show_html(run->summary, run->statistics, run->info)}},
         false);
  if (run->failure) return failed(run->failure->messages());
  if (run->draws == 0) {
    std::string text = "there is no draw to show";
    for (const Message& message : run->statistics.warnings) text += "\n" + message.text;
    show_text_answer(text);
  }
  return nullptr;
}

// --- questions ---

Json Interpreter::complete_request_impl(const std::string& code, int cursor) {
  const NameAt name = name_before(code, static_cast<std::size_t>(std::max(0, cursor)));
  const std::string line = line_before(code, static_cast<std::size_t>(std::max(0, cursor)));
  std::vector<std::string> matches;
  const auto offer = [&](const std::string& candidate) {
    if (candidate.starts_with(name.text)) matches.push_back(candidate);
  };
  const std::string before = line.substr(0, line.size() - name.text.size());
  if (before.find_first_not_of(" \t") == before.npos && name.text.starts_with(':')) {
    for (const char* command :
         {":infer", ":doc", ":source", ":apropos", ":load", ":help", ":dialect"})
      offer(command);
  } else if (line.starts_with(":infer") && before.ends_with("-a ")) {
    offer("auto");
    for (const EngineInfo& engine : engines()) offer(engine.name);
  } else if (before.starts_with(":infer") && before.find_last_not_of(" \t") == 5) {
    for (const QueryInfo& query : script_.queries()) offer(query.name);
  } else if (before.ends_with("doquery :") || name.text.starts_with(":")) {
    for (const EngineInfo& engine : engines()) offer(":" + engine.name);
  } else if (!name.text.empty()) {
    matches = script_.completions(name.text);
  }
  if (matches.size() > kMostCompletions) matches.resize(kMostCompletions);
  return xeus::create_complete_reply(matches, static_cast<int>(name.begin),
                                     static_cast<int>(name.end));
}

Json Interpreter::inspect_request_impl(const std::string& code, int cursor, int detail) {
  const auto at = static_cast<std::size_t>(std::max(0, cursor));
  std::string name = name_around(code, at).text;
  std::string text = name.empty() ? "" : script_.documentation(name);
  if (text.empty()) {
    name = function_around(code, at);
    text = name.empty() ? "" : script_.documentation(name);
  }
  if (text.empty()) return xeus::create_inspect_reply();
  if (const std::string source = script_.definition(name); detail > 0 && !source.empty())
    text += "\n\n" + source;
  return xeus::create_inspect_reply(true, {{"text/plain", text}});
}

Json Interpreter::is_complete_request_impl(const std::string& code) {
  if (tool::prompt_command(script_, code) || Script::is_complete(code))
    return xeus::create_is_complete_reply("complete");
  return xeus::create_is_complete_reply("incomplete", "  ");
}

Json Interpreter::kernel_info_request_impl() {
  const Json links = Json::array();
  return xeus::create_info_reply("", "chancel", version(), "clojure", "1.11", "text/x-clojure",
                                 ".clj", "clojure", "clojure", "",
                                 fmt::format("Chancel {}: Anglican probabilistic programs. "
                                             ":infer QUERY infers, :help has the rest.",
                                             version()),
                                 false, links);
}

void Interpreter::shutdown_request_impl() { interrupt_.request(); }

}  // namespace chancel::kernel
