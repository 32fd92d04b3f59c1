// SPDX-License-Identifier: Apache-2.0
// HTML that a program made (html-view), as it may stand in a page: elements for text, lists, tables
// and simple drawings stay, with a few attributes; everything else comes out as the characters that
// it is written with. No script, no style, no address.
#pragma once
#include <string>
#include <string_view>

namespace chancel::page {

std::string safe_html(std::string_view html);

}  // namespace chancel::page
