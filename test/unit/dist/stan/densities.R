# SPDX-License-Identifier: Apache-2.0
# Writes densities.inc: what rstan gives for the distributions that it shares with Chancel, at random parameters.
# Run: cd test/unit/dist/stan && Rscript densities.R
suppressMessages(library(rstan))
m <- stan_model("densities.stan", boost_lib="/usr/include")
cat("// SPDX-License-Identifier: Apache-2.0\n// Made by densities.R: distribution, parameters, value, log density, derivatives in the parameters and in the value.\n// clang-format off\n", file="densities.inc")
set.seed(20)
laws <- list(
 list(1,"normal","rp"), list(2,"cauchy","rp"), list(3,"student-t-loc-scale","prp"), list(4,"laplace","rp"),
 list(5,"logistic","rp"), list(6,"gumbel","rp"), list(7,"log-normal","rp"), list(8,"exponential","p"),
 list(9,"gamma","pp"), list(10,"inverse-gamma","pp"), list(11,"weibull","pp"), list(12,"beta","pp"),
 list(13,"pareto","pp"), list(14,"von-mises","rp"), list(15,"chi-squared","p"), list(16,"uniform-continuous","rr"),
 list(17,"poisson","p"), list(18,"poisson-log","r"), list(19,"neg-binomial","pp"), list(20,"binomial","u"),
 list(21,"binomial-logit","r"), list(22,"bernoulli-logit","r"), list(23,"bernoulli","u"), list(24,"beta-binomial","pp"))
for (l in laws) {
  f <- NULL
  for (t in 1:4) {
    ps <- sapply(strsplit(l[[3]],"")[[1]], function(k) switch(k, r=rnorm(1,0,1.5), p=exp(rnorm(1,0,0.7)), u=runif(1,0.05,0.95)))
    x <- rnorm(1)
    name <- l[[2]]
    if (name %in% c("log-normal","exponential","gamma","inverse-gamma","weibull","chi-squared")) x <- exp(x)
    if (name == "beta") x <- runif(1,0.05,0.95)
    if (name == "pareto") x <- ps[1] + exp(x)
    if (name == "uniform-continuous") { ps <- c(min(ps)-1, max(ps)+1); x <- runif(1, ps[1], ps[2]) }
    k <- sample(0:7,1); n <- 7
    q <- c(x, ps, rep(1, 4))[1:4]
    if (is.null(f) || l[[1]] >= 17) f <- suppressWarnings(suppressMessages(sampling(m, data=list(which=l[[1]],k=k,n=n), chains=0)))
    g <- grad_log_prob(f, q, adjust_transform=FALSE)
    np <- length(ps)
    discrete <- l[[1]] >= 17
    xv <- if (!discrete) sprintf("%.17g", x) else if (name=="bernoulli-logit") "1" else if (name=="bernoulli") "0" else as.character(k)
    args <- paste(sprintf("%.17g", ps), collapse=", "); gs <- g[2:(1+np)]
    if (name %in% c("binomial","binomial-logit","beta-binomial")) { args <- paste0("7, ", args); gs <- c(0, gs) }
    gx <- if (discrete) 0 else g[1]
    cat(sprintf("{\"%s\", {%s}, %s, %.17g, {%s}},\n", name, args, xv, attr(g,"log_prob"), paste(sprintf("%.17g", c(gs, gx)), collapse=", ")), file="densities.inc", append=TRUE)
  }
}
