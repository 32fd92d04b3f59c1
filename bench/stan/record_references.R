#!/usr/bin/env Rscript
# SPDX-License-Identifier: Apache-2.0
# Records what Stan says about the models of this folder at ten points each: the log density with the Jacobian of the transforms, and
# its gradient, on the unconstrained scale; and the constrained values there. Five points are near the origin, five near the posterior.
# Log densities are complete: they agree with ours but for rounding, and a constant where a prior is improper.
# Run: bench/stan/record_references.R [NAME...]; it writes test/record/stan/NAME.json, which a test compares with our own.
args <- commandArgs(trailingOnly = TRUE)
source(file.path(dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))), "stan.R"))

# Parameters of the Stan program near the posterior: a value of each from the mean and sd of the reference draws.
near_posterior <- function(name, fit) {
  recorded <- reference(name)
  value <- function(parameter) {
    r <- recorded[[parameter]]
    r$mean + r$sd * rnorm(1)
  }
  parameters <- list()
  for (parameter in setdiff(fit@model_pars, "lp__")) {
    dims <- fit@par_dims[[parameter]]
    if (parameter == "z") {
      parameters$z <- rnorm(dims)
    } else if (length(dims) == 0) {
      parameters[[parameter]] <- value(parameter)
    } else {
      parameters[[parameter]] <- vapply(seq_len(dims), function(i) value(sprintf("%s[%d]", parameter, i)), 0)
    }
    if (grepl("^theta[12]$", parameter)) {
      first <- min(max(parameters[[parameter]][1], 0.001), 0.999)
      parameters[[parameter]] <- c(first, 1 - first)
    }
    if (parameter %in% c("sigma", "tau", "rho")) parameters[[parameter]] <- abs(parameters[[parameter]])
  }
  unconstrain_pars(fit, parameters)
}

# How the unconstrained coordinates come from the draws of our program, which are in the same order.
coordinates <- c(
  "number on the line" = "itself", "number above 0" = "its logarithm", "number from 0 to 1" = "its logit",
  "simplex of two" = "the logit of the first part", "ordered vector" = "the first element, then the logarithms of the differences",
  "ordered positive vector" = "our program draws its first element and the differences: the logarithm of each")

# The draws of our program at a point, in order: the parameters, but for positive ordered vectors the first element and the differences.
program_draws <- function(name, constrained) {
  constrained <- constrained[names(constrained) != "theta" | !grepl("eight", name)]
  positive_ordered <- if (grepl("hmm_example", name)) "mu" else if (grepl("drive", name)) c("phi", "lambda")
  whole <- if (grepl("mix", name)) "mu" else c("theta1", "theta2")  # one draw is a vector
  draws <- lapply(names(constrained), function(parameter) {
    x <- as.vector(constrained[[parameter]])
    if (parameter %in% positive_ordered) as.list(c(x[1], diff(x))) else if (parameter %in% whole) list(x) else as.list(x)
  })
  lapply(do.call(c, draws), function(x) if (length(x) == 1) unbox(x) else x)
}

record <- function(name) {
  fit <- suppressMessages(sampling(compiled_model(name)$model, model_data(name), chains = 0))
  set.seed(13)
  n <- get_num_upars(fit)
  points <- c(replicate(5, runif(n, -2, 2), simplify = FALSE), replicate(5, near_posterior(name, fit), simplify = FALSE))
  evaluated <- lapply(points, function(q) {
    q <- round(q, 7)  # so that the decimals in the file are the point
    density <- log_prob(fit, q, adjust_transform = TRUE, gradient = TRUE)
    gradient <- attr(density, "gradient")
    stopifnot(identical(gradient, as.vector(grad_log_prob(fit, q, adjust_transform = TRUE))))
    list(unconstrained = q, draws = program_draws(name, constrain_pars(fit, q)), log_density = as.numeric(density), gradient = gradient)
  })
  out <- file.path(root, "test", "record", "stan", paste0(name, ".json"))
  dir.create(dirname(out), recursive = TRUE, showWarnings = FALSE)
  result <- list(name = unbox(name), coordinates = lapply(as.list(coordinates), unbox), points = lapply(evaluated, function(e) {
    e$log_density <- unbox(e$log_density)
    e
  }))
  text <- toJSON(result, digits = NA)
  writeLines(gsub('{"unconstrained"', '\n {"unconstrained"', text, fixed = TRUE), out)
  cat(name, "\n")
}

for (name in Filter(is_posterior, posterior_names(args))) record(name)
