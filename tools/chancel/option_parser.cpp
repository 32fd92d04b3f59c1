// SPDX-License-Identifier: Apache-2.0
#include "option_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "console.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr std::size_t kDocColumn = 30;
constexpr std::size_t kWidth = 100;
// What other programs call these options.
constexpr std::pair<const char*, const char*> kElsewhere[] = {
    {"--engine", "--algorithm"},  {"--method", "--algorithm"}, {"--iterations", "--samples"},
    {"--iter", "--samples"},      {"--draws", "--samples"},    {"--num-samples", "--samples"},
    {"--num-draws", "--samples"}, {"-c", "--chains"},          {"--num-chains", "--chains"},
    {"--num-warmup", "--warmup"}, {"--tune", "--warmup"},      {"--num-particles", "--particles"},
    {"--random-seed", "--seed"},  {"--cores", "--threads"},    {"--jobs", "--threads"},
    {"-j", "--threads"},          {"--output", "--out"},       {"--time-limit", "--timeout"},
    {"--memory", "--max-memory"},
};

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::size_t at = indent;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = text.find(' ', i);
    if (end == std::string::npos) end = text.size();
    const std::size_t length = end - i;
    if (at + length > kWidth && at > indent) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (i > 0) {
      out += ' ';
      ++at;
    }
    out.append(text, i, length);
    at += length;
    i = end + 1;
  }
  return out;
}

// "-n,--samples" -> its names.
std::vector<std::string> split_names(const std::string& names) {
  std::vector<std::string> list;
  std::size_t from = 0;
  while (from <= names.size()) {
    const std::size_t to = std::min(names.find(',', from), names.size());
    list.push_back(names.substr(from, to - from));
    from = to + 1;
  }
  return list;
}

CommandDescription* described = nullptr;  // where --help puts what it would print

}  // namespace

CommandDescription OptionParser::describe(int (*run)(const Arguments&)) {
  struct Listening {
    explicit Listening(CommandDescription* place) { described = place; }
    ~Listening() { described = nullptr; }
  };
  CommandDescription out;
  const Listening listening(&out);
  run({"--help"});
  return out;
}

CommandDescription OptionParser::description() const {
  CommandDescription out{synopsis_, about_, examples_, {}, {}};
  for (const Option& o : options_)
    if (!o.doc.empty())
      out.options.push_back({o.group, split_names(o.names), o.placeholder, o.doc, o.choices});
  for (const Positional& p : positionals_) out.arguments.push_back(p.name);
  if (rest_ != nullptr) out.arguments.push_back(rest_name_);
  return out;
}

OptionParser::OptionParser(std::string synopsis, std::string about, std::string examples)
    : synopsis_(std::move(synopsis)), about_(std::move(about)), examples_(std::move(examples)) {}

void OptionParser::group(std::string title) { group_ = std::move(title); }

void OptionParser::option(const std::string& names, std::string* value,
                          const std::string& placeholder, const std::string& doc,
                          std::vector<std::string> choices) {
  options_.push_back(
      {Kind::Option, group_, names, placeholder, doc, value, nullptr, std::move(choices)});
}

void OptionParser::repeated(const std::string& names, std::string* value,
                            const std::string& placeholder, const std::string& doc) {
  options_.push_back({Kind::Repeated, group_, names, placeholder, doc, value, nullptr});
}

void OptionParser::flag(const std::string& names, bool* value, const std::string& doc) {
  options_.push_back({Kind::Flag, group_, names, "", doc, nullptr, value});
}

void OptionParser::positional(const std::string& name, std::string* value, bool required) {
  positionals_.push_back({name, value, required});
}

void OptionParser::rest(const std::string& name, std::vector<std::string>* values, bool required,
                        bool verbatim) {
  rest_name_ = name;
  rest_ = values;
  rest_required_ = required;
  rest_verbatim_ = verbatim;
}

// "chancel infer --help lists the options"
std::string OptionParser::try_help() const {
  return fmt::format("{} --help lists the options", synopsis_.substr(0, synopsis_.find(' ', 8)));
}

const OptionParser::Option* OptionParser::find(const std::string& name) const {
  for (const Option& o : options_)
    for (const std::string& known : split_names(o.names))
      if (known == name) return &o;
  return nullptr;
}

// The words that are not options. What was given to each option goes into `given`. A value may look
// like anything: -5, an option, nothing at all.
std::vector<std::string> OptionParser::take_options(const Arguments& arguments,
                                                    Given& given) const {
  std::vector<std::string> plain;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& word = arguments[at];
    if (word == "--") {
      plain.insert(plain.end(), arguments.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                   arguments.end());
      break;
    }
    if (word.size() < 2 || word[0] != '-') {
      plain.push_back(word);
      if (!rest_verbatim_) continue;
      for (++at; at < arguments.size(); ++at)
        if (arguments[at] != "--" || plain.size() > 1) plain.push_back(arguments[at]);
      break;
    }
    // --name, --name=value, -n, -nvalue, -ab for the flags -a -b
    const bool is_long = word[1] == '-';
    std::string name = is_long ? word.substr(0, word.find('=')) : word.substr(0, 2);
    std::optional<std::string> value;
    if (name.size() < word.size()) value = word.substr(name.size() + (is_long ? 1 : 0));
    for (;;) {
      if (name == "-h" || name == "--help") {
        given.help = true;
        break;
      }
      const Option* o = find(name);
      if (o == nullptr) {
        if (given.unknown.empty()) given.unknown = name;
        break;
      }
      if (o->kind != Kind::Flag) {
        if (!value && at + 1 == arguments.size())
          throw UsageError(fmt::format("{} needs a value", word), try_help());
        given.values[o].push_back(value ? *value : arguments[++at]);
        break;
      }
      if (is_long && value) throw UsageError(fmt::format("{} takes no value", name), try_help());
      given.flags.push_back(o);
      if (!value) break;
      name = "-" + value->substr(0, 1);
      value = value->size() > 1 ? std::optional(value->substr(1)) : std::nullopt;
    }
  }
  return plain;
}

bool OptionParser::parse(const Arguments& arguments) {
  Given given;
  const std::vector<std::string> plain = take_options(arguments, given);
  if (given.help) {
    if (described != nullptr) {
      *described = description();
    } else {
      write_output(help());
    }
    return false;
  }
  if (!given.unknown.empty()) {
    std::vector<std::string> names = {"-h", "--help"};
    for (const Option& o : options_)
      for (const std::string& name : split_names(o.names)) names.push_back(name);
    for (const auto& [theirs, ours] : kElsewhere)
      if (given.unknown == theirs && find(ours) != nullptr)
        throw UsageError(fmt::format("unknown option {}", given.unknown),
                         fmt::format("it is {} here; {}", ours, try_help()));
    throw UsageError(fmt::format("unknown option {}", given.unknown),
                     suggest(given.unknown, names, try_help()));
  }
  for (const Option* o : given.flags) {
    *o->flag = true;
    given_.push_back(split_names(o->names).back());
  }
  for (const auto& [o, values] : given.values) {
    given_.push_back(split_names(o->names).back());
    if (o->kind == Kind::Repeated) {
      *o->value = join(values, " ");
    } else if (values.size() > 1) {
      throw UsageError(
          fmt::format("{} is given {} times", split_names(o->names).back(), values.size()),
          "once is enough");
    } else {
      *o->value = values.front();
    }
  }

  std::size_t at = 0;
  for (const Positional& p : positionals_) {
    if (at < plain.size()) {
      *p.value = plain[at++];
    } else if (p.required) {
      throw UsageError(fmt::format("{} is missing", p.name), "usage: " + synopsis_);
    }
  }
  if (rest_ != nullptr) {
    rest_->assign(plain.begin() + static_cast<std::ptrdiff_t>(at), plain.end());
    if (rest_->empty() && rest_required_)
      throw UsageError(fmt::format("{} is missing", rest_name_), "usage: " + synopsis_);
  } else if (at < plain.size()) {
    throw UsageError(fmt::format("unexpected argument '{}'", plain[at]), "usage: " + synopsis_);
  }
  return true;
}

std::string OptionParser::help() const {
  std::string out = "usage: " + synopsis_ + "\n\n" + about_ + "\n";
  std::string group = "\n";  // no group is called so
  for (const Option& o : options_) {
    if (o.doc.empty()) continue;  // accepted, not advertised
    if (o.group != group) {
      group = o.group;
      out += fmt::format("\n{}\n", group);
    }
    std::string head = "  ";
    const std::vector<std::string> names = split_names(o.names);
    if (names.front().starts_with("--")) head += "    ";
    head += names.front();
    if (names.size() > 1) head += ", " + names.back();  // names between are Anglican's
    if (!o.placeholder.empty()) head += " " + o.placeholder;
    if (head.size() + 2 > kDocColumn) {
      out += head + "\n" + std::string(kDocColumn, ' ');
    } else {
      out += head + std::string(kDocColumn - head.size(), ' ');
    }
    out += wrapped(o.doc, kDocColumn) + "\n";
  }
  if (!examples_.empty()) out += "\nExamples\n" + examples_;
  return out;
}

}  // namespace chancel::tool
