// SPDX-License-Identifier: Apache-2.0
// Values of draws.
#include "api/c_interface.hpp"

#include <algorithm>
#include <functional>

using namespace chancel::c;
using chancel::ExitCode;
using chancel::Message;
using chancel::ValueView;

namespace {

static_assert(static_cast<int>(ValueView::Kind::Nil) == CHANCEL_NIL &&
              static_cast<int>(ValueView::Kind::Ratio) == CHANCEL_RATIO &&
              static_cast<int>(ValueView::Kind::Symbol) == CHANCEL_SYMBOL &&
              static_cast<int>(ValueView::Kind::Set) == CHANCEL_SET &&
              static_cast<int>(ValueView::Kind::Other) == CHANCEL_OTHER);

ValueView view_of(const chancel_value& value) {
  ValueView view;
  std::memcpy(static_cast<void*>(&view), &value, sizeof value);
  return view;
}

bool is_collection(const ValueView& view) {
  switch (view.kind()) {
    case ValueView::Kind::List:
    case ValueView::Kind::Vector:
    case ValueView::Kind::Map:
    case ValueView::Kind::Set:
      return true;
    default:
      return false;
  }
}

// Nested collections are as deep as the program made them, so that the way into them is on a heap.
void each_number(const ValueView& view, const std::function<void(double)>& visit) {
  std::vector<ValueView> open{view};
  while (!open.empty()) {
    const ValueView next = open.back();
    open.pop_back();
    if (next.kind() == ValueView::Kind::Vector || next.kind() == ValueView::Kind::List) {
      const std::vector<ValueView> items = next.items();
      open.insert(open.end(), items.rbegin(), items.rend());
    } else {
      visit(next.number());
    }
  }
}

void copy_text(const std::string& text, char* buffer, std::size_t size, std::size_t* length,
               const char* function) {
  if (size > 0) {
    needed(buffer, function, "buffer");
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  if (length != nullptr) *length = text.size();
}

}  // namespace

extern "C" {

chancel_kind chancel_value_kind(chancel_value value) {
  return static_cast<chancel_kind>(view_of(value).kind());
}
int chancel_value_boolean(chancel_value value) { return view_of(value).boolean() ? 1 : 0; }
chancel_status chancel_value_integer(chancel_value value, int64_t* integer, chancel_error** error) {
  return guarded(error, [&] {
    needed(integer, "chancel_value_integer", "integer") = view_of(value).integer();
  });
}
chancel_status chancel_value_number(chancel_value value, double* number, chancel_error** error) {
  return guarded(
      error, [&] { needed(number, "chancel_value_number", "number") = view_of(value).number(); });
}
chancel_status chancel_value_numbers(chancel_value value, double* numbers, size_t capacity,
                                     size_t* count, chancel_error** error) {
  return guarded(error, [&] {
    needed(count, "chancel_value_numbers", "count");
    if (capacity > 0) needed(numbers, "chancel_value_numbers", "numbers");
    size_t found = 0;
    each_number(view_of(value), [&](double) { ++found; });  // all are numbers
    size_t at = 0;
    each_number(view_of(value), [&](double x) {
      if (at < capacity) numbers[at++] = x;
    });
    *count = found;
  });
}
size_t chancel_value_size(chancel_value value) {
  const ValueView view = view_of(value);
  return ask<size_t>(0, [&] { return is_collection(view) ? view.size() : 0; });
}
chancel_status chancel_value_at(chancel_value value, size_t index, chancel_value* element,
                                chancel_error** error) {
  return guarded(error, [&] {
    needed(element, "chancel_value_at", "element") = to_c(view_of(value).at(index));
  });
}
chancel_status chancel_value_entry(chancel_value map, size_t index, chancel_value* key,
                                   chancel_value* value, chancel_error** error) {
  return guarded(error, [&] {
    needed(key, "chancel_value_entry", "key");
    needed(value, "chancel_value_entry", "value");
    const auto entries = view_of(map).entries();
    if (index >= entries.size())
      usage("chancel_value_entry: there is no entry " + std::to_string(index),
            "the map has " + std::to_string(entries.size()));
    *key = to_c(entries[index].first);
    *value = to_c(entries[index].second);
  });
}
chancel_status chancel_value_get(chancel_value map, const char* keyword, chancel_value* value,
                                 chancel_error** error) {
  return guarded(error, [&] {
    needed(keyword, "chancel_value_get", "keyword");
    needed(value, "chancel_value_get", "value") =
        to_c(view_of(map).get(keyword).value_or(chancel::ValueMaker::nil()));
  });
}
chancel_status chancel_value_text(chancel_value value, char* buffer, size_t size, size_t* length,
                                  chancel_error** error) {
  return guarded(
      error, [&] { copy_text(view_of(value).text(), buffer, size, length, "chancel_value_text"); });
}
chancel_status chancel_value_print(chancel_value value, char* buffer, size_t size, size_t* length,
                                   chancel_error** error) {
  return guarded(error, [&] {
    copy_text(view_of(value).print(), buffer, size, length, "chancel_value_print");
  });
}

}  // extern "C"
