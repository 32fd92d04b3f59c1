// SPDX-License-Identifier: Apache-2.0
// Options of a run and values for its parameters.
#include "api/c_interface.hpp"

#include <charconv>
#include <cmath>

#include "chancel/suggest.hpp"

using namespace chancel::c;
using chancel::ExitCode;
using chancel::Message;
using chancel::ValueView;

namespace {

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
  } else if (key == "rounds") {
    o.rounds = number_from<Whole>(name, value);
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
    std::vector<std::string> known = {"algorithm", "samples", "ess",       "rounds", "warmup",
                                      "burn",      "thin",    "chains",    "seed",   "threads",
                                      "prior",     "timeout", "max-memory"};
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

}  // namespace

extern "C" {

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

}  // extern "C"
