// SPDX-License-Identifier: Apache-2.0
// The C interface, over the C++ one: every function is a call within guarded(), which turns what is
// thrown into a status and an error. A run shares its model, so that the two may be freed in any order.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "chancel/chancel.h"
#include "chancel/chancel.hpp"
#include "chancel/suggest.hpp"

using chancel::ExitCode;
using chancel::Message;
using chancel::ValueView;

struct chancel_error {
  chancel_status status = CHANCEL_FAILED;
  std::vector<Message> messages;
  std::string text;
};

struct chancel_model {
  std::shared_ptr<chancel::Model> model;
  std::vector<chancel::QueryInfo> queries;
  std::vector<Message> warnings;
};

struct chancel_options {
  chancel::InferOptions options;
};

struct chancel_draw {
  const chancel::Draw* draw = nullptr;
};

struct chancel_run {
  std::shared_ptr<chancel::Model> model;  // outlives the run
  chancel::Interrupt interrupt;
  chancel::Inference inference;
  chancel_draw draw;
  chancel::RunStatistics statistics;  // that texts were asked from
  bool ended = false;
};

namespace {

chancel_status status_of(ExitCode code) { return static_cast<chancel_status>(code); }
static_assert(static_cast<int>(ExitCode::Usage) == CHANCEL_USAGE &&
              static_cast<int>(ExitCode::BadInput) == CHANCEL_BAD_INPUT &&
              static_cast<int>(ExitCode::NoInput) == CHANCEL_NO_INPUT &&
              static_cast<int>(ExitCode::Failed) == CHANCEL_FAILED);
static_assert(static_cast<int>(ValueView::Kind::Nil) == CHANCEL_NIL &&
              static_cast<int>(ValueView::Kind::Ratio) == CHANCEL_RATIO &&
              static_cast<int>(ValueView::Kind::Symbol) == CHANCEL_SYMBOL &&
              static_cast<int>(ValueView::Kind::Set) == CHANCEL_SET &&
              static_cast<int>(ValueView::Kind::Other) == CHANCEL_OTHER);

// ---- errors

Message plain_message(const char* code, std::string sentence, std::string hint) {
  Message m;
  m.code = code;
  m.message = std::move(sentence);
  m.hint = std::move(hint);
  m.text = "error[" + m.code + "]: " + m.message + (m.hint.empty() ? "" : "\nhint: " + m.hint);
  return m;
}

[[noreturn]] void usage(std::string sentence, std::string hint = {}) {
  throw chancel::Error({plain_message("U001", std::move(sentence), std::move(hint))},
                       ExitCode::Usage);
}

// For when there is no memory to make an error of: no text longer than a std::string holds itself.
chancel_error* no_memory_error() noexcept {
  static chancel_error error = {CHANCEL_FAILED, {}, "out of memory"};
  return &error;
}

chancel_status give(chancel_error** place, chancel_status status,
                    const std::vector<Message>& messages) noexcept {
  if (place == nullptr) return status;
  try {
    auto error = std::make_unique<chancel_error>();
    error->status = status;
    error->messages = messages;
    for (const Message& m : messages) error->text += (error->text.empty() ? "" : "\n") + m.text;
    *place = error.release();
  } catch (...) {
    *place = no_memory_error();
  }
  return status;
}

template <class Work>
chancel_status guarded(chancel_error** place, Work&& work) noexcept {
  if (place != nullptr) *place = nullptr;
  try {
    work();
    return CHANCEL_OK;
  } catch (const chancel::Error& error) {
    return give(place, status_of(error.exit_code()), error.messages());
  } catch (const std::bad_alloc&) {
    if (place != nullptr) *place = no_memory_error();
  } catch (const std::exception& error) {
    try {
      return give(place, CHANCEL_FAILED, {plain_message("X001", error.what(), "please report it")});
    } catch (...) {
      if (place != nullptr) *place = no_memory_error();
    }
  } catch (...) {
    if (place != nullptr) *place = no_memory_error();
  }
  return CHANCEL_FAILED;
}

template <class T>
T& needed(T* pointer, const char* function, const char* what) {
  if (pointer == nullptr)
    usage(std::string(function) + ": " + what + " is NULL", "see chancel/chancel.h");
  return *pointer;
}

chancel_message to_c(const Message& m) {
  return {m.code.c_str(), m.message.c_str(), m.hint.c_str(), m.file.c_str(), m.line,
          m.column,       m.end_line,        m.end_column,   m.text.c_str()};
}
chancel_message message_at(const std::vector<Message>* messages, std::size_t index) {
  static const Message none;
  return to_c(messages != nullptr && index < messages->size() ? (*messages)[index] : none);
}

// ---- values

static_assert(sizeof(chancel_value) == sizeof(ValueView));
chancel_value to_c(const ValueView& view) {
  chancel_value value;
  std::memcpy(&value, &view, sizeof value);
  return value;
}
ValueView view_of(const chancel_value& value) {
  ValueView view;
  std::memcpy(static_cast<void*>(&view), &value, sizeof value);
  return view;
}

bool is_collection(const ValueView& view) {
  switch (view.kind()) {
    case ValueView::Kind::List:
    case ValueView::Kind::Vector:
    case ValueView::Kind::Map:
    case ValueView::Kind::Set:
      return true;
    default:
      return false;
  }
}

// Nested collections are as deep as the program made them, so that the way into them is on a heap.
void each_number(const ValueView& view, const std::function<void(double)>& visit) {
  std::vector<ValueView> open{view};
  while (!open.empty()) {
    const ValueView next = open.back();
    open.pop_back();
    if (next.kind() == ValueView::Kind::Vector || next.kind() == ValueView::Kind::List) {
      const std::vector<ValueView> items = next.items();
      open.insert(open.end(), items.rbegin(), items.rend());
    } else {
      visit(next.number());
    }
  }
}

void copy_text(const std::string& text, char* buffer, std::size_t size, std::size_t* length,
               const char* function) {
  if (size > 0) {
    needed(buffer, function, "buffer");
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  if (length != nullptr) *length = text.size();
}

// ---- options

template <class Number>
Number number_from(const char* name, const std::string& text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool good = problem == std::errc{} && end == text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>)
    good = good && std::isfinite(number) && number >= 0;
  if (!good)
    usage(std::string(name) + ": " +
              (std::is_floating_point_v<Number> ? "a number >= 0" : "a whole number >= 0") +
              " expected, got '" + text + "'",
          std::string(name) == "max-memory" ? "max-memory is in bytes" : "");
  return number;
}

bool truth_from(const char* name, const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  usage(std::string(name) + ": true or false expected, got '" + text + "'");
}

void set_option(chancel::InferOptions& o, const char* name, const std::string& value) {
  using Whole = std::uint64_t;
  const std::string_view key = name;
  if (key == "algorithm") {
    o.algorithm = value;
  } else if (key == "samples") {
    o.samples = number_from<Whole>(name, value);
  } else if (key == "ess") {
    o.ess = number_from<Whole>(name, value);
  } else if (key == "warmup") {
    o.warmup = number_from<Whole>(name, value);
  } else if (key == "burn") {
    o.burn = number_from<Whole>(name, value);
  } else if (key == "thin") {
    o.thin = number_from<Whole>(name, value);
    if (o.thin == 0) usage("thin: 1 or more expected, got '0'");
  } else if (key == "chains") {
    o.chains = number_from<unsigned>(name, value);
  } else if (key == "seed") {
    o.seed = number_from<Whole>(name, value);
  } else if (key == "threads") {
    o.threads = number_from<unsigned>(name, value);
  } else if (key == "prior") {
    o.prior = truth_from(name, value);
  } else if (key == "timeout") {
    o.limits.timeout = number_from<double>(name, value);
  } else if (key == "max-memory") {
    o.limits.max_memory = number_from<std::size_t>(name, value);
  } else {
    std::vector<std::string> known = {"algorithm", "samples", "ess",     "warmup",
                                      "burn",      "thin",    "chains",  "seed",
                                      "threads",   "prior",   "timeout", "max-memory"};
    bool is_engine_option = false;
    for (const chancel::EngineInfo& engine : chancel::engines())
      for (const chancel::EngineInfo::Option& option : engine.options) {
        is_engine_option = is_engine_option || option.name == key;
        known.push_back(option.name);
      }
    if (!is_engine_option) {
      const std::string meant = chancel::did_you_mean(key, known);
      usage("there is no option '" + std::string(key) + "'",
            meant.empty() ? "chancel docs engines lists those of the engines"
                          : "did you mean " + meant + "?");
    }
    const auto given = chancel::read_engine_options(":" + std::string(key) + " " + value);
    std::erase_if(o.engine_options, [&](const auto& option) { return option.name == key; });
    o.engine_options.insert(o.engine_options.end(), given.begin(), given.end());
  }
}

template <class Make>
chancel_status bind(chancel_options* options, const char* parameter, chancel_error** error,
                    const char* function, const Make& make) noexcept {
  return guarded(error, [&] {
    auto& all = needed(options, function, "options").options.arguments;
    needed(parameter, function, "parameter");
    if (!all) all.emplace();
    all->bind(parameter, ValueView(make(all->maker())));
  });
}

chancel_status compile(const char* function, const char* text, bool is_file,
                       const chancel_compile_options* options, chancel_model** model,
                       chancel_error** error) noexcept {
  return guarded(error, [&] {
    needed(text, function, is_file ? "path" : "program");
    needed(model, function, "model");
    chancel::CompileOptions compile;
    if (options != nullptr) {
      if (options->size < sizeof(chancel_compile_options))
        usage(std::string(function) + ": the options have no size",
              "start with chancel_compile_options options = CHANCEL_COMPILE_OPTIONS");
      if (options->name != nullptr) compile.name = options->name;
      if (options->dialect != nullptr) compile.dialect = options->dialect;
      compile.files = options->no_files == 0;
      if (options->output != nullptr)
        compile.output = [call = options->output, data = options->output_data](std::string_view t) {
          call(t.data(), t.size(), data);
        };
    }
    auto made = std::make_unique<chancel_model>();
    made->model = std::make_shared<chancel::Model>(
        is_file ? chancel::Model::compile_file(text, std::move(compile))
                : chancel::Model::compile(text, std::move(compile)));
    made->queries = made->model->queries();
    made->warnings = made->model->warnings();
    *model = made.release();
  });
}

// Texts of statistics must stay where they are while the caller looks at them.
const chancel::RunStatistics& statistics_of(chancel_run& run) {
  run.statistics = run.inference.statistics();
  return run.statistics;
}
template <class Answer, class Ask>
Answer ask(Answer nothing, const Ask& ask) noexcept {
  try {
    return ask();
  } catch (...) {
    return nothing;
  }
}

}  // namespace

extern "C" {

const char* chancel_version(void) { return chancel::version(); }

chancel_status chancel_error_status(const chancel_error* error) {
  return error == nullptr ? CHANCEL_OK : error->status;
}
const char* chancel_error_text(const chancel_error* error) {
  return error == nullptr ? "" : error->text.c_str();
}
size_t chancel_error_count(const chancel_error* error) {
  return error == nullptr ? 0 : error->messages.size();
}
chancel_message chancel_error_message(const chancel_error* error, size_t index) {
  return message_at(error == nullptr ? nullptr : &error->messages, index);
}
void chancel_error_free(chancel_error* error) {
  if (error != no_memory_error()) delete error;
}

chancel_status chancel_compile(const char* program, const chancel_compile_options* options,
                               chancel_model** model, chancel_error** error) {
  return compile("chancel_compile", program, false, options, model, error);
}
chancel_status chancel_compile_file(const char* path, const chancel_compile_options* options,
                                    chancel_model** model, chancel_error** error) {
  return compile("chancel_compile_file", path, true, options, model, error);
}
size_t chancel_query_count(const chancel_model* model) {
  return model == nullptr ? 0 : model->queries.size();
}
const char* chancel_query_name(const chancel_model* model, size_t index) {
  return index < chancel_query_count(model) ? model->queries[index].name.c_str() : "";
}
size_t chancel_warning_count(const chancel_model* model) {
  return model == nullptr ? 0 : model->warnings.size();
}
chancel_message chancel_warning(const chancel_model* model, size_t index) {
  return message_at(model == nullptr ? nullptr : &model->warnings, index);
}
void chancel_model_free(chancel_model* model) { delete model; }

chancel_options* chancel_options_new(void) {
  return ask<chancel_options*>(nullptr, [] { return new chancel_options; });
}
void chancel_options_free(chancel_options* options) { delete options; }

chancel_status chancel_set(chancel_options* options, const char* name, const char* value,
                           chancel_error** error) {
  return guarded(error, [&] {
    needed(options, "chancel_set", "options");
    set_option(options->options, &needed(name, "chancel_set", "name"),
               &needed(value, "chancel_set", "value"));
  });
}
chancel_status chancel_set_integer(chancel_options* options, const char* name, int64_t value,
                                   chancel_error** error) {
  return guarded(error, [&] {
    needed(options, "chancel_set_integer", "options");
    set_option(options->options, &needed(name, "chancel_set_integer", "name"),
               std::to_string(value));
  });
}

chancel_status chancel_bind_real(chancel_options* options, const char* parameter, double value,
                                 chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_real",
              [&](auto&) { return chancel::ValueMaker::real(value); });
}
chancel_status chancel_bind_integer(chancel_options* options, const char* parameter, int64_t value,
                                    chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_integer",
              [&](auto&) { return chancel::ValueMaker::integer(value); });
}
chancel_status chancel_bind_boolean(chancel_options* options, const char* parameter, int value,
                                    chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_boolean",
              [&](auto&) { return chancel::ValueMaker::boolean(value != 0); });
}
chancel_status chancel_bind_text(chancel_options* options, const char* parameter, const char* value,
                                 chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_text", [&](chancel::ValueMaker& maker) {
    return maker.string(&needed(value, "chancel_bind_text", "value"));
  });
}
chancel_status chancel_bind_reals(chancel_options* options, const char* parameter,
                                  const double* values, size_t count, chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_reals", [&](chancel::ValueMaker& maker) {
    if (count > 0) needed(values, "chancel_bind_reals", "values");
    return maker.reals({values, count});
  });
}
chancel_status chancel_bind_integers(chancel_options* options, const char* parameter,
                                     const int64_t* values, size_t count, chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_integers", [&](chancel::ValueMaker& maker) {
    if (count > 0) needed(values, "chancel_bind_integers", "values");
    return maker.integers({values, count});
  });
}
chancel_status chancel_bind_matrix(chancel_options* options, const char* parameter,
                                   const double* values, size_t rows, size_t columns,
                                   chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_matrix", [&](chancel::ValueMaker& maker) {
    if (rows > 0 && columns > 0) needed(values, "chancel_bind_matrix", "values");
    std::vector<ValueView> all;
    for (size_t i = 0; i < rows; ++i) all.push_back(maker.reals({values + i * columns, columns}));
    return maker.vector(all);
  });
}
chancel_status chancel_bind_edn(chancel_options* options, const char* parameter, const char* edn,
                                chancel_error** error) {
  return bind(options, parameter, error, "chancel_bind_edn", [&](chancel::ValueMaker& maker) {
    const auto value = maker.parse(&needed(edn, "chancel_bind_edn", "edn"));
    if (!value)
      throw chancel::Error(
          {plain_message("U003", std::string(parameter) + ": this is not one value: " + edn,
                         "a value is written as in a program: [1 2.5 true], \"text\", {:n 3}")},
          ExitCode::BadInput);
    return *value;
  });
}

chancel_status chancel_infer(chancel_model* model, const char* query,
                             const chancel_options* options, chancel_run** run,
                             chancel_error** error) {
  return guarded(error, [&] {
    needed(model, "chancel_infer", "model");
    needed(run, "chancel_infer", "run");
    chancel::InferOptions infer = options == nullptr ? chancel::InferOptions{} : options->options;
    const chancel::Interrupt interrupt;
    infer.interrupt = interrupt;
    const std::string name = query == nullptr ? model->model->default_query() : query;
    *run = new chancel_run{model->model, interrupt, model->model->infer(name, std::move(infer)),
                           {},           {},        false};
  });
}
chancel_status chancel_next(chancel_run* run, const chancel_draw** draw, chancel_error** error) {
  return guarded(error, [&] {
    needed(run, "chancel_next", "run");
    needed(draw, "chancel_next", "draw");
    run->draw.draw = nullptr;
    if (!run->ended) {
      run->ended = true;  // unless there is one
      run->draw.draw = run->inference.next();
      run->ended = run->draw.draw == nullptr;
    }
    *draw = run->ended ? nullptr : &run->draw;
  });
}
void chancel_stop(chancel_run* run) {
  if (run != nullptr) run->interrupt.request();
}
void chancel_run_free(chancel_run* run) { delete run; }

uint64_t chancel_run_draws(const chancel_run* run) {
  return run == nullptr ? 0 : run->inference.statistics().draws;
}
int chancel_run_log_evidence(const chancel_run* run, double* value, double* standard_error) {
  if (run == nullptr) return 0;
  const chancel::RunStatistics& s = run->inference.statistics();
  if (!s.log_evidence) return 0;
  if (value != nullptr) *value = *s.log_evidence;
  if (standard_error != nullptr) *standard_error = s.log_evidence_se.value_or(std::nan(""));
  return 1;
}
int chancel_run_interrupted(const chancel_run* run) {
  return run != nullptr && run->inference.statistics().interrupted ? 1 : 0;
}
const char* chancel_run_engine(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).engine.c_str(); });
}
const char* chancel_run_choice(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).choice.c_str(); });
}
const char* chancel_run_stopped(chancel_run* run) {
  return ask("", [&] { return run == nullptr ? "" : statistics_of(*run).stopped.c_str(); });
}
size_t chancel_run_warning_count(chancel_run* run) {
  return ask<size_t>(0, [&] { return run == nullptr ? 0 : statistics_of(*run).warnings.size(); });
}
chancel_message chancel_run_warning(chancel_run* run, size_t index) {
  if (run == nullptr) return message_at(nullptr, 0);
  return ask(message_at(nullptr, 0),
             [&] { return message_at(&statistics_of(*run).warnings, index); });
}

double chancel_draw_log_weight(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->log_weight;
}
uint64_t chancel_draw_index(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->index;
}
uint64_t chancel_draw_sweep(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->sweep;
}
uint32_t chancel_draw_chain(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->chain;
}
size_t chancel_draw_count(const chancel_draw* draw) {
  return draw == nullptr ? 0 : draw->draw->predicts.size();
}
const char* chancel_draw_label(const chancel_draw* draw, size_t index) {
  return index < chancel_draw_count(draw) ? draw->draw->predicts[index].label.c_str() : "";
}
chancel_value chancel_draw_value(const chancel_draw* draw, size_t index) {
  return to_c(index < chancel_draw_count(draw) ? draw->draw->predicts[index].value
                                               : chancel::ValueMaker::nil());
}
chancel_value chancel_draw_result(const chancel_draw* draw) {
  return to_c(draw == nullptr ? chancel::ValueMaker::nil() : draw->draw->result);
}
chancel_status chancel_draw_find(const chancel_draw* draw, const char* label, chancel_value* value,
                                 chancel_error** error) {
  return guarded(error, [&] {
    needed(draw, "chancel_draw_find", "draw");
    needed(label, "chancel_draw_find", "label");
    needed(value, "chancel_draw_find", "value") = to_c((*draw->draw)[label]);
  });
}
chancel_status chancel_draw_number(const chancel_draw* draw, const char* label, double* number,
                                   chancel_error** error) {
  return guarded(error, [&] {
    needed(draw, "chancel_draw_number", "draw");
    needed(label, "chancel_draw_number", "label");
    needed(number, "chancel_draw_number", "number") = (*draw->draw)[label].number();
  });
}

chancel_kind chancel_value_kind(chancel_value value) {
  return static_cast<chancel_kind>(view_of(value).kind());
}
int chancel_value_boolean(chancel_value value) { return view_of(value).boolean() ? 1 : 0; }
chancel_status chancel_value_integer(chancel_value value, int64_t* integer, chancel_error** error) {
  return guarded(error, [&] {
    needed(integer, "chancel_value_integer", "integer") = view_of(value).integer();
  });
}
chancel_status chancel_value_number(chancel_value value, double* number, chancel_error** error) {
  return guarded(
      error, [&] { needed(number, "chancel_value_number", "number") = view_of(value).number(); });
}
chancel_status chancel_value_numbers(chancel_value value, double* numbers, size_t capacity,
                                     size_t* count, chancel_error** error) {
  return guarded(error, [&] {
    needed(count, "chancel_value_numbers", "count");
    if (capacity > 0) needed(numbers, "chancel_value_numbers", "numbers");
    size_t found = 0;
    each_number(view_of(value), [&](double) { ++found; });  // all are numbers
    size_t at = 0;
    each_number(view_of(value), [&](double x) {
      if (at < capacity) numbers[at++] = x;
    });
    *count = found;
  });
}
size_t chancel_value_size(chancel_value value) {
  const ValueView view = view_of(value);
  return ask<size_t>(0, [&] { return is_collection(view) ? view.size() : 0; });
}
chancel_status chancel_value_at(chancel_value value, size_t index, chancel_value* element,
                                chancel_error** error) {
  return guarded(error, [&] {
    needed(element, "chancel_value_at", "element") = to_c(view_of(value).at(index));
  });
}
chancel_status chancel_value_entry(chancel_value map, size_t index, chancel_value* key,
                                   chancel_value* value, chancel_error** error) {
  return guarded(error, [&] {
    needed(key, "chancel_value_entry", "key");
    needed(value, "chancel_value_entry", "value");
    const auto entries = view_of(map).entries();
    if (index >= entries.size())
      usage("chancel_value_entry: there is no entry " + std::to_string(index),
            "the map has " + std::to_string(entries.size()));
    *key = to_c(entries[index].first);
    *value = to_c(entries[index].second);
  });
}
chancel_status chancel_value_get(chancel_value map, const char* keyword, chancel_value* value,
                                 chancel_error** error) {
  return guarded(error, [&] {
    needed(keyword, "chancel_value_get", "keyword");
    needed(value, "chancel_value_get", "value") =
        to_c(view_of(map).get(keyword).value_or(chancel::ValueMaker::nil()));
  });
}
chancel_status chancel_value_text(chancel_value value, char* buffer, size_t size, size_t* length,
                                  chancel_error** error) {
  return guarded(
      error, [&] { copy_text(view_of(value).text(), buffer, size, length, "chancel_value_text"); });
}
chancel_status chancel_value_print(chancel_value value, char* buffer, size_t size, size_t* length,
                                   chancel_error** error) {
  return guarded(error, [&] {
    copy_text(view_of(value).print(), buffer, size, length, "chancel_value_print");
  });
}

}  // extern "C"
