// SPDX-License-Identifier: Apache-2.0
#include "option_parser.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "console.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

constexpr std::size_t kDocColumn = 30;
constexpr std::size_t kWidth = 100;

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

// Which option an error of CLI11 is about: its message starts with the name.
std::string option_in(const std::string& message) {
  const std::size_t end = message.find_first_of(": ");
  return message.substr(0, end);
}

}  // namespace

OptionParser::OptionParser(std::string synopsis, std::string about, std::string examples)
    : synopsis_(std::move(synopsis)), about_(std::move(about)), examples_(std::move(examples)) {}

void OptionParser::group(std::string title) { group_ = std::move(title); }

void OptionParser::option(const std::string& names, std::string* value,
                          const std::string& placeholder, const std::string& doc) {
  options_.push_back({Kind::Option, group_, names, placeholder, doc, value, nullptr});
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

bool OptionParser::parse(const Arguments& arguments) {
  CLI::App app;
  app.set_help_flag();  // ours
  app.allow_extras();
  if (rest_verbatim_) app.prefix_command();
  bool help_wanted = false;
  app.add_flag("-h,--help", help_wanted);
  std::vector<std::vector<std::string>> given(options_.size());
  std::vector<std::string> names = {"-h", "--help"};
  for (std::size_t i = 0; i < options_.size(); ++i) {
    const Option& o = options_[i];
    if (o.kind == Kind::Flag) {
      app.add_flag(o.names, *o.flag);
    } else {
      // An empty text is a value too; CLI11 would otherwise read it as no value.
      app.add_option(o.names, given[i])
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false)
          ->delimiter('\0');
    }
    for (const std::string& name : split_names(o.names)) names.push_back(name);
  }

  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  const std::string try_help =
      fmt::format("{} --help lists the options", synopsis_.substr(0, synopsis_.find(' ', 8)));
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch&) {
    // Values are taken whatever they look like, so only the last word can lack one.
    throw UsageError(fmt::format("{} needs a value", arguments.back()), try_help);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("cannot make sense of {}", option_in(error.what())), try_help);
  }
  if (help_wanted) {
    write_output(help());
    return false;
  }

  for (std::size_t i = 0; i < options_.size(); ++i) {
    if (given[i].empty()) continue;
    const Option& o = options_[i];
    if (o.kind == Kind::Repeated) {
      *o.value = join(given[i], " ");
    } else if (given[i].size() > 1) {
      throw UsageError(
          fmt::format("{} is given {} times", split_names(o.names).back(), given[i].size()),
          "once is enough");
    } else {
      *o.value = given[i].front();
    }
  }

  std::vector<std::string> words = app.remaining();
  bool options_end = false;
  std::vector<std::string> plain;
  for (const std::string& word : words) {
    if (!options_end && word == "--") {
      options_end = true;
      continue;
    }
    const bool is_first = plain.empty();
    if (!options_end && word.size() > 1 && word[0] == '-' && !(rest_verbatim_ && !is_first)) {
      const std::string name = word.substr(0, word.find('='));
      throw UsageError(fmt::format("unknown option {}", name), suggest(name, names, try_help));
    }
    plain.push_back(word);
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
