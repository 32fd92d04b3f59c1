/* SPDX-License-Identifier: Apache-2.0
 * What generated code and the program share: layouts, and small functions that do what the interpreter does, bit for bit.
 * Plain C without a standard library. The program includes it too, and checks the layouts (native/layout.cpp). */
#ifndef CHANCEL_NATIVE_ABI_H
#define CHANCEL_NATIVE_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include "math/exp_log.h"
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

typedef struct cn_batch cn_batch;
struct cn_batch {
  /* particles [begin, end): particle i goes on from from[parents[i]] (null: from[i]; single: from[0]) */
  const cn_execution* from;
  const uint32_t* parents;
  cn_execution* to;
  double* score;            /* of the observe where it stands now */
  const double* log_weight; /* -inf: it is dead and not run */
  cn_value* results;        /* of those that end */
  size_t begin;
  size_t end;
  int single;
  uint64_t key; /* of the random numbers of this barrier */
  uint32_t step;
  cn_common* common;
  /* tables */
  const cn_value* constants;
  const void* const* pointers;
  const void* const* points;
  /* memory */
  char** top;
  char** limit;
  /* what the program does for it; a status other than 0: the particle is the interpreter's */
  cn_object* (*allocate)(cn_batch*, uint64_t tag, size_t bytes);
  cn_value (*native)(cn_batch*, const void* native, const cn_value* args, uint32_t count);
  cn_value (*sample)(cn_batch*, cn_value dist, cn_stream* stream);
  cn_value (*sample_direct)(cn_batch*, const void* type, const cn_value* args, uint32_t count,
                            cn_stream* stream);
  double (*observe)(cn_batch*, cn_value dist, cn_value x);
  double (*observe_direct)(cn_batch*, const void* type, const cn_value* args, uint32_t count,
                           cn_value x);
  double (*draw_normal)(cn_stream* stream);
  const cn_value* (*vector_nth)(const cn_vector* vector, uint32_t index);
  cn_value (*vector_conj)(cn_batch*, cn_value vector, cn_value item);
  int (*equal)(cn_value a, cn_value b);
  int (*realised)(cn_batch*, cn_value v);
  /* the first blocks of random numbers of CN_AHEAD particles, from particle `first` on */
  void (*first_blocks)(uint64_t key, uint32_t step, size_t first, uint64_t* words0,
                       uint64_t* words1);
  const double* edge; /* of the ziggurat */
  const chancel_exp_row* exps;
  const chancel_log_row* logs;
  /* where particles stand now */
  uint32_t site;
  int has_site;
  int mixed_sites;
  void* world; /* of the particle at work */
  int status;
  void* self;
};

/* How a batch ends: all done, the particle at `begin` needs the interpreter, it stands elsewhere, or none can be run. */
enum { CN_DONE, CN_BAIL, CN_OTHER, CN_NONE };
#define CN_AHEAD 64

#ifndef __cplusplus
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
  b->mixed_sites |= b->has_site && b->site != site;
  b->site = site;
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
static inline uint64_t cn_next(cn_stream* s) {
  const uint64_t at = s->drawn++;
  if (at & 1) return s->ready[1];
  if (at != 0) cn_philox(s->who, at / 2, s->key, s->ready);
  return s->ready[0];
}
static inline double cn_uniform(cn_stream* s) { return (double)(cn_next(s) >> 11) * 0x1.0p-53; }
static inline double cn_normal(const cn_batch* b, cn_stream* s) {
  const uint64_t at = s->drawn;
  const cn_stream before = *s;
  const uint64_t bits = cn_next(s);
  const unsigned layer = bits & 255;
  const double sign = (bits & 256) ? -1.0 : 1.0;
  const double x = (double)(bits >> 11) * 0x1.0p-53 * b->edge[layer];
  if (likely(x < b->edge[layer + 1])) return sign * x;
  *s = before;
  (void)at;
  return b->draw_normal(s);
}
static inline const cn_value* cn_nth(const cn_batch* b, const cn_vector* v, uint32_t index) {
  const uint32_t offset = v->count < 8 ? 0 : (v->count - 1) & ~7u;
  return index >= offset ? &v->tail[index - offset] : b->vector_nth(v, index);
}
static inline cn_value cn_conj(cn_batch* b, cn_value vector, cn_value item) {
  const cn_vector* const v = (const cn_vector*)vector.u.o;
  const uint32_t offset = v->count < 8 ? 0 : (v->count - 1) & ~7u, tail = v->count - offset;
  if (unlikely(tail == 8)) return b->vector_conj(b, vector, item);
  cn_vector* const grown =
      (cn_vector*)cn_new(b, CN_VECTOR, offsetof(cn_vector, tail) + (tail + 1) * sizeof(cn_value));
  grown->count = v->count + 1;
  grown->shift = v->shift;
  grown->root = v->root;
  for (uint32_t i = 0; i < tail; ++i) grown->tail[i] = v->tail[i];
  grown->tail[tail] = item;
  return cn_make(CN_VECTOR, (uint64_t)(uintptr_t)grown);
}
static inline const double* cn_numbers(const cn_dist* d) {
  return (const double*)(d->values + d->value_count);
}
/* An index by its weight: total, log total, k cumulative weights, k weights. */
static inline int64_t cn_discrete(const cn_dist* d, cn_stream* s) {
  const double* at = cn_numbers(d);
  const size_t k = (d->number_count - 2) / 2;
  const double target = cn_uniform(s) * at[0];
  const double* c = at + 2;
  size_t i = 0;
  if (k <= 8) { /* no branch that depends on the draw */
    for (size_t j = 0; j < k; ++j) i += !(target < c[j]);
  } else if (k <= 32) {
    while (i < k && !(target < c[i])) ++i;
  } else {
    size_t high = k;
    while (i < high) {
      const size_t middle = (i + high) / 2;
      if (target < c[middle])
        high = middle;
      else
        i = middle + 1;
    }
  }
  if (likely(i < k)) return (int64_t)i;
  i = k - 1;
  while (i > 0 && c[k + i] == 0) --i;
  return (int64_t)i;
}
static inline int cn_number(cn_value v, double* x) {
  if (v.tag == CN_DOUBLE) {
    *x = v.u.d;
    return 1;
  }
  *x = (double)v.u.i;
  return v.tag == CN_INT;
}
/* Of two values that are not objects; -1: unknown. */
static inline int cn_same(cn_value a, cn_value b) {
  if (a.tag < CN_FIRST_OBJECT || b.tag < CN_FIRST_OBJECT) {
    if (a.tag != b.tag) return a.tag == CN_EMPTY_LIST || b.tag == CN_EMPTY_LIST ? -1 : 0;
    if (a.tag == CN_DOUBLE) return a.u.d == b.u.d;
    return a.u.bits == b.u.bits;
  }
  return -1;
}
#endif
#endif
