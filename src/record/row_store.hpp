// SPDX-License-Identifier: Apache-2.0
// The nodes of a recording that depend on numbers of the program (its data). They belong to rows: what is recorded up to
// the score of a draw or an observe. A row whose operations are those of an earlier one becomes a row of a plate
// (plate.hpp) and has no nodes any more; the others are kept as they are. Their indices stay valid: a later row that
// uses a node of an earlier one gets a copy of what that node is made of, or the node becomes one of the graph
// (Graph::shared).
#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "record/plate.hpp"

namespace chancel {

class RowStore {
 public:
  struct Node {
    GraphOp op;
    const Density* density;
    std::span<const NodeIndex> operands;  // until the next call
  };
  static constexpr NodeIndex kNone = ~NodeIndex{0};

  // A node of the open row.
  NodeIndex add(GraphOp op, const Density* density, std::span<const NodeIndex> operands,
                double value);
  bool is_open(NodeIndex i) const { return i >= open_from_; }
  bool is_constant(NodeIndex i) const;
  Node node(NodeIndex i) const;
  // Of a node of the open row or of one that is kept; the others have no value any more.
  std::optional<double> value(NodeIndex i) const;
  // Ends the open row.
  void end(NodeIndex root, TermKind kind);

  // The node of the graph that it has become, or kNone.
  NodeIndex resolved(NodeIndex i) const;
  void resolve(NodeIndex i, NodeIndex as);
  // Whether the open row should get a copy of what node i of an earlier row is made of. A node that is asked for again is
  // shared by rows; and a row that uses what an earlier one made of the one before it is a recurrence.
  enum class Reach : std::uint8_t { Copy, Share, Chain };
  Reach reach(NodeIndex i);
  NodeIndex copy_of(NodeIndex i) const;  // in the open row; kNone: there is none
  void note_copy(NodeIndex i, NodeIndex copy);
  void note_chain() { open_pure_ = false; }

  // The plates; which row of which one ended in this score.
  struct Place {
    std::uint32_t plate;
    std::size_t row;
  };
  std::optional<Place> place(NodeIndex root) const;
  std::size_t plates() const { return plates_.size(); }
  const Plate& plate(std::size_t i) const { return plates_[i].plate; }
  Plate& plate(std::size_t i) { return plates_[i].plate; }
  NodeIndex root(std::uint32_t plate, std::size_t row) const;
  // For each step of each plate the rows in which it is resolved, and as what.
  struct ResolvedStep {
    std::uint32_t plate, step;
    std::size_t row;
    NodeIndex as;
  };
  std::vector<ResolvedStep> resolved_steps() const;
  NodeIndex step_node(std::uint32_t plate, std::size_t row, std::uint32_t step) const;
  // Everything has been recorded: drops what is kept of rows; plates and resolved steps stay.
  void close();
  std::size_t size() const { return next_ - kRowNodes; }
  std::size_t bytes() const;

 private:
  struct Kept {
    GraphOp op;
    std::uint32_t first, count;
    const Density* density;
  };
  // Nodes of consecutive rows of a plate, or of a row that is kept.
  struct Span {
    NodeIndex first;
    std::uint32_t nodes;  // of a row
    std::uint32_t plate;  // kNoPlate: kept
    std::uint32_t rows;
    std::size_t from;  // first row of the plate, or place in kept_
    bool pure;
  };
  static constexpr std::uint32_t kNoPlate = ~std::uint32_t{0};
  struct OpenPlate {
    Plate plate;
    std::vector<std::int32_t> layout;      // by node of a row: its step, or ~ its column
    std::vector<std::uint32_t> step_node;  // the other way
    std::vector<std::uint32_t> column_node;
    bool pure = true;
    std::uint32_t next = kNoPlate;  // that the row after one of its rows belonged to
    std::vector<std::pair<NodeIndex, std::size_t>> starts;  // first nodes of spans, and their rows
  };
  struct Shape {
    bool seen = false;
    std::vector<std::uint32_t> plates;
    std::uint32_t gathering = kNoPlate;
  };

  const Span& span_of(NodeIndex i) const;
  NodeIndex start_of(std::uint32_t plate, std::size_t row) const;
  void encode(NodeIndex root, TermKind kind);
  bool same_shape(const OpenPlate& p) const;
  bool fits(const OpenPlate& p) const;
  void gather(OpenPlate& p);
  std::uint32_t find_plate();
  std::uint32_t make_plate(Shape& shape, std::uint64_t exact);
  void add_to(std::uint32_t plate);
  std::size_t position(NodeIndex i) const;  // in kept_, of a node that is there

  NodeIndex next_ = kRowNodes, open_from_ = kRowNodes;
  std::size_t open_at_ = 0;  // in kept_
  bool open_pure_ = true;
  std::vector<Kept> kept_;
  std::vector<NodeIndex> operands_;
  std::vector<double> values_;
  std::vector<NodeIndex> resolved_kept_;  // by place in kept_, as far as there are any
  std::vector<bool> copied_kept_;
  std::unordered_map<NodeIndex, NodeIndex> resolved_;  // of plates
  std::unordered_set<NodeIndex> copied_;               // of plates
  std::unordered_map<NodeIndex, NodeIndex> copies_;    // in the open row
  std::vector<Span> spans_;
  std::vector<OpenPlate> plates_;
  std::unordered_map<std::uint64_t, Shape> shapes_;
  std::unordered_map<std::uint64_t, std::uint32_t> exact_;
  std::uint32_t last_ = kNoPlate;
  bool closed_ = false;

  // The open row in the form of a plate.
  std::vector<Plate::Step> steps_;
  std::vector<Plate::Operand> codes_;
  std::vector<double> numbers_;
  std::vector<std::int32_t> layout_;
  Plate::Operand root_{};
  TermKind kind_ = TermKind::Likelihood;
  mutable std::vector<NodeIndex> decoded_;
};

}  // namespace chancel
