// SPDX-License-Identifier: Apache-2.0
// The language as Jupyter asks for it: cells to evaluate, names to complete and explain. State stays
// from cell to cell. One thread evaluates; an interrupt comes through the Interrupt, from another.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include <xeus/xinterpreter.hpp>

#include "cell_output.hpp"
#include "chancel/chancel.hpp"
#include "prompt_commands.hpp"

namespace chancel::kernel {

class Interpreter final : public xeus::xinterpreter {
 public:
  Interpreter(CompileOptions options, std::uint64_t seed);

 private:
  using Json = nlohmann::json;
  void configure_impl() override {}
  Json execute_request_impl(int count, const std::string& code, bool silent, bool store_history,
                            Json user_expressions, bool allow_stdin) override;
  Json complete_request_impl(const std::string& code, int cursor) override;
  Json inspect_request_impl(const std::string& code, int cursor, int detail) override;
  Json is_complete_request_impl(const std::string& code) override;
  Json kernel_info_request_impl() override;
  void shutdown_request_impl() override;

  // A cell is lines of commands, then forms. The reply of a cell that failed; null: it did not.
  Json run_cell(const std::string& code);
  Json run_forms(const std::string& code, const std::string& dialect);
  Json infer(const std::string& words);
  Json obey(const tool::PromptCommand& command, std::string* dialect);
  void show_text_answer(const std::string& text);
  void show(Json data, bool is_result);
  Json failed(const std::vector<Message>& messages);

  Interrupt interrupt_;
  Limits limits_;
  CellOutput output_;
  Script script_;
  int count_ = 0;
  bool silent_ = false;
};

}  // namespace chancel::kernel
