;; hypergeometric: C(successes, k) C(failures, draws - k) / C(all, draws).
(format "%.8f" (exp (observe* (hypergeometric 5 7 9) 3))) ;; expect: "0.28846154"
(format "%.8f" (exp (observe* (hypergeometric 12 7 9) 3))) ;; expect: "0.01923077"
(observe* (hypergeometric 12 7 9) 2) ;; expect: ##-Inf
(format "%.6f" (observe* (hypergeometric 100 3000 7000) 30)) ;; expect: "-2.439310"
(hypergeometric 17 7 9) ;; expect-error: D001
