// SPDX-License-Identifier: Apache-2.0
// chancel new NAME: a project to start from, in the layout of Leiningen: a model with data, its tests, a worksheet and a
// README. The project runs under Anglican, too.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "command.hpp"
#include "console.hpp"
#include "option_parser.hpp"
#include "usage.hpp"

namespace chancel::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAbout =
    "Makes a folder NAME with a small project: a model and its data, tests, a worksheet and a "
    "README "
    "that says how\n"
    "to run them.";

constexpr const char* kExamples =
    "  chancel new coins\n"
    "  cd coins && chancel test && chancel infer coins.model/coin\n";

struct File {
  const char* path;
  const char* text;  // {{ns}}: the namespace, {{name}}: the project
};

constexpr File kFiles[] = {
    {"project.clj", R"~((defproject {{name}} "0.1.0"
  :description "A probabilistic program"
  :dependencies [[org.clojure/clojure "1.8.0"]
                 [anglican "1.0.0"]]
  :main {{ns}}.model)
)~"},
    {".gitignore", "/runs\n/target\n*.html\n"},
    {"README.md", R"~(# {{name}}

A model of a coin, to start from: how probable are heads, given some flips?

- `src/{{path}}/model.clj`: the model
- `resources/flips.edn`: the data
- `test/{{path}}/model_test.clj`: its tests
- `worksheets/coin.clj`: a worksheet that shows the posterior

```sh
chancel test                              # the tests
chancel infer {{ns}}.model/coin           # the posterior
chancel run -m {{ns}}.model 2000          # the function -main of the model
chancel run worksheets/coin.clj --page coin.html
```
)~"},
    {"resources/flips.edn", "[true true false true true true false true]\n"},
    {"src/{{path}}/model.clj", R"~((ns {{ns}}.model
  "How probable are heads, given flips of a coin?"
  (:require [clojure.java.io :as io])
  (:use [anglican core emit runtime stat]))

(def flips
  "What was seen: true is heads."
  (read-string (slurp (io/resource "flips.edn"))))

(defquery coin [flips]
  (let [bias (sample (beta 1 1))]
    (map (fn [heads] (observe (flip bias) heads)) flips)
    (predict :bias bias)
    (predict :next-is-heads (sample (flip bias)))
    bias))

(def coin-value "The argument of coin where none is given." [flips])

(defn posterior-mean
  "The mean of the bias over n draws."
  [n flips]
  (let [draws (take n (doquery :importance coin [flips]))]
    (empirical-mean (collect-predicts :bias draws))))

(defn -main [& args]
  (let [n (Integer/parseInt (or (first args) "1000"))]
    (println (format "heads have probability %.2f (%d draws)" (posterior-mean n flips) n))))
)~"},
    {"test/{{path}}/model_test.clj", R"~((ns {{ns}}.model-test
  (:require [clojure.test :refer [deftest is testing]]
            [{{ns}}.model :as model]))

(deftest data
  (is (every? #(or (true? %) (false? %)) model/flips)))

(deftest posterior
  (testing "The posterior of a bias with a uniform prior is (beta (+ 1 heads) (+ 1 tails))."
    (let [heads (count (filter true? model/flips))
          exact (/ (+ 1.0 heads) (+ 2 (count model/flips)))]
      (is (< (Math/abs (- exact (model/posterior-mean 20000 model/flips))) 0.02)))))
)~"},
    {"worksheets/coin.clj", R"~(;; gorilla-repl.fileformat = 1

;; **
;;; # A coin
;;;
;;; The bias @@b@@ of a coin has a uniform prior, and each flip is heads with probability @@b@@.
;; **

;; @@
(ns worksheets.coin
  (:require [gorilla-plot.core :as plot]
            [{{ns}}.model :as model])
  (:use [anglican core emit runtime stat]))

(def biases (map :result (take 5000 (drop 500 (doquery :lmh model/coin [model/flips])))))
;; @@

;; **
;;; The posterior mean, and a histogram of the draws:
;; **

;; @@
(mean biases)
;; @@

;; @@
(plot/histogram biases :bins 30 :normalize :probability)
;; @@
)~"},
};

std::string with(std::string text, char from, char to) {
  std::replace(text.begin(), text.end(), from, to);
  return text;
}

std::string filled(std::string text, const std::string& name) {
  const auto replace = [&text](const std::string& mark, const std::string& by) {
    for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += by.size())
      text.replace(at, mark.size(), by);
  };
  replace("{{name}}", name);
  replace("{{ns}}", name);
  replace("{{path}}", with(with(name, '-', '_'), '.', '/'));
  return text;
}

void check_name(const std::string& name) {
  const bool fits = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
  });
  const bool begins = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  if (!fits || !begins || name.back() == '.' || name.find("..") != name.npos)
    throw UsageError(fmt::format("'{}' cannot be the name of a project", name),
                     "a letter, then letters, digits, - and .: bayes-coins");
  std::error_code error;
  if (fs::exists(name, error))
    throw UsageError(fmt::format("{} is there already", name),
                     "take another name: nothing is overwritten", "U004", ExitCode::Usage);
}

void write(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    throw UsageError(fmt::format("cannot write {}", path.string()), "is the folder writable?",
                     "U004", ExitCode::Failed);
}

}  // namespace

int new_command(const Arguments& arguments) {
  std::string name;
  OptionParser parser("chancel new NAME", kAbout, kExamples);
  parser.positional("NAME", &name, true);
  if (!parser.parse(arguments)) return 0;
  check_name(name);
  for (const File& file : kFiles)
    write(fs::path(name) / filled(file.path, name), filled(file.text, name));
  write_output(fmt::format(
      "{0}: a project with a model, its tests and a worksheet\n\n  cd {0}\n  chancel test\n"
      "  chancel infer {0}.model/coin\n  chancel run worksheets/coin.clj --page coin.html\n",
      name));
  return 0;
}

}  // namespace chancel::tool
