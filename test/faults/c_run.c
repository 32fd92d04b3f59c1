/* SPDX-License-Identifier: Apache-2.0 */
/* c_run FILE: opens FILE, where faults begin (failing_calls.c), and runs a query through the C interface. */
#include <chancel/chancel.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char* const program =
    "(defquery q [y]\n"
    "  (let [m (sample (normal 0 1))]\n"
    "    (doseq [v y] (observe (normal m 1) v))\n"
    "    (predict :m m)))";

int main(int argc, char** argv) {
  const double y[] = {1.5, 0.5, 0.25};
  chancel_model* model = NULL;
  chancel_options* options = NULL;
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  chancel_error* error = NULL;
  int status = 0;

  if (argc != 2) return 64;
  close(open(argv[1], O_RDONLY));
  if (!(options = chancel_options_new())) {
    fputs("L001\n", stderr);
    return CHANCEL_FAILED;
  }
  if (chancel_compile(program, NULL, &model, &error) != CHANCEL_OK ||
      chancel_set(options, "algorithm", "lmh", &error) != CHANCEL_OK ||
      chancel_set_integer(options, "samples", 20, &error) != CHANCEL_OK ||
      chancel_set_integer(options, "chains", 2, &error) != CHANCEL_OK ||
      chancel_set_integer(options, "threads", 2, &error) != CHANCEL_OK ||
      chancel_set_integer(options, "seed", 1, &error) != CHANCEL_OK ||
      chancel_bind_reals(options, "y", y, 3, &error) != CHANCEL_OK ||
      chancel_infer(model, "q", options, &run, &error) != CHANCEL_OK)
    goto failed;
  while (chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL) {
    double m = 0;
    char line[40];
    if (chancel_draw_number(draw, "m", &m, &error) != CHANCEL_OK) goto failed;
    snprintf(line, sizeof line, "%.17g\n", m); /* stdio would take memory for a buffer */
    if (write(1, line, strlen(line)) < 0) return 1;
  }

failed:
  if (error != NULL) {
    fprintf(stderr, "%s\n", chancel_error_text(error));
    status = chancel_error_status(error);
  }
  chancel_error_free(error);
  chancel_run_free(run);
  chancel_options_free(options);
  chancel_model_free(model);
  return status;
}
