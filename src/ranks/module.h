/* SPDX-License-Identifier: Apache-2.0
 * What the program and the module that talks MPI share. The module (tools/chancel-mpi) is a shared
 * object of its own, loaded only when mpirun has started the program, so that the program needs no
 * MPI. Plain C: either may be built by another compiler. All calls come from one thread at a time.
 */
#pragma once
#include <stddef.h>

#define CHANCEL_RANKS_MODULE_VERSION 1
#define CHANCEL_RANKS_MODULE_ENTRY "chancel_ranks_join"
#define CHANCEL_ANY_RANK (-1)

#ifdef __cplusplus
extern "C" {
#endif

struct chancel_ranks_module {
  int version;
  int rank, size;
  /* Starts a message; the bytes stay as they are until sent() has said yes to what this returns. */
  void* (*send)(int to, int tag, const void* bytes, size_t count);
  int (*sent)(void* message);
  /* The size of the next message with this tag, and whom it is from (`from` may be any rank before);
   * -1: there is none yet. */
  long long (*look)(int* from, int tag);
  void (*receive)(int from, int tag, void* bytes, size_t count);
  /* The end of all messages: returns once every rank is here. Messages not received until then
   * are lost. */
  void (*leave)(void);
  /* Ends every rank. */
  void (*abort)(int code);
};

/* Joins the others; null when that fails, and `*problem` says why. */
typedef const struct chancel_ranks_module* chancel_ranks_join_function(const char** problem);

#ifdef __cplusplus
}
#endif
