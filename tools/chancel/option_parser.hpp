// SPDX-License-Identifier: Apache-2.0
// The options of a command: declared once, parsed, shown by --help.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "command.hpp"

namespace chancel::tool {

// A command as its parser declares it: what man pages and shell completion are made of.
struct CommandDescription {
  struct Option {
    std::string group;
    std::vector<std::string> names;
    std::string placeholder, doc;  // a flag has no placeholder
    std::vector<std::string> choices;
  };
  std::string synopsis, about, examples;
  std::vector<Option> options;
  std::vector<std::string> arguments;  // "FILE", "QUERY"
};

class OptionParser {
 public:
  // `synopsis`: "chancel infer FILE [QUERY] [options]"; `about`: a few sentences; `examples`: shown
  // last.
  OptionParser(std::string synopsis, std::string about, std::string examples);

  void group(std::string title);
  // `names`: "-n,--samples"; the last is the one used in messages. A value that is not given stays
  // as it is. `choices`: the words that shells offer as its value.
  void option(const std::string& names, std::string* value, const std::string& placeholder,
              const std::string& doc, std::vector<std::string> choices = {});
  // May be given several times; the values are joined by blanks.
  void repeated(const std::string& names, std::string* value, const std::string& placeholder,
                const std::string& doc);
  void flag(const std::string& names, bool* value, const std::string& doc);
  void positional(const std::string& name, std::string* value, bool required);
  // All remaining words; after them nothing is an option any more when `verbatim`.
  void rest(const std::string& name, std::vector<std::string>* values, bool required,
            bool verbatim);

  // False: help was asked for and has been shown. Throws UsageError.
  bool parse(const Arguments& arguments);
  // After that: the options that were given, by their last names.
  const std::vector<std::string>& given() const { return given_; }
  std::string help() const;
  CommandDescription description() const;
  // What a command declares: `run` is called with --help, and prints nothing. Empty when it has no parser.
  static CommandDescription describe(int (*run)(const Arguments&));

 private:
  enum class Kind { Option, Repeated, Flag };
  struct Option {
    Kind kind;
    std::string group, names, placeholder, doc;
    std::string* value = nullptr;
    bool* flag = nullptr;
    std::vector<std::string> choices = {};
  };
  struct Positional {
    std::string name;
    std::string* value;
    bool required;
  };
  struct Given {
    std::map<const Option*, std::vector<std::string>> values;
    std::vector<const Option*> flags;
    std::string unknown;  // the first name that is none
    bool help = false;
  };
  std::vector<std::string> take_options(const Arguments& arguments, Given& given) const;
  const Option* find(const std::string& name) const;
  std::string try_help() const;

  std::string synopsis_, about_, examples_;
  std::string group_;
  std::vector<Option> options_;
  std::vector<std::string> given_;
  std::vector<Positional> positionals_;
  std::string rest_name_;
  std::vector<std::string>* rest_ = nullptr;
  bool rest_required_ = false;
  bool rest_verbatim_ = false;
};

}  // namespace chancel::tool
