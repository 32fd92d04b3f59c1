# SPDX-License-Identifier: Apache-2.0
# What the scripts of this folder share: the posteriors, their data, and their models compiled by rstan (Debian: r-cran-rstan,
# r-cran-jsonlite, r-cran-posterior). A compiled model is kept under build/stan with the processor seconds its compilation took.
suppressPackageStartupMessages({library(rstan); library(jsonlite)})

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
root <- normalizePath(file.path(dirname(script), "..", ".."))
Sys.setenv(R_MAKEVARS_USER = file.path(root, "bench", "stan", "Makevars"))

posterior_names <- function(wanted) {
  names <- sub("\\.stan$", "", list.files(file.path(root, "bench", "stan", "models"), "\\.stan$"))
  if (length(wanted) == 0) return(names)
  found <- unlist(lapply(wanted, function(w) grep(w, names, value = TRUE, fixed = TRUE)))
  if (length(found) == 0) stop("no posterior is named like ", paste(wanted, collapse = ", "))
  unique(found)
}

# The models of models/posteriordb have data and reference draws there; those of bench/stan/programs have simulated data.
is_posterior <- function(name) file.exists(file.path(root, "models", "posteriordb", paste0(name, ".clj")))

program_file <- function(name) {
  if (is_posterior(name)) file.path(root, "models", "posteriordb", paste0(name, ".clj"))
  else file.path(root, "bench", "stan", "programs", paste0(name, ".clj"))
}

data_file <- function(name) {
  if (is_posterior(name)) return(file.path(root, "models", "posteriordb", "data", paste0(name, ".json")))
  simulated <- file.path(root, "build", "stan", "data", paste0(name, ".json"))
  if (!file.exists(simulated)) system2(file.path(root, "bench", "stan", "simulate.py"), name)
  simulated
}

model_data <- function(name) fromJSON(data_file(name))

reference <- function(name) fromJSON(file.path(root, "models", "posteriordb", "reference", paste0(name, ".json")))

# What is compared: the parameters that the program predicts.
compared_parameters <- function(name, fit) {
  if (is_posterior(name)) return(names(reference(name)))
  text <- paste(readLines(program_file(name)), collapse = " ")
  predicted <- gsub("^:", "", unique(regmatches(text, gregexpr("(?<=predict ):[a-z_]+", text, perl = TRUE))[[1]]))
  all <- names(fit)
  all[sub("\\[.*$", "", all) %in% predicted]
}

compiled_model <- function(name) {
  source <- file.path(root, "bench", "stan", "models", paste0(name, ".stan"))
  kept <- file.path(root, "build", "stan", paste0(name, ".rds"))
  if (file.exists(kept) && file.mtime(kept) > file.mtime(source)) return(readRDS(kept))
  dir.create(dirname(kept), recursive = TRUE, showWarnings = FALSE)
  # Debian's package of Boost's headers for R refers to the system's.
  boost <- if (nzchar(system.file("include", package = "BH"))) system.file("include", package = "BH") else "/usr/include"
  seconds <- system.time(model <- suppressMessages(stan_model(source, model_name = make.names(name), boost_lib = boost)))
  result <- list(model = model, cpu_seconds = sum(seconds[c("user.self", "sys.self", "user.child", "sys.child")]))
  saveRDS(result, kept)
  result
}
