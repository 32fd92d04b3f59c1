# SPDX-License-Identifier: Apache-2.0
# Makes reference.txt: sets of draws of known trouble, and what the R package posterior (1.4.0, Debian's r-cran-posterior) says of each.
# Run: Rscript make_reference.R > reference.txt
# A set is a line `set NAME`, a line of figures (mean mcse_mean sd mad 5% 50% 95% ess_bulk ess_tail rhat) and a line for each chain.
suppressPackageStartupMessages(library(posterior))
set.seed(20140417)

ar <- function(n, rho) as.numeric(stats::filter(rnorm(n), rho, method = "recursive"))
chains <- function(count, make) sapply(seq_len(count), make)

sets <- list(
  independent = chains(4, function(i) rnorm(100)),
  one_chain = chains(1, function(i) rnorm(200)),
  two_chains_odd_length = chains(2, function(i) rnorm(101)),
  many_short_chains = chains(10, function(i) rnorm(20)),
  short = chains(4, function(i) rnorm(9)),
  sticky = chains(4, function(i) ar(120, 0.9)),
  very_sticky = chains(2, function(i) ar(200, 0.99)),
  antithetic = chains(4, function(i) ar(100, -0.6)),
  random_walk = chains(4, function(i) cumsum(rnorm(80))),
  different_means = chains(4, function(i) rnorm(80, i / 2)),
  different_spreads = chains(4, function(i) rnorm(80, 0, 2^i)),
  one_chain_apart = chains(4, function(i) rnorm(80, ifelse(i == 4, 5, 0))),
  trend = chains(4, function(i) rnorm(80) + seq(0, 3, length.out = 80)),
  cauchy = chains(4, function(i) rcauchy(100)),
  student3 = chains(4, function(i) rt(100, 3)),
  exponential = chains(4, function(i) rexp(100)),
  lognormal = chains(4, function(i) rlnorm(100, 0, 2)),
  uniform = chains(4, function(i) runif(100)),
  bimodal = chains(4, function(i) rnorm(100, ifelse(runif(100) < 0.5, -4, 4), 1)),
  stuck_in_modes = chains(4, function(i) rnorm(100, ifelse(i %% 2 == 0, -4, 4), 1)),
  poisson_ties = chains(4, function(i) rpois(100, 3)),
  binary = chains(4, function(i) rbinom(100, 1, 0.3)),
  rare_binary = chains(4, function(i) rbinom(100, 1, 0.03)),
  repeated_by_rejection = chains(4, function(i) rep(rnorm(20), each = 5)),
  large_offset = chains(4, function(i) 1e6 + rnorm(100)),
  tiny_scale = chains(4, function(i) 1e-8 * rnorm(100)),
  constant = chains(4, function(i) rep(2.5, 50)),
  one_constant_chain = chains(3, function(i) if (i == 1) rep(0.25, 60) else rnorm(60))
)

text <- function(x) ifelse(is.na(x), "nan", formatC(x, digits = 17, format = "g", width = 1))
for (name in names(sets)) {
  draws <- signif(as.matrix(sets[[name]]), 9)
  q <- quantile(draws, c(0.05, 0.5, 0.95), names = FALSE)
  figures <- c(mean(draws), mcse_mean(draws), sd(draws), mad(draws), q, ess_bulk(draws), ess_tail(draws), rhat(draws))
  cat("set ", name, "\n", paste(text(figures), collapse = " "), "\n", sep = "")
  for (i in seq_len(ncol(draws))) cat(paste(formatC(draws[, i], digits = 9, format = "g", width = 1), collapse = " "), "\n", sep = "")
}
