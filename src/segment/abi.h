/* SPDX-License-Identifier: Apache-2.0
 * The interface between generated code and the program: object layouts and the services that
 * generated code calls. Plain C without a standard library. The program includes it too and checks
 * the layouts (native/tier.cpp). */
#ifndef CHANCEL_NATIVE_ABI_H
#define CHANCEL_NATIVE_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include "math/exp_log.h"
#endif
/* CN_WITH_KERNELS: this is generated code, or evaluate.cpp, which runs the same kernels. */
#ifndef __cplusplus
#define CN_WITH_KERNELS
#endif

typedef struct {
  union {
    int64_t i;
    double d;
    void* o;
    uint64_t bits;
  } u;
  uint64_t tag;
} cn_value;

typedef struct {
  uint8_t tag;
  uint8_t flags;
  uint16_t aux;
  uint32_t words;
} cn_object;

typedef struct {
  cn_object head;
  const void* point;
  uint64_t count;
  cn_value values[1];
} cn_common;

typedef struct { /* cn_value boxed[head.aux], then numbers */
  cn_object head;
  cn_common* common;
} cn_row;

typedef struct {
  cn_row* top;
  void* world;
  void* predicts;
  uint64_t applications;
} cn_execution;

typedef struct {
  cn_object head;
  uint32_t count;
  uint32_t shift;
  cn_object* root;
  cn_value tail[1];
} cn_vector;

typedef struct {
  cn_object head;
  const void* proto;
  cn_value captured[1];
} cn_closure;

typedef struct {
  cn_object head;
  const void* type;
  uint32_t value_count;
  uint32_t number_count;
  cn_value values[1];
} cn_dist;

typedef struct {
  cn_object head;
  uint64_t count;
  cn_value entries[2];
} cn_array_map;

typedef struct {
  cn_object head;
  void* previous;
  cn_value label;
  cn_value value;
} cn_predicts;

typedef struct {
  uint64_t key;
  uint64_t who;
  uint64_t drawn;
  uint64_t ready[2];
  void* source;
} cn_stream;

#define CN_AHEAD 64

typedef struct cn_batch cn_batch;
struct cn_batch {
  /* particles [begin, end): particle i resumes from from[parents[i]] (parents null: from[i];
   * single: from[0]) */
  const cn_execution* from;
  const uint32_t* parents;
  cn_execution* to;
  double* score;            /* of the observe that each particle reached */
  const double* log_weight; /* -inf: weight zero, the particle is not run */
  cn_value* results;        /* of particles that finish */
  size_t begin;
  size_t end;
  int single;
  int far;      /* the population exceeds the caches: prefetch */
  uint64_t key; /* of the random numbers of this barrier */
  uint32_t step;
  uint64_t* drawn; /* random numbers taken, if streams continue over observes (CN_STREAMS_GO_ON) */
  double* keys;    /* the last number drawn, or 0, if the caller wants sort keys (CN_KEYS) */
  /* given draws, CN_DRAW_VALUES values each, taken by every particle; given_last: the execution
   * ends after them */
  const cn_value* given;
  const uint64_t* given_parts;
  size_t given_count;
  int given_last;
  cn_common* common;
  /* Headerless rows (vm/row_space.hpp). Parents: rows_from, which all share the side state `sides`;
   * null: the parents are executions. Children: blocks_to, null if they must be written as
   * executions. */
  const char* rows_from;
  size_t rows_first;
  size_t rows_count;
  cn_execution sides;
  void* blocks_to;
  void* commons;
  size_t blocks_end;
  char* rows_to;
  size_t rows_to_first;
  void (*open_rows)(cn_batch*, size_t i, cn_common* common, size_t bytes, void* predicts,
                    uint64_t applications);
  /* tables */
  const cn_value* constants;
  const void* const* pointers;
  const void* const* points;
  /* memory */
  char** top;
  char** limit;
  char** row_top; /* for rows: the same memory, or a row space of their own */
  char** row_limit;
  /* services of the program; after a non-zero status the particle is left to the interpreter */
  cn_object* (*allocate)(cn_batch*, uint64_t tag, size_t bytes);
  cn_object* (*allocate_row)(cn_batch*, size_t bytes);
  cn_common* (*keep_common)(cn_batch*, cn_common* made, int only_common);
  cn_value (*native)(cn_batch*, const void* native, const cn_value* args, uint32_t count);
  cn_value (*sample)(cn_batch*, cn_value dist, cn_stream* stream);
  cn_value (*sample_direct)(cn_batch*, const void* type, const cn_value* args, uint32_t count,
                            cn_stream* stream);
  double (*observe)(cn_batch*, cn_value dist, cn_value x);
  double (*observe_direct)(cn_batch*, const void* type, const cn_value* args, uint32_t count,
                           cn_value x);
  /* log density of given draw number k under a distribution that may have several parts (Fit) */
  double (*score_draw)(cn_batch*, cn_value dist, cn_value x, size_t k);
  cn_value (*construct)(cn_batch*, const void* type, const cn_value* args, uint32_t count);
  double (*draw_normal)(cn_stream* stream);
  cn_value (*vector_nth)(const cn_vector* vector, uint32_t index);
  cn_value (*vector_conj)(cn_batch*, cn_value vector, cn_value item);
  int (*equal)(cn_value a, cn_value b);
  int (*realised)(cn_batch*, cn_value v);
  /* Philox block `index` for up to CN_AHEAD particles, starting at particle `first` */
  void (*blocks)(const cn_batch*, size_t first, uint64_t index, uint64_t* words0, uint64_t* words1);
  const double* edge; /* of the ziggurat */
  const chancel_exp_row* exps;
  const chancel_log_row* logs;
  /* of the particles that were run: applications since the last barrier, and how many finished */
  uint64_t made;
  size_t ended;
  /* observes that particles reached */
  uint32_t site, other_site; /* of the first particle, and the first one that differs */
  int has_site;
  int mixed_sites;
  void* world;       /* of the current particle */
  void* batch_world; /* of all particles, if generated code reads it */
  int status;
  void* self;
  void* rows;
  /* random numbers generated ahead for CN_AHEAD particles: the first of them, the block that was
   * generated for all of them, and below (`second`) the next block if one of them needed it */
  size_t ahead_from;
  uint64_t ahead_block;
  uint64_t ready_at; /* index of the first number of the block that the particle started with */
  int has_second;
  /* replaces the generator in tests (CN_SOURCE) */
  void* source;
  uint64_t (*next_of_source)(cn_stream*);
  uint64_t second[2][CN_AHEAD];
  /* for functions and loops without draws (native/hot_code_compiler.cpp) */
  const cn_value* globals;
  uint64_t applications;
  char* stack_end;    /* limit of the C stack */
  int64_t calls_left; /* until the next call of should_stop */
  int (*should_stop)(cn_batch*);
  size_t most_blocks;         /* limit on memory blocks: beyond it the call is abandoned */
  const unsigned char* alarm; /* set when a collection is due: loops return */
};

/* How a batch ends: all particles were run, the particle at `begin` needs the interpreter, it is at
 * another point, or none can be run. */
enum { CN_DONE, CN_BAIL, CN_OTHER, CN_NONE };

#ifdef CN_WITH_KERNELS
#define CN_INFINITY __builtin_inf()
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

static inline cn_value cn_make(uint64_t tag, uint64_t bits) {
  cn_value v;
  v.u.bits = bits;
  v.tag = tag;
  return v;
}
static inline cn_value cn_int(int64_t i) { return cn_make(CN_INT, (uint64_t)i); }
static inline cn_value cn_bool(int b) { return cn_make(CN_BOOL, b ? 1 : 0); }
static inline cn_value cn_real(double d) {
  cn_value v;
  v.u.d = d;
  v.tag = CN_DOUBLE;
  return v;
}
static inline int cn_truthy(cn_value v) {
  return v.tag > CN_BOOL || (v.tag == CN_BOOL && v.u.bits != 0);
}
static inline void cn_stands_at(cn_batch* b, uint32_t site) {
  if (!b->has_site) b->site = site;
  if (b->site != site && !b->mixed_sites) {
    b->other_site = site;
    b->mixed_sites = 1;
  }
  b->has_site = 1;
}
static inline void* cn_new(cn_batch* b, uint64_t tag, size_t bytes) {
  char* at = *b->top;
  if (unlikely((size_t)(*b->limit - at) < bytes)) return b->allocate(b, tag, bytes);
  *b->top = at + bytes;
  ((cn_object*)at)->tag = (uint8_t)tag;
  ((cn_object*)at)->flags = 0;
  ((cn_object*)at)->aux = 0;
  ((cn_object*)at)->words = (uint32_t)(bytes / 8);
  return at;
}

static inline cn_row* cn_new_row(cn_batch* b, size_t bytes) {
  char* at = *b->row_top;
  if (unlikely((size_t)(*b->row_limit - at) < bytes)) return (cn_row*)b->allocate_row(b, bytes);
  *b->row_top = at + bytes;
  ((cn_object*)at)->tag = CN_ROW;
  ((cn_object*)at)->flags = 0;
  ((cn_object*)at)->words = (uint32_t)(bytes / 8);
  return (cn_row*)at;
}

static inline void cn_philox(uint64_t low, uint64_t high, uint64_t key, uint64_t out[2]) {
  uint32_t c0 = (uint32_t)low, c1 = (uint32_t)(low >> 32); /* Philox4x32-10 */
  uint32_t c2 = (uint32_t)high, c3 = (uint32_t)(high >> 32);
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
    c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
    c1 = (uint32_t)p1;
    c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
    c3 = (uint32_t)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  out[0] = ((uint64_t)c1 << 32) | c0;
  out[1] = ((uint64_t)c3 << 32) | c2;
}
static inline int cn_number(cn_value v, double* x) {
  if (v.tag == CN_DOUBLE) {
    *x = v.u.d;
    return 1;
  }
  *x = (double)v.u.i;
  return v.tag == CN_INT;
}
/* Equality where it is decided without looking into objects; -1: the library must decide. */
static inline int cn_same(cn_value a, cn_value b) {
  if (a.tag < CN_FIRST_OBJECT || b.tag < CN_FIRST_OBJECT) {
    if (a.tag != b.tag) {
      const int either = a.tag == CN_EMPTY_LIST || b.tag == CN_EMPTY_LIST || a.tag == CN_BIG_INT ||
                         b.tag == CN_BIG_INT;
      return either ? -1 : 0;
    }
    if (a.tag == CN_DOUBLE) return a.u.d == b.u.d;
    return a.u.bits == b.u.bits;
  }
  return -1;
}
#endif
#endif
