// SPDX-License-Identifier: Apache-2.0
#include "front/form_docs.hpp"

#include <gtest/gtest.h>

#include <set>

namespace chancel::front {
namespace {

// Names that other systems' programs use for forms that are listed, or that macros expand to.
const std::set<std::string> kNotListed = {"let*",
                                          "fn*",
                                          "loop*",
                                          "cps-fn",
                                          "def-cps-fn",
                                          "lambda",
                                          "anglican",
                                          "defanglican",
                                          "defun",
                                          "begin",
                                          "define",
                                          "finally",
                                          "with-primitive-procedures"};

TEST(FormDocs, EveryFormIsListed) {
  std::set<std::string> listed;
  for (const FormDoc& f : form_docs()) EXPECT_TRUE(listed.insert(f.name).second) << f.name;
  std::set<std::string> known;
  for (const std::string& name : form_names()) known.insert(name);
  for (const std::string& name : known)
    EXPECT_TRUE(listed.contains(name) || kNotListed.contains(name)) << name;
  for (const std::string& name : listed) EXPECT_TRUE(known.contains(name)) << name;
}

}  // namespace
}  // namespace chancel::front
