/* SPDX-License-Identifier: Apache-2.0 */
/* A library to preload: runs a program many times, and in each run one call of malloc, calloc, realloc, aligned_alloc,
 * posix_memalign, mmap or pthread_create fails. The process proceeds to its first open() of FAULTS_FILE; there it
 * forks for every run, so that start-up is paid for once. FAULTS_CALLS is a list of "first-last/stride"; numbers count calls
 * after that point, on all threads. Runs end when one makes fewer calls than its number. Without FAULTS_FILE they start before
 * the program's own initialisers. With FAULTS_KILL the process is killed instead. The files of the directory FAULTS_TEMPLATE are copied to DIR/run before each run.
 *
 * FAULTS_DIRECTORY gets the standard output of the run without a fault (out.0) and a line for each run that neither
 * repeats that output with its exit status nor ends with status 70 and L001 on standard error:
 *     <call> <kind of call> <exit status, or 1000 + signal> <first line of standard error>
 * and at the end "calls <number of the last run> runs <how many>". A run directory DIR/run is kept as
 * run.<call>. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

enum { kSeconds = 20 };

struct shared {
  long calls;       /* so far */
  const char* kind; /* of the call that failed */
};
static struct shared* shared; /* with the parent */
static long failing;          /* the number of the call; 0: none */
static int armed;

static int fails(const char* kind) {
  if (!armed) return 0;
  if (__atomic_add_fetch(&shared->calls, 1, __ATOMIC_RELAXED) != failing) return 0;
  shared->kind = kind;
  if (getenv("FAULTS_KILL")) raise(SIGKILL);
  return 1;
}

void* malloc(size_t bytes) {
  if (fails("malloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  if (fails("calloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  if (bytes && fails("realloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  if (fails("aligned_alloc")) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  if (fails("posix_memalign")) return ENOMEM;
  *out = __libc_memalign(alignment, bytes);
  return *out ? 0 : ENOMEM;
}
void* mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (fails("mmap")) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return (void*)syscall(SYS_mmap, at, bytes, protection, flags, file, offset);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* of) {
  static int (*next)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, "pthread_create");
  return fails("pthread_create") ? EAGAIN : next(thread, attributes, work, of);
}

static char path_of[4][512]; /* out, err, run, kept run */
enum { kOut, kErr, kRun, kKept };

static char* contents(const char* path, size_t* size) {
  struct stat status;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  *size = 0;
  if (file < 0 || fstat(file, &status) != 0) return NULL;
  char* text = __libc_malloc((size_t)status.st_size + 1);
  const ssize_t got = read(file, text, (size_t)status.st_size);
  close(file);
  *size = got < 0 ? 0 : (size_t)got;
  text[*size] = 0;
  return text;
}

static void copy_template(void) {
  const char* const from = getenv("FAULTS_TEMPLATE");
  if (!from) return;
  mkdir(path_of[kRun], 0700);
  DIR* const files = opendir(from);
  for (struct dirent* entry; files && (entry = readdir(files));) {
    if (entry->d_name[0] == '.') continue;
    char old[1024], fresh[1024];
    snprintf(old, sizeof old, "%s/%s", from, entry->d_name);
    snprintf(fresh, sizeof fresh, "%s/%s", path_of[kRun], entry->d_name);
    size_t size = 0;
    char* const text = contents(old, &size);
    const int file = (int)syscall(SYS_openat, AT_FDCWD, fresh, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (write(file, text, size) != (ssize_t)size) abort();
    close(file);
    free(text);
  }
  if (files) closedir(files);
}

static void redirect(int descriptor, const char* path) {
  const int file =
      (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(file, descriptor);
  close(file);
}

/* In the child: returns 1. In the parent: 0, with the status of the run. */
static int run_with_fault(long call, int* status) {
  shared->calls = 0;
  shared->kind = "";
  copy_template();
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const struct rlimit seconds = {kSeconds, kSeconds}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    alarm(10 * kSeconds); /* threads that wait for each other */
    redirect(1, path_of[kOut]);
    redirect(2, path_of[kErr]);
    failing = call;
    armed = 1;
    return 1;
  }
  int how = 0;
  while (waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  *status = WIFSIGNALED(how) ? 1000 + WTERMSIG(how) : WEXITSTATUS(how);
  return 0;
}

/* Returns in each child, and never in the parent. */
static void run_all(void) {
  const char* directory = getenv("FAULTS_DIRECTORY");
  const char* list = getenv("FAULTS_CALLS");
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const char* names[] = {"out.0", "err", "run", "run."};
  for (int i = 0; i < 4; ++i) snprintf(path_of[i], sizeof path_of[i], "%s/%s", directory, names[i]);
  const size_t kept_prefix = strlen(path_of[kKept]);
  char findings[512];
  snprintf(findings, sizeof findings, "%s/findings", directory);
  int expected_status = 0, status = 0;
  if (run_with_fault(0, &expected_status)) return;
  size_t expected_size = 0;
  char* const expected = contents(path_of[kOut], &expected_size);
  rename(path_of[kRun], strcat(path_of[kKept], "0"));
  path_of[kKept][kept_prefix] = 0;
  snprintf(path_of[kOut], sizeof path_of[kOut], "%s/out", directory);
  FILE* const report = fopen(findings, "we");
  fprintf(report, "unharmed %d calls %ld\n", expected_status, shared->calls);
  fflush(report);
  long last = 0, runs = 0;
  while (*list) {
    char* end = NULL;
    const long first = strtol(list, &end, 10), until = strtol(end + 1, &end, 10),
               stride = strtol(end + 1, &end, 10);
    list = *end ? end + 1 : end;
    for (long call = first; call <= until; call += stride) {
      if (run_with_fault(call, &status)) return;
      if (shared->calls < call) {
        rename(path_of[kRun], strcat(path_of[kKept], "end"));
        path_of[kKept][kept_prefix] = 0;
        break;
      }
      last = call;
      ++runs;
      size_t size = 0, error_size = 0;
      char* const out = contents(path_of[kOut], &size);
      char* const error = contents(path_of[kErr], &error_size);
      const int same =
          status == expected_status && size == expected_size && memcmp(out, expected, size) == 0;
      const int reported = status == 70 && error && strstr(error, "L001");
      if (!same && !reported) {
        fprintf(report, "%ld %s %d %.*s\n", call, shared->kind, status,
                error ? (int)strcspn(error, "\n") : 0, error ? error : "");
        fflush(report);
      }
      free(out);
      free(error);
      char number[24];
      snprintf(number, sizeof number, "%ld", call);
      rename(path_of[kRun], strcat(path_of[kKept], number));
      path_of[kKept][kept_prefix] = 0;
    }
  }
  fprintf(report, "calls %ld runs %ld\n", last, runs);
  fclose(report);
  _exit(0);
}

/* One run in this process, for a debugger. */
static void run_one(const char* call) {
  static struct shared alone;
  shared = &alone;
  failing = atol(call);
  armed = 1;
}

static void at_open(const char* path) {
  static int seen;
  const char* const wanted = getenv("FAULTS_FILE");
  if (seen || !wanted || strcmp(path, wanted) != 0) return;
  seen = 1;
  if (getenv("FAULTS_ONE"))
    run_one(getenv("FAULTS_ONE"));
  else
    run_all();
}

__attribute__((constructor)) static void at_start(void) {
  if (getenv("FAULTS_DIRECTORY") && !getenv("FAULTS_FILE")) run_all();
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
  va_end(rest);
  at_open(path);
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));
