// SPDX-License-Identifier: Apache-2.0
// Values that hold nodes of a recording: whether they do, and the same value with numbers in their
// place. A distribution with nodes among its parameters is an object of its own type (NodeDist)
// that remembers them; with numbers it becomes what its constructor makes of them.
#pragma once
#include <functional>
#include <unordered_map>

#include "record/graph.hpp"
#include "value/dist_object.hpp"

namespace chancel {

bool holds_nodes(NativeContext& cx, const Value& v);
// This value and those that it holds, at any depth; atoms hold nothing here.
void each_value(NativeContext& cx, const Value& v, const std::function<void(const Value&)>& look);
void each_node(NativeContext& cx, const Value& v, const std::function<void(NodeIndex)>& look);
// Whether functions that hold nodes are in it.
bool holds_functions_of_nodes(NativeContext& cx, const Value& v);
// The values that it holds, at any depth.
std::size_t count_parts(NativeContext& cx, const Value& v);

using NumberOf = std::function<double(NodeIndex)>;
using ValueOf = std::function<Value(NodeIndex)>;
// Copies by the object that they stand for. Functions are equal to themselves only, so one object must
// not get two.
using Substituted = std::unordered_map<const Object*, Value>;
// Lazy parts that have not been evaluated stay as they are. The context fails when a distribution
// does not take the numbers. `known`: of earlier calls with the same numbers; null: none.
Value substitute(NativeContext& cx, const Value& v, const ValueOf& value,
                 Substituted* known = nullptr);
// The same where all nodes are numbers.
Value substitute(NativeContext& cx, const Value& v, const NumberOf& number,
                 Substituted* known = nullptr);

// A distribution of this type whose parameters hold nodes.
Value make_node_dist(Arena& arena, const DistType* type, const Value* args, std::uint32_t count);
// Its type; null: the distribution is an ordinary one.
const DistType* node_dist_type(const Dist* d);
// A node, or a distribution with nodes: another kind of thing than what the program has there.
inline bool stands_in(const Value& v) {
  return v.is(Tag::Node) || (v.is(Tag::Dist) && node_dist_type(v.as<Dist>()));
}

}  // namespace chancel
