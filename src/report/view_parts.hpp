// SPDX-License-Identifier: Apache-2.0
// The parts of views other than charts (library/views.cpp makes them). A program may have changed
// them: what does not fit is passed over.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "chancel/value.hpp"

namespace chancel::report {

inline constexpr std::size_t kMostParts = 50;   // of a list, that are shown
inline constexpr int kMostViewDepth = 12;       // of lists in lists
inline constexpr std::size_t kMostViews = 500;  // that one value shows: what is shared counts again

// The elements of the sequence under this key, those of which are sequences themselves for "rows".
std::vector<ValueView> view_items(const ValueView& view, std::string_view key);
std::string view_text(const ValueView& view);
std::vector<ValueView> table_columns(const ValueView& table);
std::vector<std::vector<double>> pixels_of(const ValueView& image);
// Whether a sequence has a view among its first elements, also one level deeper.
bool holds_views(const ValueView& value);
// "a <b>c</b>" as "a c".
std::string without_tags(std::string_view html);

}  // namespace chancel::report
