// SPDX-License-Identifier: Apache-2.0
// chancel::check evaluates nothing: mutated programs full of files and endless loops touch no file
// and take no time. inotify sees every file that is opened in the folder of the bait; the time is
// that of this thread, so that a busy machine does not matter. CHANCEL_CHECK_PROGRAMS sets how many
// programs (1000).
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>

#include "chancel/chancel.hpp"

namespace chancel {
namespace {

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Watches a folder with one file in it.
class Bait {
 public:
  Bait() {
    std::string name = (std::filesystem::temp_directory_path() / "chancel-check-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream(path()) << "1";
    watch_ = ::inotify_init1(IN_NONBLOCK);
    ::inotify_add_watch(watch_, folder_.c_str(), IN_OPEN | IN_CREATE | IN_MODIFY | IN_DELETE);
  }
  ~Bait() {
    ::close(watch_);
    std::filesystem::remove_all(folder_);
  }
  Bait(const Bait&) = delete;
  Bait& operator=(const Bait&) = delete;
  std::string path() const { return folder_ + "/bait.csv"; }
  bool touched() const {
    alignas(inotify_event) char buffer[4096];
    return ::read(watch_, buffer, sizeof buffer) > 0;
  }

 private:
  std::string folder_;
  int watch_;
};

std::vector<std::string> forms(const std::string& path) {
  const std::string file = "\"" + path + "\"";
  return {
      "(def text (slurp " + file + "))",
      "(def table (read-csv " + file + "))",
      "(spit " + file + " \"gone\")",
      "(def y (loop [] (recur)))",
      "(def z (last (range)))",
      "(println (count (iterate inc 0)))",
      "(while true (swap! (atom 0) inc))",
      "(defn f [x] (if (pos? x) (f (inc x)) (slurp " + file + ")))",
      "(def w (f 1))",
      "(defmacro m [x] (list 'def x (slurp " + file + ")))",
      "(m q)",
      "(defmacro n [& xs] (loop [] (recur)))",
      "(n 1 2 3)",
      "(defmacro big [] (doall (range)))",
      "(def b (big))",
      "(defmacro twice [] '(do (twice) (twice)))",
      "(twice)",
      "(defmacro g [x] (f x))",
      "(g 1)",
      "(def v (eval '(slurp " + file + ")))",
      "(defquery model [y] (let [x (sample (normal 0 1))] (observe (normal x 1) y) (predict :x "
      "x)))",
      "(def draws (doquery :smc model [(f 3)] :number-of-particles 100000000))",
      "(println (first draws) (read-json " + file + "))",
      "(let [s (vec (repeat 100 (slurp " + file + ")))] (defn h [] s))",
      "(defonce o (reduce + (range)))",
  };
}

// Programs of some of the forms, with a word or bracket changed, moved or lost here and there.
std::string mutated(const std::vector<std::string>& all, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  std::string text;
  for (std::size_t i = 0, n = 2 + below(10); i < n; ++i) text += all[below(all.size())] + "\n";
  for (std::size_t i = 0, n = below(4); i < n && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(4)) {
      case 0:
        text.erase(at, 1 + below(8));
        break;
      case 1:
        text.insert(at, std::string(1, "()[]{}'`~@#\" 0"[below(14)]));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      default:
        std::swap(text[at], text[below(text.size())]);
    }
  }
  return text;
}

TEST(Check, evaluates_nothing) {
  const char* count = std::getenv("CHANCEL_CHECK_PROGRAMS");
  const int programs = count ? std::atoi(count) : 1000;
  const Bait bait;
  const std::vector<std::string> all = forms(bait.path());
  std::mt19937 random(11);
  double longest = 0;
  for (int i = 0; i < programs; ++i) {
    const std::string text = mutated(all, random);
    const double start = thread_seconds();
    check(text);
    longest = std::max(longest, thread_seconds() - start);
    ASSERT_LT(longest, 1.0) << text;
    ASSERT_FALSE(bait.touched()) << text;
  }
  RecordProperty("longest_milliseconds", static_cast<int>(1000 * longest));
}

TEST(Check, macros_run_on_functions_but_not_on_values) {
  const CheckResult fine = check(R"(
    (defn pair [x] (list 'vector x x))
    (defmacro twice [x] (pair x))
    (def y (twice 3))
    (defquery q (predict :y y)))");
  EXPECT_TRUE(fine.ok);
  EXPECT_TRUE(fine.messages.empty());
  const CheckResult values = check(R"(
    (def names (map symbol ["a" "b"]))
    (defmacro define-all [] `(do ~@(map (fn [n] `(def ~n 1)) names)))
    (define-all)
    (defquery q (predict :a (+ a b))))");
  EXPECT_TRUE(values.ok);
  ASSERT_FALSE(values.messages.empty());
  EXPECT_EQ(values.messages[0].code, "F009");
  EXPECT_FALSE(values.messages[0].error);
}

std::vector<std::string> codes(const std::string& text) {
  std::vector<std::string> out;
  for (const Message& m : check(text).messages)
    out.push_back(m.code + ":" + std::to_string(m.line));
  return out;
}

TEST(Check, finds_wrong_calls) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(codes("(defn f [x] x)\n(defquery q (f 1 2))"), Codes{"F005:2"});
  EXPECT_EQ(codes("(def x (zipmap [1]))"), Codes{"F005:1"});
  EXPECT_EQ(codes("(defquery q (predict :x 1))\n(doquery :smc q nil :number-of-particle 10)"),
            Codes{"I002:2"});
  EXPECT_EQ(codes("(defquery q (predict :x 1))\n(doquery :smcc q nil)"), Codes{"I001:2"});
  EXPECT_EQ(codes("(defquery q (predict :x 1))\n(doquery :smc q nil :number-of-particles 10)"),
            Codes{});
}

TEST(Check, finds_distributions_that_are_thrown_away) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(
      codes("(defquery q [ys]\n (let [m (sample (normal 0 1))]\n  (normal m 1)\n  (predict m)))"),
      Codes{"F013:3"});
  EXPECT_EQ(codes("(defquery q [ys]\n (doseq [y ys]\n  (normal y 1))\n (predict 1))"),
            Codes{"F013:3"});
  EXPECT_EQ(codes("(defquery q [ys]\n (let [d (normal 0 1)] (observe d 2) (predict 1) d))"),
            Codes{});
}

TEST(Check, finds_distributions_in_place_of_draws) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(codes("(defquery q\n (predict :x (if (flip 0.5) 1 0)))"), Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q\n (when (flip 0.5) (predict :x 1)))"), Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q\n (predict :x (and (flip 0.5)\n (flip 0.1))))"), Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q (let [coin (flip 0.5)]\n (predict :x (if coin 1 0))))"),
            Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q (predict :x\n (= (flip 0.5) true)))"), Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q (predict :x\n (= 2 (uniform-discrete 0 3))))"), Codes{"F015:2"});
  EXPECT_EQ(codes("(defquery q (predict :x\n (not (flip 0.5))))"), Codes{"F015:2"});
  // A distribution, or none, from somewhere else is a fair question.
  EXPECT_EQ(codes("(defn f [m k] (if-let [d (get m k)] d (normal 0 1)))"), Codes{});
  EXPECT_EQ(codes("(defn f [d] (= d (normal 0 1)))"), Codes{});
  EXPECT_EQ(codes("(defn f [d] (or d (normal 0 1)))"), Codes{});
}

}  // namespace
}  // namespace chancel
