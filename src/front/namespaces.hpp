// SPDX-License-Identifier: Apache-2.0
// The libraries that programs name: which namespaces there are and what each of them has
// (namespaces.def). Chancel's own library knows most functions by their last part alone; a
// qualified name means one of those only if the namespace has it, so that clojure.string/map or a
// function of a library that is not here is a mistake and not something else of the same name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol.hpp"

namespace chancel::front {

// A namespace of namespaces.def, or one of Anglican's.
bool is_library_namespace(std::string_view ns);
// The name that the library uses for ns/base, or null when the namespace has no such name. The
// library may lack a name that is listed: the caller looks it up.
const Name* library_export(std::string_view ns, std::string_view base);
// All that is listed for the namespace, for hints.
std::vector<std::string> exports_of(std::string_view ns);
// The namespaces that have a name.
std::vector<std::string> exporters_of(std::string_view base);
// What an alias usually stands for (m is clojure.core.matrix), for programs that do not say; empty
// when there is nothing usual.
std::string_view usual_alias(std::string_view alias);

}  // namespace chancel::front
