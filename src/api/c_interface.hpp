// SPDX-License-Identifier: Apache-2.0
// What the files of the C interface share: its types, and guarded(), within which every function calls the C++
// interface: what is thrown becomes a status and an error. A run shares its model, so that the two may be freed in any
// order.
#pragma once
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "chancel/chancel.h"
#include "chancel/chancel.hpp"

struct chancel_error {
  chancel_status status = CHANCEL_FAILED;
  std::vector<chancel::Message> messages;
  std::string text;
};

struct chancel_model {
  std::shared_ptr<chancel::Model> model;
  std::vector<chancel::QueryInfo> queries;
  std::vector<chancel::Message> warnings;
};

struct chancel_options {
  chancel::InferOptions options;
};

struct chancel_draw {
  const chancel::Draw* draw = nullptr;
};

struct chancel_run {
  std::shared_ptr<chancel::Model> model;  // outlives the run
  chancel::Interrupt interrupt;
  chancel::Inference inference;
  chancel_draw draw;
  chancel::RunStatistics statistics;  // that texts were asked from
  bool ended = false;
};

namespace chancel::c {

Message plain_message(const char* code, std::string sentence, std::string hint);
[[noreturn]] void usage(std::string sentence, std::string hint = {});
chancel_error* no_memory_error() noexcept;
chancel_status give(chancel_error** place, chancel_status status,
                    const std::vector<Message>& messages) noexcept;
inline chancel_status status_of(ExitCode code) { return static_cast<chancel_status>(code); }

template <class Work>
chancel_status guarded(chancel_error** place, Work&& work) noexcept {
  if (place != nullptr) *place = nullptr;
  try {
    work();
    return CHANCEL_OK;
  } catch (const chancel::Error& error) {
    return give(place, status_of(error.exit_code()), error.messages());
  } catch (const std::bad_alloc&) {
    if (place != nullptr) *place = no_memory_error();
  } catch (const std::exception& error) {
    try {
      return give(place, CHANCEL_FAILED, {plain_message("X001", error.what(), "please report it")});
    } catch (...) {
      if (place != nullptr) *place = no_memory_error();
    }
  } catch (...) {
    if (place != nullptr) *place = no_memory_error();
  }
  return CHANCEL_FAILED;
}

template <class T>
T& needed(T* pointer, const char* function, const char* what) {
  if (pointer == nullptr)
    usage(std::string(function) + ": " + what + " is NULL", "see chancel/chancel.h");
  return *pointer;
}

template <class Answer, class Ask>
Answer ask(Answer nothing, const Ask& ask) noexcept {
  try {
    return ask();
  } catch (...) {
    return nothing;
  }
}

chancel_message to_c(const Message& m);
chancel_message message_at(const std::vector<Message>* messages, std::size_t index);

static_assert(sizeof(chancel_value) == sizeof(ValueView));
inline chancel_value to_c(const ValueView& view) {
  chancel_value value;
  std::memcpy(&value, &view, sizeof value);
  return value;
}

}  // namespace chancel::c
