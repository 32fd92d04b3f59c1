// SPDX-License-Identifier: Apache-2.0
#include "session/images.hpp"

#include "session/lazy_values.hpp"

namespace chancel {

std::shared_ptr<Image> Images::of(const Value& query, const Value& argument) {
  const std::shared_ptr<Program>& program = evaluator_.program;
  std::vector<Value> roots = {query, argument};
  if (World* world = evaluator_.machine.context().world) roots.push_back(Value::object(world));
  std::vector<bool> needed = needed_globals_.of(roots);
  const auto has = [](const std::vector<bool>& all, std::size_t i) {
    return i < all.size() && all[i];
  };
  bool there = image_ != nullptr && image_->globals.size() >= needed.size();
  for (std::size_t i = 0; there && i < needed.size(); ++i) there = !needed[i] || has(in_image_, i);
  if (there) return image_;
  // What earlier queries of the same form needed may be needed again.
  for (std::size_t i = 0; image_ && i < needed.size(); ++i)
    if (has(in_image_, i)) needed[i] = true;
  for (std::size_t i = 0; i < needed.size(); ++i)
    if (needed[i]) roots.push_back(program->values[i]);
  work_out_lazy_values(roots);
  in_image_ = std::move(needed);
  return image_ = std::make_shared<Image>(program, in_image_);
}

void Images::work_out_lazy_values(const std::vector<Value>& roots) {
  if (working_out_)
    return;  // a lazy value asks for an inference: the call that evaluates it does the rest
  working_out_ = true;
  const auto function = [this](const char* name) {
    return Value::native_fn(library_.native(intern(name)));
  };
  LazyValues(evaluator_.machine, evaluator_.program->constants().heap(), function("seq"),
             function("force"))
      .work_out(roots);
  working_out_ = false;
}

}  // namespace chancel
