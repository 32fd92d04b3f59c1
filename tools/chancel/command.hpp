// SPDX-License-Identifier: Apache-2.0
// The commands of the program. Each is a function of its arguments (those after its name) that
// returns an exit code; it may throw UsageError or chancel::Error, which main() shows.
#pragma once
#include <string>
#include <vector>

namespace chancel::tool {

using Arguments = std::vector<std::string>;

int infer_command(const Arguments& arguments);
int summary_command(const Arguments& arguments);
int compare_command(const Arguments& arguments);
int convert_command(const Arguments& arguments);
int report_command(const Arguments& arguments);
int verify_command(const Arguments& arguments);
int run_command(const Arguments& arguments);
int test_command(const Arguments& arguments);
int new_command(const Arguments& arguments);
int check_command(const Arguments& arguments);
int dump_command(const Arguments& arguments);
int repl_command(const Arguments& arguments);
int kernel_command(const Arguments& arguments);
int paper_command(const Arguments& arguments);
int docs_command(const Arguments& arguments);

}  // namespace chancel::tool
