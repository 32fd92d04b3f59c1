/* SPDX-License-Identifier: Apache-2.0
 * libchancel_mpi.so: ranks by MPI (src/ranks/module.h). Messages of two ranks only: what all ranks do
 * together is made of them in src/ranks, so that a run can be left at any moment without a rank that
 * waits in a collective call for ever.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/module.h"

static MPI_Comm all;

static void* send_bytes(int to, int tag, const void* bytes, size_t count) {
  MPI_Request* request = malloc(sizeof *request);
  if (request == NULL) MPI_Abort(all, 70);
  MPI_Isend(bytes, (int)count, MPI_BYTE, to, tag, all, request);
  return request;
}

static int sent(void* message) {
  int done = 0;
  MPI_Test(message, &done, MPI_STATUS_IGNORE);
  if (done) free(message);
  return done;
}

static long long look(int* from, int tag) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(*from == CHANCEL_ANY_RANK ? MPI_ANY_SOURCE : *from, tag, all, &there, &status);
  if (!there) return -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  *from = status.MPI_SOURCE;
  return count;
}

static void receive(int from, int tag, void* bytes, size_t count) {
  MPI_Recv(bytes, (int)count, MPI_BYTE, from, tag, all, MPI_STATUS_IGNORE);
}

/* Takes whatever message is there. */
static void take_any(void) {
  int there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all, &there, &status);
  if (!there) return;
  MPI_Get_count(&status, MPI_BYTE, &count);
  void* bytes = malloc((size_t)count + 1);
  if (bytes == NULL) MPI_Abort(all, 70);
  MPI_Recv(bytes, count, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, all, MPI_STATUS_IGNORE);
  free(bytes);
}

/* A rank may still be sending messages that are not needed: all ranks take messages until all are here. */
static void leave(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(all, &request);
  while (!done) {
    take_any();
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
  MPI_Comm_free(&all);
  MPI_Finalize();
}

static void abort_all(int code) { MPI_Abort(all, code); }

/* Ranks of one machine need shared memory alone. Open MPI looks for networks and loads what might drive them all
 * the same, which takes 0.2 s; this is turned off, unless the user has chosen. */
static void stay_on_this_machine(void) {
  const char* const here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const char* const ranks = getenv("OMPI_COMM_WORLD_SIZE");
  if (here == NULL || ranks == NULL || strcmp(here, ranks) != 0) return;
  if (getenv("OMPI_MCA_pml") != NULL || getenv("OMPI_MCA_btl") != NULL) return;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
}

const struct chancel_ranks_module* chancel_ranks_join(const char** problem) {
  static struct chancel_ranks_module module = {
      CHANCEL_RANKS_MODULE_VERSION, 0, 1, send_bytes, sent, look, receive, leave, abort_all};
  int level = 0, initialised = 0;
  MPI_Initialized(&initialised);
  if (!initialised) stay_on_this_machine();
  if (!initialised && MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) {
    *problem = "MPI_Init failed";
    return NULL;
  }
  if (MPI_Comm_dup(MPI_COMM_WORLD, &all) != MPI_SUCCESS) {
    *problem = "MPI_Comm_dup failed";
    return NULL;
  }
  MPI_Comm_rank(all, &module.rank);
  MPI_Comm_size(all, &module.size);
  return &module;
}
