// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "chancel/project.hpp"
#include "project/source_files.hpp"

namespace {

using namespace chancel;
namespace fs = std::filesystem;

class ProjectFileTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(testing::TempDir()) / ("project_file_" + std::to_string(getpid()));
    for (const char* folder : {"p/src/bayes", "p/test/bayes", "p/resources", "p/lib/inner", "out"})
      fs::create_directories(root_ / folder);
    write("p/src/bayes/my_model.clj", "(ns bayes.my-model)");
    write("p/test/bayes/b_test.clj", "(ns bayes.b-test)");
    write("p/test/bayes/a_test.cljc", "(ns bayes.a-test)");
    write("p/test/bayes/notes.txt", "");
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(root_ / name) << text;
  }
  Project project() {
    auto found = find_project((root_ / "p/src/bayes/my_model.clj").string());
    return found ? *found : Project{};
  }
  using Paths = std::vector<std::string>;

  fs::path root_;
};

TEST_F(ProjectFileTest, nothing_is_found_where_no_folder_above_has_a_file) {
  EXPECT_FALSE(find_project((root_ / "p/src/bayes/my_model.clj").string()));
  EXPECT_FALSE(find_project((root_ / "missing").string()));
}

TEST_F(ProjectFileTest, leiningen_says_name_main_and_dependencies) {
  write(
      "p/project.clj",
      "(defproject my-group/bayes \"0.1.0\" :description \"a #(b) ~(c)\" :main bayes.my-model\n"
      "  :dependencies [[org.clojure/clojure \"1.8.0\"] [quil \"2.0\" :exclusions [a]]]\n"
      "  :jvm-opts ^:replace [\"-Xmx4g\" ~(str (* 2 3))] :repl-options {:init (set! *x* #\"a\")})");
  const Project p = project();
  EXPECT_EQ(p.name, "bayes");
  EXPECT_EQ(p.main, "bayes.my-model");
  EXPECT_EQ(p.dependencies, (Paths{"org.clojure/clojure", "quil"}));
  EXPECT_EQ(p.source_paths, Paths{"src"});
  EXPECT_EQ(p.test_paths, Paths{"test"});
  EXPECT_EQ(p.resource_paths, Paths{"resources"});
  EXPECT_TRUE(p.warnings.empty());
  EXPECT_EQ(file_of_namespace(p, "bayes.my-model"), (root_ / "p/src/bayes/my_model.clj").string());
  EXPECT_FALSE(file_of_namespace(p, "bayes.other"));
}

TEST_F(ProjectFileTest, paths_of_its_own_take_the_place_of_the_usual_ones) {
  write(
      "p/project.clj",
      "(defproject bayes \"1\" :source-paths [\"lib\" \"lib/inner/\" \"no-such\"] :test-paths [])");
  const Project p = project();
  EXPECT_EQ(p.source_paths, (Paths{"lib", "lib/inner"}));
  EXPECT_EQ(p.test_paths, Paths{});
  EXPECT_EQ(p.resource_paths, Paths{"resources"});
}

TEST_F(ProjectFileTest, deps_edn_has_paths_and_extra_paths) {
  write("p/deps.edn",
        "{:paths [\"lib\"] :deps {org.clojure/clojure {:mvn/version \"1.11.1\"}}\n"
        " :aliases {:test {:extra-paths [\"test\"]} :dev {:jvm-opts [\"-x\"]}}}");
  const Project p = project();
  EXPECT_EQ(p.source_paths, Paths{"lib"});
  EXPECT_EQ(p.test_paths, Paths{"test"});
  EXPECT_EQ(p.dependencies, Paths{"org.clojure/clojure"});
  const Paths tests = test_files(p);
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_TRUE(tests[0].ends_with("a_test.cljc"));
  EXPECT_TRUE(tests[1].ends_with("b_test.clj"));
}

TEST_F(ProjectFileTest, paths_that_lead_out_are_left_out_with_a_warning) {
  fs::create_directory_symlink(root_ / "out", root_ / "p/link");
  write("p/project.clj",
        "(defproject bayes \"1\" :source-paths [\"../out\" \"/etc\" \"link\" \"src\"])");
  const Project p = project();
  EXPECT_EQ(p.source_paths, Paths{"src"});
  EXPECT_EQ(p.warnings.size(), 3U);
}

TEST_F(ProjectFileTest, a_file_that_cannot_be_read_is_a_warning_and_the_usual_paths) {
  write("p/project.clj", "(defproject bayes \"1\" :source-paths [\"lib\"");
  const Project p = project();
  EXPECT_EQ(p.source_paths, Paths{"src"});
  ASSERT_EQ(p.warnings.size(), 1U);
  EXPECT_NE(p.warnings[0].text.find("project.clj"), std::string::npos);
}

TEST_F(ProjectFileTest, resources_and_data_are_found_from_any_folder) {
  write("p/project.clj", "(defproject bayes \"1\")");
  write("p/resources/x.edn", "[1]");
  write("p/data.csv", "a\n1\n");
  const SourceFiles files((root_ / "p/src/bayes/my_model.clj").string());
  EXPECT_EQ(files.resource("x.edn"), (root_ / "p/resources/x.edn").string());
  EXPECT_EQ(files.resource("bayes/my_model.clj"), (root_ / "p/src/bayes/my_model.clj").string());
  EXPECT_FALSE(files.resource("../p/resources/x.edn"));
  EXPECT_EQ(files.data("data.csv"), (root_ / "p/data.csv").string());
  EXPECT_EQ(files.data("none.csv"), "none.csv");
  EXPECT_TRUE(files.is_own("bayes.other"));
  EXPECT_FALSE(files.is_own("quil.core"));
  EXPECT_NE(files.places_of("bayes.an-other").find("p/src/bayes/an_other.clj"), std::string::npos);
}

}  // namespace
