// SPDX-License-Identifier: Apache-2.0
// HTML that a program or a text cell brings, as it may stand in a page: elements for text, lists, tables and simple
// drawings stay, with a few attributes, links to the web, and pictures that are data. No script, no style, no form.
#pragma once
#include <string>
#include <string_view>

namespace chancel::page {

std::string safe_html(std::string_view html);
// The same for what our own Markdown writer has made of a text: its section marks and classes stay, too.
std::string safe_page_html(std::string_view html);
bool is_safe_address(std::string_view address);

}  // namespace chancel::page
