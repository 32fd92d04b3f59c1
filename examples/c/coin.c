/* SPDX-License-Identifier: Apache-2.0 */
/* The bias of a coin in plain C: compile a program, bind data, take weighted draws, show errors. */
#include <chancel/chancel.h>
#include <math.h>
#include <stdio.h>

static const char* const program =
    "(defquery coin [flips]\n"
    "  (let [bias (sample (beta 1 1))]\n"
    "    (map (fn [x] (observe (flip bias) (= x 1))) flips)\n"
    "    (predict :bias bias)))";

int main(void) {
  const int64_t flips[] = {1, 1, 0, 1};
  chancel_model* model = NULL;
  chancel_options* options = chancel_options_new();
  chancel_run* run = NULL;
  const chancel_draw* draw = NULL;
  chancel_error* error = NULL;
  double sum = 0, weights = 0, mean = 0, log_evidence = 0;

  if (chancel_compile(program, NULL, &model, &error) != CHANCEL_OK ||
      chancel_set(options, "algorithm", "smc", &error) != CHANCEL_OK ||
      chancel_set_integer(options, "number-of-particles", 1000, &error) != CHANCEL_OK ||
      chancel_set_integer(options, "samples", 20000, &error) != CHANCEL_OK ||
      chancel_set_integer(options, "seed", 1, &error) != CHANCEL_OK ||
      chancel_bind_integers(options, "flips", flips, 4, &error) != CHANCEL_OK ||
      chancel_infer(model, "coin", options, &run, &error) != CHANCEL_OK)
    goto failed;

  while (chancel_next(run, &draw, &error) == CHANCEL_OK && draw != NULL) {
    const double weight = exp(chancel_draw_log_weight(draw));
    double bias = 0;
    if (chancel_draw_number(draw, "bias", &bias, &error) != CHANCEL_OK) goto failed;
    sum += weight * bias;
    weights += weight;
  }
  if (error != NULL) goto failed;
  mean = sum / weights;
  chancel_run_log_evidence(run, &log_evidence, NULL);
  printf("mean %g, log evidence %g\n", mean, log_evidence);

failed:
  if (error != NULL) fprintf(stderr, "%s\n", chancel_error_text(error));
  chancel_error_free(error);
  chancel_run_free(run);
  chancel_options_free(options);
  chancel_model_free(model);
  /* Beta(4, 2) has mean 2/3; the evidence is B(4, 2) = 1/20. */
  return fabs(mean - 2.0 / 3) < 0.01 && fabs(log_evidence - log(0.05)) < 0.05 ? 0 : 1;
}
