// SPDX-License-Identifier: Apache-2.0
// Arithmetic, mathematical functions, statistics and matrices.
#include "calls.hpp"
#include "library/host.hpp"

namespace chancel {
namespace {

class PrimitivesNumbers : public PrimitivesTest {
 protected:
  double number(std::string_view name, const Values& args) { return value(name, args).d; }
};

TEST_F(PrimitivesNumbers, Arithmetic) {
  EXPECT_EQ(call("+", {i(1), d(2.5), i(3)}), "6.5");
  EXPECT_EQ(call("+", {i(1), s("a")}), "R001/1 +: expected a number, got the string \"a\"");
  EXPECT_EQ(call("/", {i(1), i(3)}), "1/3");
  EXPECT_EQ(call("/", {i(1), i(0)}).substr(0, 5), "R006/");
  EXPECT_EQ(call("inc", {i(INT64_MAX)}).substr(0, 5), "R005/");
  EXPECT_EQ(call("+'", {i(INT64_MAX), i(1)}), "9223372036854775808N");
  EXPECT_EQ(call("mod", {i(-7), i(2)}), "1");
  EXPECT_EQ(call("max", {i(1), d(2.0)}), "2.0");
  EXPECT_EQ(call("max", {i(1), d(NAN), i(3)}), "##NaN");
  EXPECT_EQ(call("int", {d(-3.7)}), "-3");
  EXPECT_EQ(call("int", {d(1e30)}), "R009/0 int: 1.0E30 does not fit into 64 bits");
  EXPECT_EQ(call("rationalize", {d(0.25)}), "1/4");
  EXPECT_EQ(call("<", {i(1), i(2), i(2)}), "false");
  EXPECT_EQ(call("<", {d(NAN), i(2)}), "false");
}

TEST_F(PrimitivesNumbers, Functions) {
  EXPECT_EQ(call("round", {d(2.5)}), "3");
  EXPECT_EQ(call("round", {d(-2.5)}), "-2");
  EXPECT_EQ(call("round", {d(0.49999999999999994)}), "0");
  EXPECT_EQ(call("floor", {d(2.5)}), "2.0");
  EXPECT_EQ(call("rint", {d(2.5)}), "2.0");
  EXPECT_EQ(call("cbrt", {i(27)}), "3.0");
  EXPECT_EQ(call("abs", {i(-3)}), "3");
  EXPECT_EQ(call("power", {i(2), i(10)}), "1024");
  EXPECT_EQ(call("power", {i(10), i(30)}), "1.0E30");
  EXPECT_EQ(call("sqrt", {s("x")}), "R001/0 sqrt: expected a number, got the string \"x\"");
  EXPECT_NEAR(number("digamma", {i(1)}), -0.5772156649015329, 1e-14);
  EXPECT_NEAR(number("log-gamma-fn", {i(5)}), std::log(24), 1e-14);
  EXPECT_EQ(number("log-gamma-fn", {i(0)}), INFINITY);
  // log of Gamma_2(3) = log(sqrt(pi) * Gamma(3) * Gamma(2.5))
  EXPECT_NEAR(number("log-mv-gamma-fn", {i(2), i(3)}),
              std::log(std::sqrt(M_PI) * 2 * 1.329340388179137), 1e-13);
  EXPECT_EQ(call("factorial", {i(20)}), "2432902008176640000");
}

// The cases of Anglican's stat_test: a 3 by 4 range.
TEST_F(PrimitivesNumbers, StatisticsAlongDimensions) {
  const Value a = value("reshape", {value("range", {i(12)}), v({i(3), i(4)})});
  EXPECT_EQ(call("sum", {a}), "[12 15 18 21]");
  EXPECT_EQ(call("sum", {a, i(1)}), "[6 22 38]");
  EXPECT_EQ(call("mean", {a}), "[4 5 6 7]");
  EXPECT_EQ(call("mean", {a, i(1)}), "[3/2 11/2 19/2]");
  EXPECT_EQ(call("variance", {a, i(1)}), "[1.25 1.25 1.25]");
  EXPECT_EQ(call("variance", {v({i(1), i(2), i(3), i(4)})}), "1.25");
  EXPECT_EQ(call("l2-norm", {v({i(4), i(4), i(4)}), v({i(0), i(8), i(0)})}), "48");
  EXPECT_EQ(call("covariance", {v({v({i(1), i(2)}), v({i(3), i(6)})})}), "[[1.0 2.0] [2.0 4.0]]");
  EXPECT_NEAR(number("skew", {v({i(0), i(0), i(3)})}), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(number("kurtosis", {v({i(1), i(-1)})}), 1.0, 1e-12);
  EXPECT_EQ(call("mean", {v({})}), "R009/0 mean: there are no numbers");
  EXPECT_EQ(call("mean", {a, i(2)}), "R009/1 mean: the array has no dimension 2");
  EXPECT_EQ(call("mean", {v({v({i(1)}), v({i(1), i(2)})})}),
            "R009/0 mean: the rows of the array differ in length: 1 and 2");
  EXPECT_EQ(call("KS", {v({i(1), i(2)}), v({i(3), i(4)})}), "1.0");
}

TEST_F(PrimitivesNumbers, LogScale) {
  EXPECT_NEAR(number("log-sum-exp", {d(-1000), d(-1000)}), -1000 + std::log(2), 1e-12);
  EXPECT_EQ(number("log-sum-exp", {v({})}), -INFINITY);
  EXPECT_EQ(call("softmax", {v({d(-1000), d(-1000)})}), "[0.5 0.5]");
  const Value weighted = v({v({kw("a"), d(-2)}), v({kw("b"), d(-2)}), v({kw("a"), d(-2)})});
  EXPECT_NEAR(map_find(value("empirical-distribution", {weighted}), kw("a"))->d, 2.0 / 3, 1e-15);
  const Value collected = value("%collect-weights", {v({kw("a"), kw("b"), kw("a"), kw("b")}),
                                                     v({d(0), d(-INFINITY), d(0), d(-INFINITY)})});
  EXPECT_NEAR(map_find(collected, kw("a"))->d, std::log(0.5), 1e-15);
  EXPECT_EQ(map_find(collected, kw("b"))->d, -INFINITY);
}

TEST_F(PrimitivesNumbers, Matrices) {
  const Value a = v({v({i(1), i(2)}), v({i(3), i(4)})});
  EXPECT_EQ(call("mmul", {a, a}), "[[7 10] [15 22]]");
  EXPECT_EQ(call("mmul", {a, v({i(1), i(1)})}), "[3 7]");
  EXPECT_EQ(call("mmul", {v({i(1), i(1)}), a}), "[4 6]");
  EXPECT_EQ(call("mmul", {v({i(1), i(2)}), v({i(3), i(4)})}), "11");
  EXPECT_EQ(call("mmul", {a, v({i(1)})}), "R009/1 mmul: the shapes [2 2] and [1] do not fit");
  EXPECT_EQ(call("det", {a}), "-2.0");
  EXPECT_EQ(call("inverse", {v({v({i(1), i(2)}), v({i(2), i(4)})})}),
            "R009/0 inverse: the matrix is singular");
  EXPECT_EQ(call("solve", {v({v({i(2), i(0)}), v({i(0), i(4)})}), v({i(2), i(4)})}), "[1.0 1.0]");
  EXPECT_EQ(call("transpose", {a}), "[[1 3] [2 4]]");
  EXPECT_EQ(call("add", {a, v({i(10), i(20)})}), "[[11 22] [13 24]]");
  EXPECT_EQ(call("sub", {v({i(1), i(2)})}), "[-1 -2]");
  EXPECT_EQ(call("select", {a, kw("all"), i(1)}), "[2 4]");
  EXPECT_EQ(call("mget", {a, i(1), i(5)}),
            "R004/2 mget: index 5 is out of range for a dimension of 2");
  EXPECT_EQ(call("outer-product", {v({i(1), i(2)}), v({i(3), i(4)})}), "[[3 4] [6 8]]");
  EXPECT_EQ(call("mat-repmat", {v({v({i(1), i(2)})}), i(2), i(1)}), "[[1 2] [1 2]]");
  EXPECT_EQ(call("cholesky", {v({v({i(4), i(0)}), v({i(0), i(9)})})}), "[[2.0 0.0] [0.0 3.0]]");
  EXPECT_EQ(call("norm", {v({i(3), i(4)})}), "5.0");
}

TEST_F(PrimitivesNumbers, HostRandomnessFollowsTheStream) {
  Stream first{StreamName{1}, 0, 0};
  Stream again{StreamName{1}, 0, 0};
  stream = first;
  const std::string drawn = call("shuffle", {value("range", {i(20)})});
  stream = again;
  EXPECT_EQ(call("shuffle", {value("range", {i(20)})}), drawn);
  for (int k = 0; k < 100; ++k) {
    const std::int64_t n = value("rand-int", {i(3)}).i;
    EXPECT_TRUE(n >= 0 && n < 3);
  }
  EXPECT_EQ(call("rand-int", {i(0)}), "R009/0 rand-int: expected a positive integer, got 0");
}

class GivenFiles final : public ProgramFiles {
 public:
  bool read(std::string_view path, std::string* text, std::string* error,
            const std::function<void(std::size_t)>&) override {
    if (path == "table.csv")
      *text = "x,name\n1,\"a, b\"\n2.5,\n";
    else if (path == "ragged.csv")
      *text = "x,y\n1\n";
    else if (path == "data.json")
      *text = "{\"a\": [1, 2.5, null, true]}";
    else if (path == "bad.json")
      *text = "{\"a\": ]";
    else
      *error = "No such file";
    return error->empty();
  }
  std::string place_of(std::string_view path) override { return std::string(path); }
  std::optional<std::string> resource(std::string_view) override { return std::nullopt; }
  bool write(std::string_view, std::string_view, bool, std::string*) override { return false; }
  bool make_folders(std::string_view, std::string*) override { return false; }
  bool remove(std::string_view, std::string*) override { return false; }
};

TEST_F(PrimitivesNumbers, FilesAreReadAtTopLevelOnly) {
  Host host;
  host.files = std::make_shared<GivenFiles>();
  of_natives.host = std::make_shared<const Host>(host);
  EXPECT_EQ(call("read-csv", {s("table.csv")}), "{:x [1 2.5], :name [\"a, b\" nil]}");
  EXPECT_EQ(call("read-csv", {s("ragged.csv")}),
            "U003/0 read-csv: ragged.csv, line 2: this row has 1 cell, the header has 2");
  EXPECT_EQ(call("read-json", {s("data.json")}), "{:a [1 2.5 nil true]}");
  EXPECT_EQ(call("read-json", {s("bad.json")}).substr(0, 7), "U003/0 ");
  EXPECT_EQ(call("slurp", {s("none")}), "U002/0 slurp: cannot read none: No such file");
  in_query = true;
  EXPECT_EQ(call("slurp", {s("table.csv")}).substr(0, 5), "F010/");
}

}  // namespace
}  // namespace chancel
