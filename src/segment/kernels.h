/* SPDX-License-Identifier: Apache-2.0
 * Fast paths of some library functions, with the same results as value/map.cpp, value/vector.cpp
 * and dist/crp.cpp, which handle all other cases. Plain C, included after abi.h. */

#ifdef CN_LARGE /* large sources: inline less, to compile faster */
#define CN_KERNEL static __attribute__((noinline))
#define CN_PART CN_KERNEL
#else
#define CN_KERNEL static inline
#define CN_PART static inline __attribute__((always_inline))
#endif

/* --- memory --- */

/* Prefetches later particles: the execution, its row, the object that the row's first slot points
 * to, and, if that is a vector whose tail is full, the inner nodes above its last leaf, which were
 * allocated one after the other. (always_inline: g++ takes a function that only prefetches for one
 * without effect and drops its calls.) The type of a row's first slot: */
enum { CN_NUMBER_FIRST, CN_VALUE_FIRST, CN_OBJECT_FIRST };
static inline __attribute__((always_inline)) void cn_look_ahead(const cn_batch* b, size_t i,
                                                                size_t bytes, int begins,
                                                                int in_blocks) {
  if (i + 32 >= b->end) return;
  if (in_blocks && b->rows_from) {
    const size_t k = b->parents[i + 16] - b->rows_first;
    if (begins != CN_NUMBER_FIRST && k < b->rows_count)
      __builtin_prefetch(*(void* const*)(b->rows_from + k * bytes));
    return;
  }
  __builtin_prefetch(&b->from[b->parents[i + 32]]);
  __builtin_prefetch(b->from[b->parents[i + 16]].top);
  if (begins == CN_NUMBER_FIRST) return;
  const cn_row* row = b->from[b->parents[i + 8]].top;
  if (row && row->head.tag == CN_ROW) __builtin_prefetch(*(void* const*)(row + 1));
  if (begins == CN_VALUE_FIRST) return;
  row = b->from[b->parents[i + 4]].top;
  if (!row || row->head.tag != CN_ROW || row->common != b->common) return;
  const cn_vector* const v = *(cn_vector* const*)(row + 1);
  if (v->head.tag != CN_VECTOR || v->count % 8 != 0) return;
  __builtin_prefetch(v->root);
  __builtin_prefetch((const char*)v->root - 64);
  __builtin_prefetch((const char*)v->root - 128);
}

/* --- start and end of a particle's segment --- */

/* The state that a particle resumes from: an execution, or a headerless row of `bytes` bytes
 * (in_blocks: rows of this point may be stored so), with its side state; null: its weight is zero,
 * or its parent is not in these rows. */
CN_PART const void* cn_before(const cn_batch* b, size_t i, size_t bytes, int begins, int in_blocks,
                              const cn_execution** sides) {
  if (b->far) cn_look_ahead(b, i, bytes, begins, in_blocks);
  if (unlikely(b->log_weight[i] == -CN_INFINITY)) return 0;
  const size_t parent = b->parents ? b->parents[i] : i;
  if (in_blocks && b->rows_from) {
    *sides = &b->sides;
    const size_t k = parent - b->rows_first;
    return likely(k < b->rows_count) ? b->rows_from + k * bytes : 0;
  }
  return *sides = b->single ? b->from : &b->from[parent];
}
/* The values of its row; null: it is not at this point. */
CN_PART const cn_value* cn_values_of(const cn_batch* b, const void* before, int in_blocks) {
  if (in_blocks && b->rows_from) return (const cn_value*)before;
  const cn_row* const row = ((const cn_execution*)before)->top;
  if (unlikely(!row || row->head.tag != CN_ROW || row->common != b->common)) return 0;
  return (const cn_value*)(row + 1);
}
CN_PART void cn_begin_draws(cn_batch* b, size_t i, cn_stream* s, uint64_t ahead[2][CN_AHEAD]) {
  if (CN_SOURCE) {
    s->drawn = CN_STREAMS_GO_ON ? b->drawn[i] : 0;
    return;
  }
  const size_t place = (i - b->begin) % CN_AHEAD;
  if (place == 0) {
    b->ahead_block = CN_STREAMS_GO_ON ? b->drawn[i] / 2 : 0;
    b->blocks(b, i, b->ahead_block, ahead[0], ahead[1]);
    b->ahead_from = i;
    b->has_second = 0;
  }
  s->who = ((uint64_t)i << 32) | b->step;
  s->drawn = 0;
  s->ready[0] = ahead[0][place];
  s->ready[1] = ahead[1][place];
  if (!CN_STREAMS_GO_ON) return;
  s->drawn = b->drawn[i];
  b->ready_at = s->drawn & ~UINT64_C(1);
  if (s->drawn / 2 != b->ahead_block) cn_philox(s->who, s->drawn / 2, s->key, s->ready);
}
static __attribute__((noinline)) cn_common* cn_common_at(cn_batch* b, uint32_t point, uint32_t site,
                                                         uint32_t count) {
  cn_stands_at(b, site);
  cn_common* const c =
      (cn_common*)cn_new(b, CN_COMMON, offsetof(cn_common, values) + count * sizeof(cn_value));
  c->point = b->points[point];
  c->count = count;
  return c;
}
/* Ends a segment: the particle is stored in a new row, whose values the caller writes. */
CN_PART cn_value* cn_rest(cn_batch* b, size_t i, cn_common* common, size_t bytes, uint32_t values,
                          void* predicts, uint64_t applications, double score) {
  cn_row* const row = cn_new_row(b, bytes);
  row->head.aux = values;
  row->common = common;
  cn_execution* const y = &b->to[i];
  y->top = row;
  y->world = b->world;
  y->predicts = predicts;
  y->applications = applications;
  b->score[i] = score;
  return (cn_value*)(row + 1);
}

/* The same in a headerless row. */
CN_PART cn_value* cn_rest_in_block(cn_batch* b, size_t i, size_t bytes, double score) {
  b->score[i] = score;
  return (cn_value*)(b->rows_to + (i - b->rows_to_first) * bytes);
}

/* --- random numbers --- */

/* The second Philox block of a particle, generated together with those of its neighbours. */
static __attribute__((noinline)) void cn_second_block(cn_batch* b, cn_stream* s, uint64_t block) {
  const size_t place = (size_t)(s->who >> 32) - b->ahead_from;
  if (place >= CN_AHEAD || block != b->ahead_block + 1) {
    cn_philox(s->who, block, s->key, s->ready);
    return;
  }
  if (!b->has_second) {
    b->blocks(b, b->ahead_from, block, b->second[0], b->second[1]);
    b->has_second = 1;
  }
  s->ready[0] = b->second[0][place];
  s->ready[1] = b->second[1][place];
}
CN_KERNEL uint64_t cn_next(cn_batch* b, cn_stream* s) {
  if (CN_SOURCE) return b->next_of_source(s);
  const uint64_t at = s->drawn++;
  if (at & 1) return s->ready[1];
  const uint64_t first = CN_STREAMS_GO_ON ? b->ready_at : 0;
  if (at == first + 2)
    cn_second_block(b, s, at / 2);
  else if (at != first)
    cn_philox(s->who, at / 2, s->key, s->ready);
  return s->ready[0];
}
/* If the draw is a number, it becomes the particle's sort key. */
CN_KERNEL void cn_drawn_last(cn_value v, double* key) {
  if (!CN_KEYS) return;
  if (v.tag == CN_DOUBLE) *key = v.u.d;
  if (v.tag == CN_INT) *key = (double)v.u.i;
}
CN_KERNEL double cn_uniform(cn_batch* b, cn_stream* s) {
  return (double)(cn_next(b, s) >> 11) * 0x1.0p-53;
}
CN_KERNEL double cn_uniform_open(cn_batch* b, cn_stream* s) {
  return ((double)(cn_next(b, s) >> 12) + 0.5) * 0x1.0p-52;
}
CN_KERNEL double cn_exponential(cn_batch* b, cn_stream* s) {
  return -chancel_log(b->logs, cn_uniform_open(b, s));
}
CN_KERNEL double cn_normal(cn_batch* b, cn_stream* s) {
  const uint64_t bits = cn_next(b, s);
  const unsigned layer = bits & 255;
  const double sign = (bits & 256) ? -1.0 : 1.0;
  const double x = (double)(bits >> 11) * 0x1.0p-53 * b->edge[layer];
  if (likely(x < b->edge[layer + 1])) return sign * x;
  --s->drawn; /* the same word again */
  return b->draw_normal(s);
}

/* --- distributions --- */

static inline const double* cn_numbers(const cn_dist* d) {
  return (const double*)(d->values + d->value_count);
}
/* Between low and high, and never high, which rounding may give. */
CN_KERNEL double cn_draw_uniform(cn_batch* b, double low, double high, cn_stream* s) {
  const double x = low + (high - low) * cn_uniform(b, s);
  return likely(x < high) ? x : low;
}
/* Of shape 1 it is exponential (dist/kernel/gamma.hpp). */
CN_KERNEL double cn_draw_gamma(cn_batch* b, cn_value distribution, cn_stream* s) {
  const double* const n = cn_numbers((const cn_dist*)distribution.u.o);
  if (n[0] != 1) return b->sample(b, distribution, s).u.d;
  const double x = cn_exponential(b, s) / n[1];
  return x < CN_LEAST_DRAW ? CN_LEAST_DRAW : x > CN_LARGEST_DRAW ? CN_LARGEST_DRAW : x;
}
/* A random index with probability proportional to its weight. `at`: total, log total, k cumulative
 * weights, k weights. */
CN_PART int64_t cn_index(cn_batch* b, const double* at, size_t k, cn_stream* s) {
  const double target = cn_uniform(b, s) * at[0];
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
CN_KERNEL int64_t cn_discrete(cn_batch* b, const cn_dist* d, cn_stream* s) {
  return cn_index(b, cn_numbers(d), (d->number_count - 2) / 2, s);
}
/* Log density of (normal mean sd); its numbers are mean, sd, -log(sd sqrt(2 pi)). */
CN_KERNEL double cn_normal_score(const cn_dist* d, double x) {
  const double* n = cn_numbers(d);
  const double z = (x - n[0]) / n[1];
  return n[2] - 0.5 * z * z;
}
/* Log mass of (discrete weights); numbers as in cn_index. */
CN_KERNEL double cn_discrete_score(const cn_batch* b, const cn_dist* d, int64_t x) {
  const double* const at = cn_numbers(d);
  const size_t k = (d->number_count - 2) / 2;
  if (unlikely((uint64_t)x >= k || !(at[2 + k + (size_t)x] > 0))) return -CN_INFINITY;
  return chancel_log(b->logs, at[2 + k + (size_t)x]) - at[1];
}
/* (flip p); numbers: p, whether it was above 1, log p, log (1 - p) */
CN_KERNEL double cn_flip_score(const cn_dist* d, int x) { return cn_numbers(d)[x ? 2 : 3]; }
/* (uniform-continuous min max); numbers: min, max, log density */
CN_KERNEL double cn_uniform_score(const cn_dist* d, double x) {
  const double* const n = cn_numbers(d);
  return x >= n[0] && x <= n[1] ? n[2] : -CN_INFINITY;
}
/* Log density, or NaN if the interpreter must report an error. */
CN_KERNEL double cn_score_or_none(cn_batch* b, cn_value distribution, cn_value x) {
  const double score = b->observe(b, distribution, x);
  if (likely(b->status == 0)) return score;
  b->status = 0;
  return __builtin_nan("");
}

/* --- given draws --- */

/* The value of given draw number `k`, if it was drawn at this site from a distribution of this
 * type; else null. */
CN_KERNEL const cn_value* cn_given(const cn_batch* b, size_t k, int64_t site, const void* type) {
  if (unlikely(k >= b->given_count)) return 0;
  const cn_value* const draw = b->given + CN_DRAW_VALUES * k;
  if (unlikely(draw[0].u.i != site || draw[1].tag != CN_DIST)) return 0;
  return likely(((const cn_dist*)draw[1].u.o)->type == type) ? draw + 2 : 0;
}

/* --- collections --- */

/* How the elements of a vector are stored (value/packing.hpp): 16 bytes each, or untagged numbers.
 * */
enum { CN_VALUES, CN_BYTES, CN_INTS, CN_DOUBLES };

static inline cn_value cn_element(uint16_t packing, const void* elements, uint32_t index) {
  if (packing == CN_VALUES) return ((const cn_value*)elements)[index];
  if (packing == CN_BYTES) return cn_int(((const int8_t*)elements)[index]);
  return cn_make(packing == CN_INTS ? CN_INT : CN_DOUBLE, ((const uint64_t*)elements)[index]);
}
static inline uint32_t cn_tail_offset(const cn_vector* v) {
  return v->count < 8 ? 0 : (v->count - 1) & ~7u;
}
static inline cn_value cn_nth(const cn_batch* b, const cn_vector* v, uint32_t index) {
  const uint32_t offset = cn_tail_offset(v);
  if (index < offset) return b->vector_nth(v, index);
  return cn_element(v->head.aux, v->tail, index - offset);
}
/* A copy with room for one more element of `size` bytes. The tail has between one and seven
 * elements. */
CN_KERNEL cn_vector* cn_grown(cn_batch* b, const cn_vector* v, uint32_t tail, size_t size) {
  cn_vector* const grown =
      (cn_vector*)cn_new(b, CN_VECTOR, offsetof(cn_vector, tail) + (tail + 1) * size);
  grown->head.aux = v->head.aux;
  grown->count = v->count + 1;
  grown->shift = v->shift;
  grown->root = v->root;
  const uint64_t* const from = (const uint64_t*)v->tail;
  uint64_t* const to = (uint64_t*)grown->tail;
  for (uint32_t i = 0; i < tail * size / 8; ++i) to[i] = from[i];
  return grown;
}
CN_KERNEL cn_value cn_conj(cn_batch* b, cn_value vector, cn_value item) {
  const cn_vector* const v = (const cn_vector*)vector.u.o;
  const uint32_t tail = v->count - cn_tail_offset(v);
  if (unlikely(tail == 8 || tail == 0)) return b->vector_conj(b, vector, item);
  const uint16_t packing = v->head.aux;
  if (packing == CN_BYTES && item.tag == CN_INT && item.u.i == (int8_t)item.u.i) {
    cn_vector* const grown =
        (cn_vector*)cn_new(b, CN_VECTOR, offsetof(cn_vector, tail) + sizeof(uint64_t));
    grown->head.aux = packing;
    grown->count = v->count + 1;
    grown->shift = v->shift;
    grown->root = v->root;
    *(uint64_t*)grown->tail = *(const uint64_t*)v->tail;
    ((int8_t*)grown->tail)[tail] = (int8_t)item.u.i;
    return cn_make(CN_VECTOR, (uint64_t)(uintptr_t)grown);
  }
  if (packing == CN_VALUES) {
    cn_vector* const grown = cn_grown(b, v, tail, sizeof(cn_value));
    grown->tail[tail] = item;
    return cn_make(CN_VECTOR, (uint64_t)(uintptr_t)grown);
  }
  if ((packing == CN_DOUBLES && item.tag == CN_DOUBLE) ||
      (packing == CN_INTS && item.tag == CN_INT)) {
    cn_vector* const grown = cn_grown(b, v, tail, sizeof(uint64_t));
    ((uint64_t*)grown->tail)[tail] = item.u.bits;
    return cn_make(CN_VECTOR, (uint64_t)(uintptr_t)grown);
  }
  return b->vector_conj(b, vector, item);
}
/* Index of an integer or a keyword in a small map of such keys; -1: absent; -2: the library must decide. */
static inline int cn_is_plain_key(cn_value key) {
  return key.tag == CN_INT || key.tag == CN_KEYWORD;
}
static inline int64_t cn_find(cn_value map, cn_value key) {
  if (map.tag != CN_ARRAY_MAP || !cn_is_plain_key(key)) return -2;
  const cn_array_map* const m = (const cn_array_map*)map.u.o;
  if (unlikely(m->head.flags & CN_HAS_META)) return -2;
  for (uint64_t i = 0; i < m->count; ++i) {
    const cn_value k = m->entries[2 * i];
    if (!cn_is_plain_key(k)) return -2;
    if (k.tag == key.tag && k.u.bits == key.u.bits) return (int64_t)i;
  }
  return -1;
}
CN_KERNEL cn_value cn_get(cn_batch* b, const void* native, cn_value map, cn_value key,
                          cn_value otherwise, uint32_t count) {
  const int64_t at = cn_find(map, key);
  if (likely(at >= 0)) return ((const cn_array_map*)map.u.o)->entries[2 * at + 1];
  if (at == -1) return otherwise;
  const cn_value args[3] = {map, key, otherwise};
  return b->native(b, native, args, count);
}
CN_KERNEL cn_value cn_assoc(cn_batch* b, const void* native, cn_value map, cn_value key,
                            cn_value value) {
  const int64_t at = cn_find(map, key);
  if (at >= 0) {
    const cn_value old = ((const cn_array_map*)map.u.o)->entries[2 * at + 1];
    if (old.tag == value.tag && old.u.bits == value.u.bits) return map;
  }
  if (at == -1 && ((const cn_array_map*)map.u.o)->count < CN_ARRAY_MAP_LIMIT) {
    const cn_array_map* const m = (const cn_array_map*)map.u.o;
    cn_array_map* const grown = (cn_array_map*)cn_new(
        b, CN_ARRAY_MAP, offsetof(cn_array_map, entries) + (m->count + 1) * 2 * sizeof(cn_value));
    grown->count = m->count + 1;
    for (uint64_t i = 0; i < 2 * m->count; ++i) grown->entries[i] = m->entries[i];
    grown->entries[2 * m->count] = key;
    grown->entries[2 * m->count + 1] = value;
    return cn_make(CN_ARRAY_MAP, (uint64_t)(uintptr_t)grown);
  }
  const cn_value args[3] = {map, key, value};
  return b->native(b, native, args, 3);
}

/* --- the Chinese restaurant process; its numbers: alpha, number of customers, index of the next
 * table --- */

/* The counts are a vector of at most eight small integers. */
static inline int cn_crp_is_small(cn_value process, const void* type) {
  if (process.tag != CN_PROCESS) return 0;
  const cn_dist* const p = (const cn_dist*)process.u.o;
  if (p->type != type || p->values[1].tag != CN_VECTOR) return 0;
  const cn_vector* const counts = (const cn_vector*)p->values[1].u.o;
  return counts->head.aux == CN_BYTES && counts->count <= 8;
}
/* (sample (produce process)) */
CN_KERNEL cn_value cn_crp_sample(cn_batch* b, cn_value process, const void* type,
                                 const void* produce, cn_stream* s) {
  if (unlikely(!cn_crp_is_small(process, type))) {
    const cn_value distribution = b->native(b, produce, &process, 1);
    return b->status ? distribution : b->sample(b, distribution, s);
  }
  const cn_dist* const p = (const cn_dist*)process.u.o;
  const double* n = cn_numbers(p);
  const cn_vector* const counts = (const cn_vector*)p->values[1].u.o;
  const double target = cn_uniform(b, s) * (n[1] + n[0]);
  if (target < n[1]) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < counts->count; ++i) {
      sum += ((const int8_t*)counts->tail)[i];
      if (target < (double)sum) return cn_int(i);
    }
  }
  return cn_int((int64_t)n[2]);
}
/* Log mass of x under (produce process). */
CN_KERNEL double cn_crp_score(cn_batch* b, cn_value process, cn_value x, const void* type,
                              const void* produce) {
  if (unlikely(x.tag != CN_INT || !cn_crp_is_small(process, type))) {
    const cn_value distribution = b->native(b, produce, &process, 1);
    return b->status ? 0 : b->observe(b, distribution, x);
  }
  const cn_dist* const p = (const cn_dist*)process.u.o;
  const double* const n = cn_numbers(p);
  const cn_vector* const counts = (const cn_vector*)p->values[1].u.o;
  double weight = 0;
  if (x.u.i >= 0 && x.u.i < counts->count) weight = (double)((const int8_t*)counts->tail)[x.u.i];
  if (weight == 0 && (double)x.u.i == n[2]) weight = n[0];
  if (unlikely(weight == 0)) return -CN_INFINITY;
  return chancel_log(b->logs, weight) - chancel_log(b->logs, n[1] + n[0]);
}
CN_KERNEL cn_value cn_crp_absorb(cn_batch* b, cn_value process, cn_value x, const void* type,
                                 const void* absorb) {
  const cn_dist* const p = (const cn_dist*)process.u.o;
  if (likely(x.tag == CN_INT && cn_crp_is_small(process, type))) {
    const cn_vector* const counts = (const cn_vector*)p->values[1].u.o;
    const int8_t* const old = (const int8_t*)counts->tail;
    const uint64_t table = (uint64_t)x.u.i;
    const int opens = table == counts->count;
    if (likely((table < counts->count && old[table] < 127) || (opens && counts->count < 8))) {
      cn_vector* const v =
          (cn_vector*)cn_new(b, CN_VECTOR, offsetof(cn_vector, tail) + sizeof(uint64_t));
      v->head.aux = CN_BYTES;
      v->count = counts->count + (opens ? 1 : 0);
      v->shift = counts->shift;
      v->root = counts->root;
      *(uint64_t*)v->tail = *(const uint64_t*)counts->tail;
      ((int8_t*)v->tail)[table] = opens ? 1 : (int8_t)(old[table] + 1);
      cn_dist* const next = (cn_dist*)cn_new(
          b, CN_PROCESS, offsetof(cn_dist, values) + 2 * sizeof(cn_value) + 3 * sizeof(double));
      next->type = type;
      next->value_count = 2;
      next->number_count = 3;
      next->values[0] = p->values[0];
      next->values[1] = cn_make(CN_VECTOR, (uint64_t)(uintptr_t)v);
      double* const to = (double*)(next->values + 2);
      const double* const from = cn_numbers(p);
      to[0] = from[0];
      to[1] = from[1] + 1;
      to[2] = from[2] + (opens ? 1 : 0);
      return cn_make(CN_PROCESS, (uint64_t)(uintptr_t)next);
    }
  }
  const cn_value args[2] = {process, x};
  return b->native(b, absorb, args, 2);
}
