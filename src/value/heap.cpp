// SPDX-License-Identifier: Apache-2.0
// Blocks, arenas and collection by evacuation (Cheney's scan over the to-space blocks). Objects
// larger than kLargeObject have a block of their own and are kept in place instead of copied.
#include "value/heap.hpp"
#include "base/memory_pressure.hpp"
#include "value/copy_object.hpp"
#include "value/metadata.hpp"
#include "value/packing.hpp"
#include "value/world.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <new>
#include <unordered_map>

namespace chancel {

namespace {
constexpr std::size_t kChunkBlocks = 16;  // standard blocks are mapped 4 MiB at a time
// Accesses to a heap of this many chunks are spread over all of it: large pages save misses of the
// TLB. (A smaller one would only take more memory.)
constexpr std::size_t kManyChunks = 16;
constexpr std::size_t kMoreThanCaches = std::size_t{128} << 20;
constexpr std::size_t kLargePage = std::size_t{2} << 20;

void* map_aligned(std::size_t bytes, std::size_t alignment = kBlockSize) {
  const std::size_t padded = bytes + alignment;
  void* raw = mmap(nullptr, padded, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) {
    note_out_of_memory();
    throw MemoryLimit{0};
  }
  const auto start = reinterpret_cast<std::uintptr_t>(raw);
  const std::uintptr_t aligned = (start + alignment - 1) & ~(alignment - 1);
  if (aligned > start) munmap(raw, aligned - start);
  const std::uintptr_t tail = start + padded - (aligned + bytes);
  if (tail) munmap(reinterpret_cast<void*>(aligned + bytes), tail);
  return reinterpret_cast<void*>(aligned);
}

std::size_t round_to_blocks(std::size_t bytes) {
  return (bytes + kBlockSize - 1) & ~(kBlockSize - 1);
}

ScanFunction g_scanners[static_cast<std::size_t>(Tag::Count_)] = {};
}  // namespace

// --- Heap ---

Heap::Heap(std::size_t limit_bytes, std::shared_ptr<MemoryBudget> budget)
    : limit_(limit_bytes), budget_(std::move(budget)), threshold_(nursery_) {}

Heap::~Heap() {
  for (auto& [start, bytes] : chunks_) munmap(start, bytes);
  if (budget_) budget_->used.fetch_sub(used(), std::memory_order_relaxed);
}

void Heap::set_nursery(std::size_t bytes) {
  nursery_ = bytes;
  threshold_ = bytes;
}

void Heap::count(std::size_t bytes) {
  const std::size_t used = used_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  const std::size_t in_budget =
      budget_ ? budget_->used.fetch_add(bytes, std::memory_order_relaxed) + bytes : 0;
  // Half a collection would leave neither the old nor the new objects whole. So one that has begun
  // continues, and the next allocation after it throws.
  const bool too_much = used > limit_ || (budget_ && in_budget > budget_->limit);
  if (too_much && collecting_.load(std::memory_order_relaxed) == 0) {
    uncount(bytes);
    throw MemoryLimit{budget_ ? budget_->limit : limit_};
  }
  std::size_t peak = peak_.load(std::memory_order_relaxed);
  while (used > peak && !peak_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {
  }
}

void Heap::uncount(std::size_t bytes) {
  used_.fetch_sub(bytes, std::memory_order_relaxed);
  if (budget_) budget_->used.fetch_sub(bytes, std::memory_order_relaxed);
}

void Heap::room_in_budget(std::size_t bytes) const {
  const std::size_t used = budget_->used.load(std::memory_order_relaxed);
  if (bytes > budget_->limit || used > budget_->limit - bytes) throw MemoryLimit{budget_->limit};
}

// Only a heap that has a good part of the budget itself can do something about it.
bool Heap::budget_nearly_used() const {
  if (!budget_) return false;
  const std::size_t limit = budget_->limit;
  return budget_->used.load(std::memory_order_relaxed) > limit - limit / 4 && used() > limit / 8;
}

namespace {
Block* fresh(Block* block, Heap* heap, std::size_t size) {
  block->heap = heap;
  block->bytes = size;
  block->from = nullptr;
  block->holds_rows = false;
  block->top = block->start();
  return block;
}
}  // namespace

Block* Heap::take_block(std::size_t bytes) {
  const std::size_t size = round_to_blocks(bytes);
  count(size);
  struct Uncount {  // when there is no memory for it
    Heap* heap;
    std::size_t bytes;
    ~Uncount() {
      if (heap) heap->uncount(bytes);
    }
  } unless_taken{this, size};
  const std::lock_guard lock(mutex_);
  Block* block;
  if (size == kBlockSize) {
    if (free_.empty()) {
      const std::size_t chunk = kBlockSize * kChunkBlocks;
      const bool many = chunks_.size() >= kManyChunks;
      char* start = static_cast<char*>(map_aligned(chunk, many ? kLargePage : kBlockSize));
      if (many) madvise(start, chunk, MADV_HUGEPAGE);
      chunks_.emplace_back(start, chunk);
      for (std::size_t i = kChunkBlocks; i-- > 0;)
        free_.push_back(reinterpret_cast<Block*>(start + i * kBlockSize));
    }
    block = free_.back();
    free_.pop_back();
  } else {
    block = static_cast<Block*>(map_aligned(size));
  }
  unless_taken.heap = nullptr;
  return fresh(block, this, size);
}

void Heap::drop_block(Block* block) {
  uncount(block->bytes);
  if (block->bytes == kBlockSize)
    keep_free(block);
  else
    munmap(block, block->bytes);
}

void Heap::keep_free(Block* block) {
  if (memory_is_short()) madvise(block, kBlockSize, MADV_DONTNEED);
  const std::lock_guard lock(mutex_);
  free_.push_back(block);
}

// --- Arena ---

Arena::~Arena() {
  for (Block* b : blocks_) heap_->drop_block(b);
  for (Block* b : spare_) heap_->keep_free(b);
}

// Blocks that an arena keeps for itself (64 MiB): more would be memory that the limit does not see
// and that is not available to other arenas.
constexpr std::size_t kMostSpare = 256;

Block* Arena::take_standard() {
  if (spare_.empty()) return heap_->take_block(kBlockSize);
  heap_->count(kBlockSize);
  Block* block = spare_.back();
  spare_.pop_back();
  return fresh(block, heap_, kBlockSize);
}

void Arena::give_back(Block* block) {
  if (block->bytes != kBlockSize || spare_.size() >= kMostSpare || memory_is_short()) {
    heap_->drop_block(block);
    return;
  }
  heap_->uncount(kBlockSize);
  spare_.push_back(block);
}

void Arena::seal() {
  if (current_) current_->top = top_;
}

Object* Arena::allocate_slow(Tag tag, std::size_t bytes) {
  if (alarm_) {
    const std::size_t cost = std::max(bytes, kBlockSize);
    alarm_left_ -= std::min(alarm_left_, cost);
    if (alarm_left_ == 0) *alarm_ = true;
  }
  if (bytes >= kLargeObject) {
    Block* block = heap_->take_block(bytes + sizeof(Block));
    block->top = block->start() + bytes;
    blocks_.push_back(block);
    return header(block->start(), tag, bytes);
  }
  Block* block = take_standard();
  seal();
  blocks_.push_back(block);
  current_ = block;
  top_ = block->start();
  limit_ = block->end();
  char* at = top_;
  top_ += bytes;
  return header(at, tag, bytes);
}

std::size_t Arena::allocated_since(const Mark& m) const {
  std::size_t bytes = 0;
  for (std::size_t i = m.blocks; i < blocks_.size(); ++i) {
    Block* b = blocks_[i];
    bytes += static_cast<std::size_t>((b == current_ ? top_ : b->top) - b->start());
  }
  if (m.current) {
    char* end = m.current == current_ ? top_ : m.current->top;
    bytes += static_cast<std::size_t>(end - m.top);
  }
  return bytes;
}

// --- evacuation ---

// kShared: one of several threads. An object is copied by the one that sets kBeingCopied first, and what it holds is
// copied by the same.
template <bool kShared>
class CheneyEvacuator final : public Evacuator {
 public:
  // Takes the spare blocks of the arena that will get the survivors.
  CheneyEvacuator(Heap& heap, Arena& keeper, unsigned part = 0, unsigned parts = 1)
      : Evacuator(Scope::FromSpace, part, parts), to_(heap) {
    to_.spare_.swap(keeper.spare_);
  }

  Object* copy(Object* o) override {
    Block* block = block_of(o);
    std::uint8_t flags = o->flags;
    if (kShared) {
      flags = std::atomic_ref(o->flags).fetch_or(kBeingCopied, std::memory_order_acquire);
      if (flags & kBeingCopied) return copied_by_another(o, block);
    }
    const std::size_t bytes = size_of(o);
    if (block->bytes > kBlockSize) {  // a large object: the block changes sides
      std::atomic_ref(block->from).store(nullptr, std::memory_order_relaxed);
      std::atomic_ref(o->flags).store(flags & kHasMeta, std::memory_order_release);
      kept_.push_back(block);
      large_.push_back(o);
      return o;
    }
    char* at = to_.top_;
    if (static_cast<std::size_t>(to_.limit_ - at) < bytes) {
      at = reinterpret_cast<char*>(to_.allocate_slow(o->tag, bytes));
      // A block of its own lies beside the ones that are scanned in order.
      if (bytes >= kLargeObject) large_.push_back(reinterpret_cast<Object*>(at));
    } else {
      to_.top_ = at + bytes;
    }
    auto* moved = reinterpret_cast<Object*>(at);
    moved->tag = o->tag;
    moved->flags = flags & kHasMeta;
    moved->aux = o->aux;
    moved->words = o->words;
    std::memcpy(at + sizeof(Object), reinterpret_cast<char*>(o) + sizeof(Object),
                bytes - sizeof(Object));
    static_cast<Forward*>(o)->to = moved;
    std::atomic_ref(o->flags).store(flags | kBeingCopied | kForwarded, std::memory_order_release);
    return moved;
  }

  void drain() override {
    for (;;) {
      while (!large_.empty()) {
        Object* o = large_.back();
        large_.pop_back();
        scan_object(o, *this);
      }
      if (block_ >= to_.blocks_.size()) return;
      Block* b = to_.blocks_[block_];
      if (!at_) at_ = b->start();
      while (at_ < end_of(b)) {
        auto* o = reinterpret_cast<Object*>(at_);
        at_ += size_of(o);
        scan_object(o, *this);
      }
      if (b != to_.current_) {
        ++block_;
        at_ = nullptr;
      } else if (large_.empty()) {
        return;
      }
    }
  }

  // Gives the survivors to an arena that keeps `old` as its older blocks.
  void hand_over(Arena& arena, std::vector<Block*> old) {
    arena.blocks_ = std::move(old);
    arena.blocks_.insert(arena.blocks_.end(), kept_.begin(), kept_.end());
    arena.blocks_.insert(arena.blocks_.end(), to_.blocks_.begin(), to_.blocks_.end());
    arena.current_ = to_.current_;
    arena.top_ = to_.top_;
    arena.limit_ = to_.limit_;
    arena.spare_.insert(arena.spare_.begin(), to_.spare_.begin(),
                        to_.spare_.end());  // used last: they are cold
    to_.spare_.clear();
    to_.blocks_.clear();
    to_.current_ = nullptr;
    to_.top_ = to_.limit_ = nullptr;
  }
  bool moved_anything() const { return to_.current_ != nullptr; }

 private:
  static Object* copied_by_another(Object* o, Block* block) {
    for (;;) {  // not for long
      if (std::atomic_ref(o->flags).load(std::memory_order_acquire) & kForwarded)
        return static_cast<Forward*>(o)->to;
      if (!std::atomic_ref(block->from).load(std::memory_order_relaxed)) return o;
    }
  }
  char* end_of(Block* b) { return b == to_.current_ ? to_.top_ : b->top; }
  Arena to_;
  std::vector<Object*> large_;  // kept in place, not scanned yet
  std::vector<Block*> kept_;
  std::size_t block_ = 0;
  char* at_ = nullptr;
};

namespace {

// A collection copies what lives beside what there is: near the limit that may not fit. So there
// the living are counted first, without moving anything.
constexpr std::uint8_t kCounted = 8;  // flag of objects while they are counted
static_assert((kCounted & (kForwarded | kRemembered | kHasMeta | kBeingCopied)) == 0);
constexpr std::size_t kOverLimit = std::size_t{24} << 20;  // what a collection may take beyond it

class LiveCounter final : public Evacuator {
 public:
  // `on`: sets the flag and counts; off: takes the flags away again.
  explicit LiveCounter(bool on) : Evacuator(Scope::FromSpace), on_(on) {}
  Object* copy(Object* o) override {
    if (((o->flags & kCounted) != 0) == on_) return o;
    o->flags ^= kCounted;
    if (block_of(o)->bytes == kBlockSize) bytes_ += size_of(o);  // large objects are not copied
    open_.push_back(o);
    return o;
  }
  void drain() override {
    while (!open_.empty()) {
      Object* o = open_.back();
      open_.pop_back();
      scan_object(o, *this);
    }
  }
  std::size_t bytes() const { return bytes_; }

 private:
  const bool on_;
  std::size_t bytes_ = 0;
  std::vector<Object*> open_;
};

// True when a copy of all that lives in from-space fits. `from` is the size of that space.
template <class Roots>
bool copy_fits(const Heap& heap, std::size_t from, const Roots& roots) {
  const MemoryBudget* budget = heap.budget().get();
  const auto fits = [&](std::size_t bytes) {
    const auto below = [&](std::size_t used, std::size_t limit) {
      return limit > ~std::size_t{0} - kOverLimit || used + bytes <= limit + kOverLimit;
    };
    return below(heap.used(), heap.limit()) && (!budget || below(budget->used, budget->limit));
  };
  if (fits(from)) return true;
  LiveCounter counter(true), clear(false);
  roots(counter);
  counter.drain();
  roots(clear);
  clear.drain();
  return fits(counter.bytes());
}

struct Collecting {
  std::atomic<int>& count;
  explicit Collecting(std::atomic<int>& c) : count(c) { ++count; }
  ~Collecting() { --count; }
};
}  // namespace

void Arena::collect_since(const Mark& m, const RootVisitor& roots) {
  seal();
  const Collecting collecting(heap_->collecting_);
  // Other threads that collect in arenas of their own ask this of objects older than the mark.
  const auto set_from = [](Block* b, char* from) {
    std::atomic_ref(b->from).store(from, std::memory_order_relaxed);
  };
  for (std::size_t i = m.blocks; i < blocks_.size(); ++i) set_from(blocks_[i], blocks_[i]->start());
  if (m.current) set_from(m.current, m.top);
  std::vector<Object*> remembered;
  for (Object* o : remembered_) {
    Block* b = block_of(o);
    if (!b->from || reinterpret_cast<char*>(o) < b->from) remembered.push_back(o);
  }
  const auto all_roots = [&](Evacuator& e) {
    roots(e);
    for (Object* o : remembered) scan_object(o, e);
  };
  if (!copy_fits(*heap_, allocated_since(m), all_roots)) {
    for (std::size_t i = m.blocks; i < blocks_.size(); ++i) set_from(blocks_[i], nullptr);
    if (m.current) set_from(m.current, nullptr);
    return;
  }
  CheneyEvacuator<false> evacuator(*heap_, *this);
  all_roots(evacuator);
  evacuator.drain();
  remembered_ = std::move(remembered);

  std::vector<Block*> old(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(m.blocks));
  for (std::size_t i = m.blocks; i < blocks_.size(); ++i)
    if (blocks_[i]->from) give_back(blocks_[i]);
  if (m.current) {
    set_from(m.current, nullptr);
    m.current->top = m.top;
  }
  const bool moved = evacuator.moved_anything();
  evacuator.hand_over(*this, std::move(old));
  if (!moved) {  // nothing survived: continue in the block of the mark
    current_ = m.current;
    top_ = m.top;
    limit_ = m.current ? m.current->end() : nullptr;
  }
}

void Heap::collect(const std::vector<Arena*>& arenas, const RootVisitor& roots, unsigned parts,
                   const InParts& in_parts) {
  const Collecting collecting(collecting_);
  for (Arena* a : arenas) {
    a->seal();
    for (Block* b : a->blocks_) b->from = b->start();
  }
  if (!copy_fits(*this, used(), roots)) {
    for (Arena* a : arenas)
      for (Block* b : a->blocks_) b->from = nullptr;
    return;
  }
  for (Arena* a : arenas) a->remembered_.clear();
  const auto drop_the_rest = [&] {
    for (Arena* a : arenas) {
      for (Block* b : a->blocks_)
        if (b->from) a->give_back(b);
      a->blocks_.clear();
      a->current_ = nullptr;
      a->top_ = a->limit_ = nullptr;
    }
  };
  if (parts == 1) {
    CheneyEvacuator<false> evacuator(*this, *arenas.front());
    roots(evacuator);
    evacuator.drain();
    drop_the_rest();
    evacuator.hand_over(*arenas.front(), {});
  } else {
    std::deque<CheneyEvacuator<true>> evacuators;
    for (unsigned part = 0; part < parts; ++part)
      evacuators.emplace_back(*this, *arenas[part], part, parts);
    in_parts([&](unsigned part) {
      roots(evacuators[part]);
      evacuators[part].drain();
    });
    drop_the_rest();
    for (unsigned part = 0; part < parts; ++part) evacuators[part].hand_over(*arenas[part], {});
  }
  const std::size_t live = used();
  // Copying pays when most is garbage: the more so the less of it the caches hold. What has been in use once may be in
  // use again.
  const std::size_t room = live > kMoreThanCaches ? 5 : 2;
  threshold_ = std::max(threshold_, (1 + room) * live + nursery_ / 2);
  if (limit_ != ~std::size_t{0}) threshold_ = std::min(threshold_, limit_ - limit_ / 4);
}

// --- layouts ---

void register_scanner(Tag tag, ScanFunction scan) {
  g_scanners[static_cast<std::size_t>(tag)] = scan;
}

namespace {
template <class T>
std::size_t tail_values(const T* o, const Value* first) {
  return (size_of(o) - static_cast<std::size_t>(reinterpret_cast<const char*>(first) -
                                                reinterpret_cast<const char*>(o))) /
         sizeof(Value);
}
void visit_all(Evacuator& visitor, Value* v, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) visitor.visit(v[i]);
}
}  // namespace

void scan_object(Object* o, Evacuator& visitor) {
  if (o->flags & kHasMeta) visitor.visit(*meta_slot(o));
  switch (o->tag) {
    case Tag::Cons: {
      auto* c = static_cast<Cons*>(o);
      visitor.visit(c->first);
      visitor.visit(c->rest);
      return;
    }
    case Tag::Vector: {
      auto* v = static_cast<Vector*>(o);
      visitor.visit(v->root);
      if (packing_of(v) == Packing::Values)
        visit_all(visitor, v->tail, v->count - v->tail_offset());
      return;
    }
    case Tag::VectorNode: {
      auto* n = static_cast<VectorNode*>(o);
      for (std::size_t i = 0; i < n->words - 1; ++i) visitor.visit(n->children[i]);
      return;
    }
    case Tag::VectorLeaf:
      if (packing_of(o) == Packing::Values)
        visit_all(visitor, static_cast<VectorLeaf*>(o)->elements, kVectorWidth);
      return;
    case Tag::VectorSeq:
      visitor.visit(static_cast<VectorSeq*>(o)->vector);
      return;
    case Tag::Range:
      visitor.visit(static_cast<Range*>(o)->start);
      visitor.visit(static_cast<Range*>(o)->step);
      return;
    case Tag::LazySeq:
      visitor.visit(static_cast<LazySeq*>(o)->value);
      return;
    case Tag::Delay:
      visitor.visit(static_cast<Delay*>(o)->value);
      return;
    case Tag::ArrayMap: {
      auto* m = static_cast<ArrayMap*>(o);
      visit_all(visitor, m->entries, 2 * m->count);
      return;
    }
    case Tag::HashMap:
      visitor.visit(static_cast<HashMap*>(o)->root);
      return;
    case Tag::MapNode: {
      auto* n = static_cast<MapNode*>(o);
      visit_all(visitor, n->slots, tail_values(n, n->slots));
      return;
    }
    case Tag::CollisionNode: {
      auto* n = static_cast<CollisionNode*>(o);
      visit_all(visitor, n->slots, tail_values(n, n->slots));
      return;
    }
    case Tag::SortedMap:
      visitor.visit(static_cast<SortedMap*>(o)->root);
      visitor.visit(static_cast<SortedMap*>(o)->comparator);
      return;
    case Tag::SortedNode: {
      auto* n = static_cast<SortedNode*>(o);
      visitor.visit(n->left);
      visitor.visit(n->right);
      visitor.visit(n->key);
      visitor.visit(n->value);
      return;
    }
    case Tag::Set:
    case Tag::SortedSet:
      visitor.visit(static_cast<Set*>(o)->map);
      return;
    case Tag::Closure: {
      auto* c = static_cast<Closure*>(o);
      visit_all(visitor, c->captured, tail_values(c, c->captured));
      return;
    }
    case Tag::Query:
      visitor.visit(static_cast<Query*>(o)->body);
      return;
    case Tag::World: {
      auto* w = static_cast<World*>(o);
      visitor.visit(w->memo);
      visitor.visit(w->store);
      visitor.visit(w->cells);
      visitor.visit(w->draws);
      return;
    }
    case Tag::Memo:
      visitor.visit(static_cast<Memo*>(o)->function);
      return;
    case Tag::Dist: {
      auto* d = static_cast<Dist*>(o);
      visit_all(visitor, d->values, d->value_count);
      return;
    }
    case Tag::Process: {
      auto* p = static_cast<Process*>(o);
      visit_all(visitor, p->values, p->value_count);
      return;
    }
    case Tag::Record: {
      auto* r = static_cast<Record*>(o);
      visit_all(visitor, r->fields, tail_values(r, r->fields));
      return;
    }
    case Tag::Atom:
      visitor.visit(static_cast<Atom*>(o)->initial);
      return;
    case Tag::Exception:
      visitor.visit(static_cast<Exception*>(o)->message);
      visitor.visit(static_cast<Exception*>(o)->data);
      visitor.visit(static_cast<Exception*>(o)->cause);
      return;
    case Tag::Reduced:
      visitor.visit(static_cast<Reduced*>(o)->value);
      return;
    case Tag::ValueArray: {
      auto* a = static_cast<ValueArray*>(o);
      visit_all(visitor, a->values, a->count);
      return;
    }
    case Tag::Ratio:
      visitor.visit(static_cast<Ratio*>(o)->numerator);
      visitor.visit(static_cast<Ratio*>(o)->denominator);
      return;
    case Tag::String:
    case Tag::BigInt:
    case Tag::Foreign:
      return;
    default: {
      const ScanFunction scan = g_scanners[static_cast<std::size_t>(o->tag)];
      CHANCEL_ASSERT(scan, "object layout without a scanner");
      scan(o, visitor);
    }
  }
}

// --- deep copy ---

class DeepCopier final : public Evacuator {
 public:
  DeepCopier(Arena& to, const std::function<bool(const Object*)>& stays,
             const std::function<void(Object*)>& change, SharedCopies* shared = nullptr)
      : Evacuator(Scope::Everything), to_(to), stays_(stays), change_(change), shared_(shared) {}
  Object* copy(Object* o) override {
    if (stays_ && stays_(o)) return o;
    auto& copies = shared_ && shared_->stands(o) ? shared_->copies_ : copies_;
    auto [it, fresh] = copies.try_emplace(o, nullptr);
    if (!fresh) return it->second;
    Object* c = copy_object(to_, o);
    c->flags = o->flags & kHasMeta;
    if (change_) change_(c);
    it->second = c;
    todo_.push_back(c);
    return c;
  }
  void run() {
    while (!todo_.empty()) {
      Object* o = todo_.back();
      todo_.pop_back();
      scan_object(o, *this);
    }
  }

 private:
  Arena& to_;
  const std::function<bool(const Object*)>& stays_;
  const std::function<void(Object*)>& change_;
  SharedCopies* shared_;
  std::unordered_map<const Object*, Object*> copies_;
  std::vector<Object*> todo_;
};
Value deep_copy(const Value& v, Arena& to, const std::function<bool(const Object*)>& stays,
                const std::function<void(Object*)>& change) {
  if (!v.is_object()) return v;
  DeepCopier copier(to, stays, change);
  Value out = v;
  copier.visit(out);
  copier.run();
  return out;
}

Value SharedCopies::copy(const Value& v, Arena& to,
                         const std::function<bool(const Object*)>& stays) {
  if (!v.is_object()) return v;
  const std::function<void(Object*)> no_change;
  DeepCopier copier(to, stays, no_change, this);
  Value out = v;
  copier.visit(out);
  copier.run();
  return out;
}

void SharedCopies::visit(Evacuator& e) {
  for (auto& [from, to] : copies_) e.visit(to);
}

}  // namespace chancel
