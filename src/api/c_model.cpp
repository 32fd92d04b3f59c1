// SPDX-License-Identifier: Apache-2.0
// Programs: chancel_compile and what a model says about itself.
#include "api/c_interface.hpp"

using namespace chancel::c;
using chancel::ExitCode;
using chancel::Message;
using chancel::ValueView;

namespace {

chancel_status compile(const char* function, const char* text, bool is_file,
                       const chancel_compile_options* options, chancel_model** model,
                       chancel_error** error) noexcept {
  return guarded(error, [&] {
    needed(text, function, is_file ? "path" : "program");
    needed(model, function, "model");
    chancel::CompileOptions compile;
    if (options != nullptr) {
      if (options->size < sizeof(chancel_compile_options))
        usage(std::string(function) + ": the options have no size",
              "start with chancel_compile_options options = CHANCEL_COMPILE_OPTIONS");
      if (options->name != nullptr) compile.name = options->name;
      if (options->dialect != nullptr) compile.dialect = options->dialect;
      compile.files = options->no_files == 0;
      if (options->output != nullptr)
        compile.output = [call = options->output, data = options->output_data](std::string_view t) {
          call(t.data(), t.size(), data);
        };
    }
    auto made = std::make_unique<chancel_model>();
    made->model = std::make_shared<chancel::Model>(
        is_file ? chancel::Model::compile_file(text, std::move(compile))
                : chancel::Model::compile(text, std::move(compile)));
    made->queries = made->model->queries();
    made->warnings = made->model->warnings();
    *model = made.release();
  });
}

}  // namespace

extern "C" {

chancel_status chancel_compile(const char* program, const chancel_compile_options* options,
                               chancel_model** model, chancel_error** error) {
  return compile("chancel_compile", program, false, options, model, error);
}
chancel_status chancel_compile_file(const char* path, const chancel_compile_options* options,
                                    chancel_model** model, chancel_error** error) {
  return compile("chancel_compile_file", path, true, options, model, error);
}
size_t chancel_query_count(const chancel_model* model) {
  return model == nullptr ? 0 : model->queries.size();
}
const char* chancel_query_name(const chancel_model* model, size_t index) {
  return index < chancel_query_count(model) ? model->queries[index].name.c_str() : "";
}
size_t chancel_warning_count(const chancel_model* model) {
  return model == nullptr ? 0 : model->warnings.size();
}
chancel_message chancel_warning(const chancel_model* model, size_t index) {
  return message_at(model == nullptr ? nullptr : &model->warnings, index);
}
void chancel_model_free(chancel_model* model) { delete model; }

}  // extern "C"
