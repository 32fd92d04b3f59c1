// SPDX-License-Identifier: Apache-2.0
// Types as programs name them: the part of Java's and Clojure's class hierarchy that says something
// about our values (classes.def), Anglican's distributions and processes
// (anglican.runtime.normal-distribution), and the program's own records (user.Point). A class is
// known by its Name; catch, instance?, class, isa? and extend-type all ask here.
#pragma once
#include <string_view>
#include <vector>

#include "diag/diagnostic.hpp"
#include "value/record.hpp"
#include "value/value.hpp"

namespace chancel {

// Of classes.def, by its whole name or the last part of it ("Long"); null when there is none.
const Name* find_class(std::string_view name);
std::vector<std::string> class_names();
bool is_interface(const Name* type);
// Whether a value of the type is one of the other. What is not in classes.def is an Object; a
// distribution is an anglican.runtime.distribution.
bool is_subclass(const Name* type, const Name* of);
// The direct ones, and all.
std::vector<const Name*> parents_of(const Name* type);
std::vector<const Name*> ancestors_of(const Name* type);

// The class of a value; null for nil.
const Name* class_of(const Value& v);
const Name* class_of_record(const RecordType& type);
const Name* class_of_distribution(std::string_view name);  // normal
const Name* class_of_process(std::string_view name);       // CRP
// What an uncaught failure with this code is as an exception.
const Name* class_of_code(Code code);

}  // namespace chancel
