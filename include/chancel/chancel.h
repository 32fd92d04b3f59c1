/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface of Chancel, for C and for languages that call C: compile a program, bind data,
 * infer, take one draw after the other, read its values, show errors. docs/embedding.md is the guide.
 *
 *   chancel_model *model = NULL;
 *   chancel_run *run = NULL;
 *   chancel_error *error = NULL;
 *   const chancel_draw *draw = NULL;
 *   if (chancel_compile("(defquery q ...)", NULL, &model, &error) != CHANCEL_OK) goto failed;
 *   if (chancel_infer(model, NULL, NULL, &run, &error) != CHANCEL_OK) goto failed;
 *   while (chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL) ...
 *
 * Errors: a function that can fail returns a status and takes a place for an error last, which may be
 * NULL. It is set to NULL first, and on failure to an error that the caller frees. What other
 * arguments point to is not changed then. No C++ exception leaves these functions, they never print
 * or exit; NULL for what must be there is an error (U001) where there is a place for one, and
 * otherwise 0, NULL or nothing.
 *
 * Ownership: what chancel_compile, chancel_options_new, chancel_infer and an error place give is
 * freed by the function of its type, in any order; NULL is freed by doing nothing. Options may be
 * used for several runs. Texts that are returned belong to what they were asked from. A draw and its
 * values are good until the next call of chancel_next for its run, or until the run is freed.
 *
 * Threads: a model and what came from it (runs, draws, values) may be used by one thread at a time,
 * which may be another one each time; so may options and an error. Different models are independent
 * and may be used at the same time. chancel_stop may be called from any thread and in a signal
 * handler. A run works on threads of its own inside chancel_next; they call the program's output
 * function, one call at a time.
 *
 * Texts are UTF-8 and end with a zero byte. Functions and types may be added in a version with the
 * same soname; those that are here stay as they are. */
#ifndef CHANCEL_CHANCEL_H
#define CHANCEL_CHANCEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define CHANCEL_C_API __attribute__((visibility("default")))
#else
#define CHANCEL_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct chancel_model chancel_model;
typedef struct chancel_options chancel_options;
typedef struct chancel_run chancel_run;
typedef struct chancel_draw chancel_draw;
typedef struct chancel_error chancel_error;

/* The exit codes of the program chancel. */
typedef enum chancel_status {
  CHANCEL_OK = 0,
  CHANCEL_USAGE = 64,     /* a wrong argument or option */
  CHANCEL_BAD_INPUT = 65, /* the program or its data are wrong */
  CHANCEL_NO_INPUT = 66,  /* a file cannot be read */
  CHANCEL_FAILED = 70     /* the run failed, or memory ran out */
} chancel_status;

CHANCEL_C_API const char* chancel_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

typedef struct chancel_message {
  const char* code;                          /* "F001": docs/errors.md explains it */
  const char* message;                       /* a sentence */
  const char* hint;                          /* what to do; may be empty */
  const char* file;                          /* the program's name; empty without a place */
  size_t line, column, end_line, end_column; /* from 1; 0 without a place */
  const char* text; /* all of it, as people are shown it: with the source line and carets */
} chancel_message;

CHANCEL_C_API chancel_status chancel_error_status(const chancel_error* error);
/* All messages, as people are shown them. */
CHANCEL_C_API const char* chancel_error_text(const chancel_error* error);
CHANCEL_C_API size_t chancel_error_count(const chancel_error* error);
/* The texts of an index that is too large are empty. */
CHANCEL_C_API chancel_message chancel_error_message(const chancel_error* error, size_t index);
CHANCEL_C_API void chancel_error_free(chancel_error* error);

/* ---- Programs -------------------------------------------------------------------------------- */

/* Start with CHANCEL_COMPILE_OPTIONS; members may be added at the end, and `size` says what is there. */
typedef struct chancel_compile_options {
  size_t size;
  const char* name;    /* shown in messages; NULL: "program", or the file's */
  const char* dialect; /* "clojure", "venture" or "textbook"; NULL: detected from the text */
  int no_files;        /* not 0: the program may not read files */
  /* What the program prints, which is dropped when there is no function. Must not return by longjmp or
   * an exception. */
  void (*output)(const char* text, size_t length, void* data);
  void* output_data;
} chancel_compile_options;

/* clang-format off */
#define CHANCEL_COMPILE_OPTIONS {sizeof(chancel_compile_options), NULL, NULL, 0, NULL, NULL}
/* clang-format on */

CHANCEL_C_API chancel_status chancel_compile(const char* program,
                                             const chancel_compile_options* options,
                                             chancel_model** model, chancel_error** error);
CHANCEL_C_API chancel_status chancel_compile_file(const char* path,
                                                  const chancel_compile_options* options,
                                                  chancel_model** model, chancel_error** error);
CHANCEL_C_API size_t chancel_query_count(const chancel_model* model);
CHANCEL_C_API const char* chancel_query_name(const chancel_model* model, size_t index);
CHANCEL_C_API size_t chancel_warning_count(const chancel_model* model);
CHANCEL_C_API chancel_message chancel_warning(const chancel_model* model, size_t index);
CHANCEL_C_API void chancel_model_free(chancel_model* model);

/* ---- Options and data ------------------------------------------------------------------------ */

/* NULL when memory has run out. */
CHANCEL_C_API chancel_options* chancel_options_new(void);
CHANCEL_C_API void chancel_options_free(chancel_options* options);

/* Options of a run, by name: algorithm, samples, ess, rounds, warmup, burn, thin, chains, seed, threads,
 * prior ("true"), timeout (seconds), max-memory (bytes); they mean what they do for `chancel infer`. Every
 * other name is an option of the engine ("number-of-particles", "100"; "resampling", ":multinomial"),
 * and is checked when the run starts. A later value takes the place of an earlier one. */
CHANCEL_C_API chancel_status chancel_set(chancel_options* options, const char* name,
                                         const char* value, chancel_error** error);
CHANCEL_C_API chancel_status chancel_set_integer(chancel_options* options, const char* name,
                                                 int64_t value, chancel_error** error);

/* The arguments of the query, by the names of its parameters; what is bound is copied. Without any, the
 * program's own NAME-value is used. */
CHANCEL_C_API chancel_status chancel_bind_real(chancel_options* options, const char* parameter,
                                               double value, chancel_error** error);
CHANCEL_C_API chancel_status chancel_bind_integer(chancel_options* options, const char* parameter,
                                                  int64_t value, chancel_error** error);
CHANCEL_C_API chancel_status chancel_bind_boolean(chancel_options* options, const char* parameter,
                                                  int value, chancel_error** error);
CHANCEL_C_API chancel_status chancel_bind_text(chancel_options* options, const char* parameter,
                                               const char* value, chancel_error** error);
/* Vectors. */
CHANCEL_C_API chancel_status chancel_bind_reals(chancel_options* options, const char* parameter,
                                                const double* values, size_t count,
                                                chancel_error** error);
CHANCEL_C_API chancel_status chancel_bind_integers(chancel_options* options, const char* parameter,
                                                   const int64_t* values, size_t count,
                                                   chancel_error** error);
/* A vector of `rows` vectors; the rows lie one after the other. */
CHANCEL_C_API chancel_status chancel_bind_matrix(chancel_options* options, const char* parameter,
                                                 const double* values, size_t rows, size_t columns,
                                                 chancel_error** error);
/* Any value, written as in a program: "[true true false]", "{:n 3}". */
CHANCEL_C_API chancel_status chancel_bind_edn(chancel_options* options, const char* parameter,
                                              const char* edn, chancel_error** error);

/* ---- Runs ------------------------------------------------------------------------------------ */

/* `query` NULL: the only one, or the one named like the file. `options` NULL: the defaults, which choose
 * an engine and stop when the draws can be trusted. Nothing is drawn yet. */
CHANCEL_C_API chancel_status chancel_infer(chancel_model* model, const char* query,
                                           const chancel_options* options, chancel_run** run,
                                           chancel_error** error);
/* The next draw; NULL (and CHANCEL_OK) at the end. After a failure the run is at its end. */
CHANCEL_C_API chancel_status chancel_next(chancel_run* run, const chancel_draw** draw,
                                          chancel_error** error);
/* Ends the run at its next step; draws that are made already are still handed out. */
CHANCEL_C_API void chancel_stop(chancel_run* run);
CHANCEL_C_API void chancel_run_free(chancel_run* run);

/* What the run says about itself so far. */
CHANCEL_C_API uint64_t chancel_run_draws(const chancel_run* run);
/* 1 and the log of the marginal likelihood with its standard error (NaN: not known), or 0 where the
 * engine estimates none. Either place may be NULL. */
CHANCEL_C_API int chancel_run_log_evidence(const chancel_run* run, double* value,
                                           double* standard_error);
/* By chancel_stop or a limit: what was there has been given. */
CHANCEL_C_API int chancel_run_interrupted(const chancel_run* run);
/* The engine, and why it was chosen or why the run ended (empty where there is nothing to say). The
 * texts are good until the next of these calls for the run. */
CHANCEL_C_API const char* chancel_run_engine(chancel_run* run);
CHANCEL_C_API const char* chancel_run_choice(chancel_run* run);
CHANCEL_C_API const char* chancel_run_stopped(chancel_run* run);
CHANCEL_C_API size_t chancel_run_warning_count(chancel_run* run);
CHANCEL_C_API chancel_message chancel_run_warning(chancel_run* run, size_t index);

/* ---- Draws and values ------------------------------------------------------------------------ */

/* A view, to be passed by value; it has nothing to free. */
typedef struct chancel_value {
  uint64_t words[2];
} chancel_value;

typedef enum chancel_kind {
  CHANCEL_NIL,
  CHANCEL_BOOLEAN,
  CHANCEL_INTEGER,
  CHANCEL_REAL,
  CHANCEL_RATIO,
  CHANCEL_BIG_INTEGER, /* of more than 64 bits */
  CHANCEL_CHARACTER,
  CHANCEL_STRING,
  CHANCEL_KEYWORD,
  CHANCEL_SYMBOL,
  CHANCEL_LIST,
  CHANCEL_VECTOR,
  CHANCEL_MAP,
  CHANCEL_SET,
  CHANCEL_FUNCTION,
  CHANCEL_DISTRIBUTION,
  CHANCEL_OTHER
} chancel_kind;

CHANCEL_C_API double chancel_draw_log_weight(const chancel_draw* draw);
CHANCEL_C_API uint64_t chancel_draw_index(const chancel_draw* draw);
CHANCEL_C_API uint64_t chancel_draw_sweep(const chancel_draw* draw);
CHANCEL_C_API uint32_t chancel_draw_chain(const chancel_draw* draw);
/* Its predicts: labels as printed (":bias") and values. */
CHANCEL_C_API size_t chancel_draw_count(const chancel_draw* draw);
CHANCEL_C_API const char* chancel_draw_label(const chancel_draw* draw, size_t index);
CHANCEL_C_API chancel_value chancel_draw_value(const chancel_draw* draw, size_t index);
/* The query's own value. */
CHANCEL_C_API chancel_value chancel_draw_result(const chancel_draw* draw);
/* By label, with or without its colon. */
CHANCEL_C_API chancel_status chancel_draw_find(const chancel_draw* draw, const char* label,
                                               chancel_value* value, chancel_error** error);
CHANCEL_C_API chancel_status chancel_draw_number(const chancel_draw* draw, const char* label,
                                                 double* number, chancel_error** error);

CHANCEL_C_API chancel_kind chancel_value_kind(chancel_value value);
/* Clojure's truth: 0 for false and nil, otherwise 1. */
CHANCEL_C_API int chancel_value_boolean(chancel_value value);
CHANCEL_C_API chancel_status chancel_value_integer(chancel_value value, int64_t* integer,
                                                   chancel_error** error);
/* Any number; booleans as 0 and 1. */
CHANCEL_C_API chancel_status chancel_value_number(chancel_value value, double* number,
                                                  chancel_error** error);
/* All numbers of nested vectors and lists, in their order: up to `capacity` are written, `count` is how
 * many there are. `numbers` may be NULL when `capacity` is 0. */
CHANCEL_C_API chancel_status chancel_value_numbers(chancel_value value, double* numbers,
                                                   size_t capacity, size_t* count,
                                                   chancel_error** error);
/* Elements of a list, vector or set, entries of a map; 0 for anything else. */
CHANCEL_C_API size_t chancel_value_size(chancel_value value);
/* An element of a list, vector or set. */
CHANCEL_C_API chancel_status chancel_value_at(chancel_value value, size_t index,
                                              chancel_value* element, chancel_error** error);
/* An entry of a map, in the order in which it is printed; takes as long as the map is large. */
CHANCEL_C_API chancel_status chancel_value_entry(chancel_value map, size_t index,
                                                 chancel_value* key, chancel_value* value,
                                                 chancel_error** error);
/* What a map has under a keyword, named without its colon; nil when there is nothing. */
CHANCEL_C_API chancel_status chancel_value_get(chancel_value map, const char* keyword,
                                               chancel_value* value, chancel_error** error);
/* The characters of a string, the name of a keyword or symbol; or any value as printed. Up to `size`
 * bytes are written, the last of them zero; `length` is how long the whole text is without it, so that
 * a second call can have the room. `buffer` may be NULL when `size` is 0, and `length` may be NULL. */
CHANCEL_C_API chancel_status chancel_value_text(chancel_value value, char* buffer, size_t size,
                                                size_t* length, chancel_error** error);
CHANCEL_C_API chancel_status chancel_value_print(chancel_value value, char* buffer, size_t size,
                                                 size_t* length, chancel_error** error);

#ifdef __cplusplus
}
#endif

#endif
