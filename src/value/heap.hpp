// SPDX-License-Identifier: Apache-2.0
// Memory for values. A Heap is a set of 256 KiB blocks with one limit; each thread bump-allocates
// from its own Arena. No reference counts, locks or atomics on the allocation path: only taking a
// new block does (once per 256 KiB).
//
// Collection is evacuation: live objects are copied out of the blocks being collected and those
// blocks are freed whole.
//
//  - Heap::collect, at a barrier: no execution of the heap runs, and all blocks are from-space.
//  - Arena::collect_since, inside one execution: only what this arena has allocated since a mark.
//    That is sound without looking at other executions because objects are immutable: nothing
//    older, and nothing of another thread, can point to something younger. (The exceptions, LazySeq
//    and Delay realised outside queries, are remembered when they change.)
//
// An object of a block that is not from-space never moves, so heaps may point into other heaps that
// stand still: executions point into the program's constants, nested inference into the heap of the
// outer execution.
//
// allocate() never collects. It may throw MemoryLimit; the VM turns that into a failed checkpoint.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "value/object.hpp"

namespace chancel {

struct MemoryLimit {
  std::size_t limit;
};

inline constexpr std::size_t kBlockSize = std::size_t{256} * 1024;
inline constexpr std::size_t kLargeObject = kBlockSize / 4;

// One limit for several heaps: an engine's, those of sweeps run ahead, the draws that wait to be
// handed out. All of them count here, each beside its own limit.
struct MemoryBudget {
  explicit MemoryBudget(std::size_t bytes, std::size_t already_used = 0)
      : limit(bytes), used(already_used) {}
  const std::size_t limit;
  std::atomic<std::size_t> used;
};

class Heap;

struct Block {
  Heap* heap;
  std::size_t bytes;  // whole mapping: kBlockSize, or more for one large object
  char* top;        // end of the used part; current only when the block is not being allocated from
  char* from;       // from-space starts here (null = block is not from-space)
  bool holds_rows;  // it belongs to no arena, but to executions at rest (vm/row_space.hpp)
  char* start() { return reinterpret_cast<char*>(this) + sizeof(Block); }
  char* end() { return reinterpret_cast<char*>(this) + (bytes < kBlockSize ? kBlockSize : bytes); }
};
inline Block* block_of(const Object* o) {
  return reinterpret_cast<Block*>(reinterpret_cast<std::uintptr_t>(o) & ~(kBlockSize - 1));
}

// Copies live objects while a collection runs. Roots call visit(); it rewrites them in place. What
// stays, or has moved already, is handled inline: most of what a frame holds is constants and
// numbers.
class Evacuator {
 public:
  virtual ~Evacuator() = default;
  void visit(Value& v) {
    if (v.is_object()) v.o = moved(v.o);
  }
  template <class T>
  void visit(T*& o) {
    if (o) o = static_cast<T*>(moved(o));
  }
  // Of roots in an array each of several threads visits a part: 0 .. parts() - 1. Others are visited by part 0.
  unsigned part() const { return part_; }
  unsigned parts() const { return parts_; }
  // Copies all that has been reached so far. Called after each of many roots, so that what belongs
  // to one of them lies together afterwards (and was read together: it lay together before).
  virtual void drain() {}

 protected:
  enum class Scope { FromSpace, Everything };
  explicit Evacuator(Scope scope, unsigned part = 0, unsigned parts = 1)
      : everything_(scope == Scope::Everything), part_(part), parts_(parts) {}
  virtual Object* copy(Object* o) = 0;

 private:
  Object* moved(Object* o) {
    if (!everything_) {
      // Several threads may look at one object: where it went is there before the flag is.
      const char* from = std::atomic_ref(block_of(o)->from).load(std::memory_order_relaxed);
      if (!from || reinterpret_cast<char*>(o) < from) return o;
      if (std::atomic_ref(o->flags).load(std::memory_order_acquire) & kForwarded)
        return static_cast<Forward*>(o)->to;
    }
    return copy(o);
  }
  const bool everything_;
  const unsigned part_, parts_;
};

using RootVisitor = std::function<void(Evacuator&)>;

class Arena {
 public:
  explicit Arena(Heap& heap) : heap_(&heap) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // Room for an object of `bytes` (multiple of 8); the header is filled in.
  Object* allocate(Tag tag, std::size_t bytes) {
    char* at = top_;
    if (CHANCEL_UNLIKELY(static_cast<std::size_t>(limit_ - at) < bytes))
      return allocate_slow(tag, bytes);
    top_ = at + bytes;
    return header(at, tag, bytes);
  }
  template <class T>
  T* make(Tag tag, std::size_t bytes = sizeof(T)) {
    return static_cast<T*>(allocate(tag, (bytes + 7) & ~std::size_t{7}));
  }

  // The header of an object at a place with room for it.
  static Object* header(char* at, Tag tag, std::size_t bytes) {
    auto* o = reinterpret_cast<Object*>(at);
    o->tag = tag;
    o->flags = 0;
    o->aux = 0;
    o->words = static_cast<std::uint32_t>(bytes / 8);
    return o;
  }

  Heap& heap() { return *heap_; }
  // Where the next object goes and where the block ends: for code that allocates by itself.
  char** top_place() { return &top_; }
  char** limit_place() { return &limit_; }

  // A point in the allocation order of this arena.
  struct Mark {
    std::size_t blocks = 0;    // blocks that were there
    Block* current = nullptr;  // the one allocation was in, and how far
    char* top = nullptr;
  };
  Mark mark() const { return {blocks_.size(), current_, top_}; }
  std::size_t allocated_since(const Mark& m) const;
  // Evacuates what is reachable from the roots and was allocated since the mark; drops the rest.
  // Afterwards the survivors count as allocated since the mark.
  void collect_since(const Mark& m, const RootVisitor& roots);

  // Sets *flag once about `bytes` more have been allocated (counted in blocks): the VM's signal to
  // collect.
  void set_alarm(bool* flag, std::size_t bytes) {
    alarm_ = flag;
    alarm_left_ = bytes;
  }

  // A LazySeq or Delay outside a query was changed and may now point to something younger.
  void remember(Object* o) {
    if (!(o->flags & kRemembered)) {
      o->flags |= kRemembered;
      remembered_.push_back(o);
    }
  }

 private:
  friend class Heap;
  template <bool kShared>
  friend class CheneyEvacuator;
  Object* allocate_slow(Tag tag, std::size_t bytes);
  Block* take_standard();
  void give_back(Block* block);
  void seal();  // writes top_ back into the current block

  // The two hot words first; padded so that two arenas never share a cache line.
  alignas(64) char* top_ = nullptr;
  char* limit_ = nullptr;
  Heap* heap_;
  Block* current_ = nullptr;
  std::vector<Block*> blocks_;  // in allocation order; large objects have blocks of their own
  // Standard blocks that this arena has used before: they are still in the cache of its thread, and
  // handing them to another would make every store there wait for this one's.
  std::vector<Block*> spare_;
  std::vector<Object*> remembered_;
  bool* alarm_ = nullptr;
  std::size_t alarm_left_ = 0;
  char pad_[64] = {};
};

class Heap {
 public:
  explicit Heap(std::size_t limit_bytes = ~std::size_t{0},
                std::shared_ptr<MemoryBudget> budget = nullptr);
  ~Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  std::size_t used() const { return used_.load(std::memory_order_relaxed); }
  std::size_t peak() const { return peak_.load(std::memory_order_relaxed); }
  std::size_t limit() const { return limit_; }
  // Throws MemoryLimit unless `bytes` more bytes, held elsewhere, fit below the limit.
  void room_for(std::size_t bytes) const {
    if (CHANCEL_UNLIKELY(bytes > limit_ || used() > limit_ - bytes)) throw MemoryLimit{limit_};
    if (budget_) room_in_budget(bytes);
  }
  // Null: this heap has only its own limit.
  const std::shared_ptr<MemoryBudget>& budget() const { return budget_; }
  // Memory outside the blocks that belongs to the same limit: compiled code, names ... Throws
  // MemoryLimit.
  void charge(std::size_t bytes) { count(bytes); }
  void discharge(std::size_t bytes) { uncount(bytes); }

  // True when enough was allocated since the last collection that one at the next barrier pays for
  // itself.
  // (Also when the limit is near: there may be garbage.)
  bool wants_collection() const {
    return used() > threshold_ || used() > limit_ - limit_ / 4 || budget_nearly_used();
  }
  // Barrier collection over the given arenas (all arenas of this heap). Survivors end up in the
  // first arena; with threads (`in_parts` calls a function for 0 .. parts - 1 at the same time), in
  // those of the parts that reached them.
  using InParts = std::function<void(const std::function<void(unsigned)>&)>;
  void collect(const std::vector<Arena*>& arenas, const RootVisitor& roots, unsigned parts = 1,
               const InParts& in_parts = {});
  // Smallest amount of memory in use at which collections start (default 32 MiB).
  void set_nursery(std::size_t bytes);

  // Memory that counts as used and is never collected: for who says himself when it is free.
  Block* take_block(std::size_t bytes);
  void drop_block(Block* block);

 private:
  friend class Arena;
  void count(std::size_t bytes);  // as used; throws MemoryLimit
  void uncount(std::size_t bytes);
  void room_in_budget(std::size_t bytes) const;
  bool budget_nearly_used() const;
  void keep_free(Block* block);  // a block that does not count as used

  const std::size_t limit_;
  std::shared_ptr<MemoryBudget> budget_;
  std::size_t nursery_ = std::size_t{32} << 20;
  std::size_t threshold_;
  std::atomic<std::size_t> used_{0};
  std::atomic<std::size_t> peak_{0};
  std::mutex mutex_;
  template <bool kShared>
  friend class CheneyEvacuator;
  std::atomic<int> collecting_{0};  // collections at work: they do not stop at the limit
  std::vector<Block*> free_;        // dropped standard blocks kept for reuse
  std::vector<std::pair<void*, std::size_t>> chunks_;  // mappings that standard blocks are cut from
};

// Visits every Value and Object* inside an object (used by collection and deep copy).
void scan_object(Object* o, Evacuator& visitor);
// Layouts that live outside this room (Frame, Row ...) register their scanner once at start.
using ScanFunction = void (*)(Object*, Evacuator&);
void register_scanner(Tag tag, ScanFunction scan);

// A copy of the value (and all it reaches) in `to`, leaving alone what `stays` says may be shared.
// Sharing inside the value is kept. Not recursive: any depth works. `change` may change each copy
// before what it holds is copied.
Value deep_copy(const Value& v, Arena& to, const std::function<bool(const Object*)>& stays,
                const std::function<void(Object*)>& change = {});

// Copies of several values that share parts which stand still (of a heap that nothing is collected
// in): these are copied once for all of them. The owner shows the copies to the collector (visit).
class SharedCopies {
 public:
  // Objects of this heap are the ones that stand still.
  void add(const Heap* heap) { heaps_.push_back(heap); }
  Value copy(const Value& v, Arena& to, const std::function<bool(const Object*)>& stays);
  void visit(Evacuator& e);

 private:
  friend class DeepCopier;
  bool stands(const Object* o) const {
    for (const Heap* heap : heaps_)
      if (block_of(o)->heap == heap) return true;
    return false;
  }
  std::vector<const Heap*> heaps_;
  std::unordered_map<const Object*, Object*> copies_;
};

}  // namespace chancel
