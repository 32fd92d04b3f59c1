/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface from plain C: values, options, errors with their place, ownership in any order, stopping
 * from another thread, models on several threads. Prints what went wrong, and ends with 1 then. */
#define _POSIX_C_SOURCE 200809L
#include <chancel/chancel.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures = 0;

#define CHECK(condition)                                             \
  do {                                                               \
    if (!(condition)) {                                              \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                    \
    }                                                                \
  } while (0)

/* Takes the error of a call that must have failed, and checks its first code and status. */
static void expect_error(chancel_error** error, chancel_status status, const char* code,
                         const char* part, int line) {
  if (*error == NULL) {
    printf("line %d: there is no error\n", line);
    ++failures;
    return;
  }
  if (chancel_error_status(*error) != status || chancel_error_count(*error) == 0 ||
      strcmp(chancel_error_message(*error, 0).code, code) != 0 ||
      strstr(chancel_error_text(*error), part) == NULL) {
    printf("line %d: expected %d %s '%s', got %d: %s\n", line, (int)status, code, part,
           (int)chancel_error_status(*error), chancel_error_text(*error));
    ++failures;
  }
  chancel_error_free(*error);
  *error = NULL;
}
#define EXPECT_ERROR(status, code, part) expect_error(&error, status, code, part, __LINE__)

static chancel_model* compiled(const char* text) {
  chancel_model* model = NULL;
  chancel_error* error = NULL;
  if (chancel_compile(text, NULL, &model, &error) != CHANCEL_OK) {
    printf("%s\n", chancel_error_text(error));
    exit(1);
  }
  return model;
}

static void test_errors(void) {
  chancel_error* error = NULL;
  chancel_model* model = NULL;
  chancel_options* options = chancel_options_new();
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  chancel_compile_options named = CHANCEL_COMPILE_OPTIONS;
  chancel_message message;

  /* A mistake of the program has its place, a caret and a hint. */
  named.name = "q.clj";
  CHECK(chancel_compile("(defquery q\n  (sampel (normal 0 1)))", &named, &model, &error) ==
        CHANCEL_BAD_INPUT);
  CHECK(model == NULL);
  message = chancel_error_message(error, 0);
  CHECK(message.line == 2 && message.column == 4 && message.end_column == 10);
  CHECK(strcmp(message.file, "q.clj") == 0 && strcmp(message.hint, "did you mean sample?") == 0);
  CHECK(strstr(message.text, "^^^^^^") != NULL);
  CHECK(chancel_error_message(error, 99).text[0] == '\0');
  EXPECT_ERROR(CHANCEL_BAD_INPUT, "F001", "unbound name: sampel");

  /* Without a place for the error there is the status. */
  CHECK(chancel_compile("(", NULL, &model, NULL) == CHANCEL_BAD_INPUT);
  CHECK(chancel_compile_file("no/such/file.clj", NULL, &model, &error) == CHANCEL_NO_INPUT);
  EXPECT_ERROR(CHANCEL_NO_INPUT, "U002", "no/such/file.clj");

  /* Wrong arguments of C. */
  CHECK(chancel_compile(NULL, NULL, &model, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "chancel_compile: program is NULL");
  CHECK(chancel_compile("1", NULL, NULL, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "model is NULL");
  named.size = 0;
  CHECK(chancel_compile("1", &named, &model, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "CHANCEL_COMPILE_OPTIONS");
  CHECK(chancel_infer(NULL, NULL, NULL, &run, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "model is NULL");
  CHECK(chancel_next(NULL, &draw, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "run is NULL");
  CHECK(chancel_bind_reals(options, "x", NULL, 3, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "values is NULL");
  CHECK(chancel_query_count(NULL) == 0 && chancel_query_name(NULL, 0)[0] == '\0');
  chancel_stop(NULL);
  chancel_model_free(NULL);
  chancel_run_free(NULL);
  chancel_options_free(NULL);
  chancel_error_free(NULL);

  /* Wrong options, and wrong data. */
  CHECK(chancel_set(options, "sampels", "3", &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "did you mean samples?");
  CHECK(chancel_set(options, "samples", "-3", &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "samples: a whole number >= 0 expected, got '-3'");
  CHECK(chancel_set(options, "timeout", "soon", &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "U001", "got 'soon'");
  CHECK(chancel_bind_edn(options, "x", "[1 2", &error) == CHANCEL_BAD_INPUT);
  EXPECT_ERROR(CHANCEL_BAD_INPUT, "U003", "x: this is not one value");
  model = compiled("(defquery q [x] (observe (normal x 1) 1) (predict :x (/ x 0)))");
  CHECK(chancel_infer(model, "r", options, &run, &error) != CHANCEL_OK && run == NULL);
  CHECK(strstr(chancel_error_text(error), "r") != NULL);
  chancel_error_free(error);
  CHECK(chancel_set(options, "algorithm", "smcc", &error) == CHANCEL_OK);
  CHECK(chancel_bind_integer(options, "x", 1, &error) == CHANCEL_OK);
  CHECK(chancel_infer(model, NULL, options, &run, &error) == CHANCEL_USAGE);
  EXPECT_ERROR(CHANCEL_USAGE, "I001", "smcc");

  /* A run that fails: the error comes from chancel_next, and then the run is at its end. */
  CHECK(chancel_set(options, "algorithm", "importance", &error) == CHANCEL_OK);
  CHECK(chancel_infer(model, NULL, options, &run, &error) == CHANCEL_OK);
  CHECK(chancel_next(run, &draw, &error) == CHANCEL_FAILED && draw == NULL);
  CHECK(chancel_error_message(error, 0).line == 1);
  EXPECT_ERROR(CHANCEL_FAILED, "R006", "by zero");
  CHECK(chancel_next(run, &draw, &error) == CHANCEL_OK && draw == NULL && error == NULL);
  chancel_model_free(model); /* before the run */
  chancel_run_free(run);
  chancel_options_free(options);
}

static void test_values(void) {
  const double reals[] = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5};
  const int64_t integers[] = {1, 2, 3};
  chancel_error* error = NULL;
  chancel_options* options = chancel_options_new();
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  chancel_value value, part;
  char buffer[16];
  double numbers[8];
  double number = 0;
  int64_t integer = 0;
  size_t length = 0;
  chancel_model* model = compiled(
      "(defquery q [r i b t rs is m e]\n"
      "  (predict :all [r i b t rs is m e])\n"
      "  (predict :map {:n i :word \"gr\\u00fcn\"})\n"
      "  (predict :big (apply + is))\n"
      "  (predict :fn inc)\n"
      "  nil)");
  CHECK(chancel_query_count(model) == 1 && strcmp(chancel_query_name(model, 0), "q") == 0);
  CHECK(chancel_set(options, "algorithm", "importance", &error) == CHANCEL_OK);
  CHECK(chancel_set(options, "samples", "2", &error) == CHANCEL_OK);
  CHECK(chancel_bind_real(options, "r", 2.5, &error) == CHANCEL_OK);
  CHECK(chancel_bind_integer(options, "i", 7, &error) == CHANCEL_OK);
  CHECK(chancel_bind_boolean(options, "b", 1, &error) == CHANCEL_OK);
  CHECK(chancel_bind_text(options, "t", "words", &error) == CHANCEL_OK);
  CHECK(chancel_bind_reals(options, "rs", reals, 2, &error) == CHANCEL_OK);
  CHECK(chancel_bind_integers(options, "is", integers, 3, &error) == CHANCEL_OK);
  CHECK(chancel_bind_matrix(options, "m", reals, 2, 3, &error) == CHANCEL_OK);
  CHECK(chancel_bind_edn(options, "e", "{:a [1/2 nil]}", &error) == CHANCEL_OK);
  CHECK(chancel_infer(model, "q", options, &run, &error) == CHANCEL_OK);
  chancel_options_free(options);
  CHECK(chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL);
  if (draw == NULL) {
    printf("%s\n", chancel_error_text(error));
    exit(1);
  }
  CHECK(chancel_draw_count(draw) == 4 && strcmp(chancel_draw_label(draw, 1), ":map") == 0);
  CHECK(chancel_draw_label(draw, 4)[0] == '\0');
  CHECK(chancel_value_kind(chancel_draw_value(draw, 4)) == CHANCEL_NIL);
  CHECK(chancel_value_kind(chancel_draw_result(draw)) == CHANCEL_NIL);
  CHECK(chancel_draw_index(draw) == 0 && chancel_draw_chain(draw) == 0);

  CHECK(chancel_draw_find(draw, ":all", &value, &error) == CHANCEL_OK);
  CHECK(chancel_value_kind(value) == CHANCEL_VECTOR && chancel_value_size(value) == 8);
  CHECK(chancel_value_print(value, NULL, 0, &length, &error) == CHANCEL_OK);
  {
    char* all = malloc(length + 1);
    CHECK(chancel_value_print(value, all, length + 1, NULL, &error) == CHANCEL_OK);
    CHECK(strcmp(all,
                 "[2.5 7 true \"words\" [0.5 1.5] [1 2 3] [[0.5 1.5 2.5] [3.5 4.5 5.5]] "
                 "{:a [1/2 nil]}]") == 0);
    free(all);
  }
  CHECK(chancel_value_print(value, buffer, sizeof buffer, NULL, &error) == CHANCEL_OK);
  CHECK(strcmp(buffer, "[2.5 7 true \"wo") == 0);
  CHECK(chancel_value_at(value, 1, &part, &error) == CHANCEL_OK);
  CHECK(chancel_value_integer(part, &integer, &error) == CHANCEL_OK && integer == 7);
  CHECK(chancel_value_at(value, 2, &part, &error) == CHANCEL_OK &&
        chancel_value_boolean(part) == 1);
  CHECK(chancel_value_integer(part, &integer, &error) == CHANCEL_FAILED);
  EXPECT_ERROR(CHANCEL_FAILED, "R001", "expected an integer");
  CHECK(chancel_value_at(value, 6, &part, &error) == CHANCEL_OK);
  CHECK(chancel_value_numbers(part, numbers, 8, &length, &error) == CHANCEL_OK && length == 6);
  CHECK(numbers[0] == 0.5 && numbers[5] == 5.5);
  CHECK(chancel_value_numbers(part, NULL, 0, &length, &error) == CHANCEL_OK && length == 6);
  CHECK(chancel_value_numbers(value, numbers, 8, &length, &error) == CHANCEL_FAILED);
  EXPECT_ERROR(CHANCEL_FAILED, "R001", "expected a number");
  CHECK(chancel_value_at(value, 8, &part, &error) == CHANCEL_FAILED);
  chancel_error_free(error);

  CHECK(chancel_draw_find(draw, "map", &value, &error) == CHANCEL_OK);
  CHECK(chancel_value_kind(value) == CHANCEL_MAP && chancel_value_size(value) == 2);
  CHECK(chancel_value_get(value, "word", &part, &error) == CHANCEL_OK);
  CHECK(chancel_value_text(part, buffer, sizeof buffer, &length, &error) == CHANCEL_OK);
  CHECK(length == 5 && strcmp(buffer, "gr\xc3\xbcn") == 0);
  CHECK(chancel_value_get(value, "none", &part, &error) == CHANCEL_OK);
  CHECK(chancel_value_kind(part) == CHANCEL_NIL && chancel_value_size(part) == 0);
  CHECK(chancel_value_entry(value, 0, &part, &value, &error) == CHANCEL_OK);
  CHECK(chancel_value_kind(part) == CHANCEL_KEYWORD);
  CHECK(chancel_draw_number(draw, "big", &number, &error) == CHANCEL_OK && number == 6);
  CHECK(chancel_draw_number(draw, "small", &number, &error) == CHANCEL_FAILED);
  EXPECT_ERROR(CHANCEL_FAILED, "R013", "small");
  CHECK(chancel_draw_find(draw, "fn", &value, &error) == CHANCEL_OK);
  CHECK(chancel_value_kind(value) == CHANCEL_FUNCTION);
  CHECK(chancel_value_text(value, buffer, sizeof buffer, &length, &error) == CHANCEL_FAILED);
  chancel_error_free(error);

  CHECK(chancel_next(run, &draw, &error) == CHANCEL_OK && chancel_draw_index(draw) == 1);
  CHECK(chancel_next(run, &draw, &error) == CHANCEL_OK && draw == NULL);
  CHECK(chancel_run_draws(run) == 2 && strcmp(chancel_run_engine(run), "importance") == 0);
  CHECK(chancel_run_log_evidence(run, &number, NULL) == 1 && fabs(number) < 1e-12);
  CHECK(chancel_run_warning(run, 1000).text[0] == '\0');
  chancel_run_free(run);
  chancel_model_free(model);
}

static void collect(const char* text, size_t length, void* data) {
  char* all = data;
  strncat(all, text, length);
}

static void test_output_and_defaults(void) {
  char printed[64] = "";
  chancel_compile_options options = CHANCEL_COMPILE_OPTIONS;
  chancel_options* run_options = chancel_options_new();
  chancel_error* error = NULL;
  chancel_model* model = NULL;
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  size_t draws = 0;
  options.output = collect;
  options.output_data = printed;
  CHECK(chancel_compile(
            "(def x (do (print \"hello\") 1)) (defquery q (predict :x (sample (normal 0 1))))",
            &options, &model, &error) == CHANCEL_OK);
  CHECK(strcmp(printed, "hello") == 0);
  CHECK(chancel_set(run_options, "seed", "1", &error) == CHANCEL_OK);
  CHECK(chancel_infer(model, NULL, run_options, &run, &error) == CHANCEL_OK);
  while (chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL) ++draws;
  CHECK(draws >= 400 && chancel_run_choice(run)[0] != '\0' && chancel_run_stopped(run)[0] != '\0');
  CHECK(chancel_run_interrupted(run) == 0);
  chancel_run_free(run);
  chancel_options_free(run_options);
  chancel_model_free(model);
}

static void* stop_soon(void* run) {
  const struct timespec moment = {0, 100000000};
  nanosleep(&moment, NULL);
  chancel_stop(run);
  return NULL;
}

static void test_stop(void) {
  chancel_model* model = compiled("(defquery q (predict :x (sample (normal 0 1))))");
  chancel_options* options = chancel_options_new();
  chancel_error* error = NULL;
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  size_t draws = 0;
  pthread_t thread;
  CHECK(chancel_set(options, "algorithm", "lmh", &error) == CHANCEL_OK);
  CHECK(chancel_set(options, "samples", "0", &error) == CHANCEL_OK); /* without end */
  CHECK(chancel_infer(model, NULL, options, &run, &error) == CHANCEL_OK);
  CHECK(pthread_create(&thread, NULL, stop_soon, run) == 0);
  while (chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL) ++draws;
  pthread_join(thread, NULL);
  CHECK(error == NULL && draws > 0 && chancel_run_interrupted(run) == 1);
  chancel_run_free(run);
  chancel_options_free(options);
  chancel_model_free(model);
}

/* The same seed gives the same bits, on any thread beside others. */
static void* sum_of_draws(void* place) {
  chancel_model* model = compiled(
      "(defquery q (let [x (sample (normal 0 1))] (observe (normal x 1) 3) (predict :x x)))");
  chancel_options* options = chancel_options_new();
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  double sum = 0, x = 0;
  chancel_set(options, "algorithm", "smc", NULL);
  chancel_set(options, "samples", "2000", NULL);
  chancel_set(options, "resampling", ":multinomial", NULL);
  chancel_set(options, "seed", "7", NULL);
  if (chancel_infer(model, NULL, options, &run, NULL) == CHANCEL_OK)
    while (chancel_next(run, &draw, NULL) == CHANCEL_OK && draw != NULL)
      if (chancel_draw_number(draw, "x", &x, NULL) == CHANCEL_OK) sum += x;
  chancel_run_free(run);
  chancel_options_free(options);
  chancel_model_free(model);
  *(double*)place = sum;
  return NULL;
}

static void test_threads(void) {
  double sums[4];
  pthread_t threads[4];
  int i;
  for (i = 0; i < 4; ++i) CHECK(pthread_create(&threads[i], NULL, sum_of_draws, &sums[i]) == 0);
  for (i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  CHECK(sums[0] != 0 && sums[0] == sums[1] && sums[1] == sums[2] && sums[2] == sums[3]);
  CHECK(fabs(sums[0] / 2000 - 1.5) < 0.2);
}

int main(void) {
  CHECK(strcmp(chancel_version(), CHANCEL_EXPECTED_VERSION) == 0);
  test_errors();
  test_values();
  test_output_and_defaults();
  test_stop();
  test_threads();
  printf(failures == 0 ? "all is well\n" : "%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
