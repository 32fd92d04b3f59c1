;; Improper distributions have a density, but nothing can be drawn from them.
(observe* (flat) -3.5) ;; expect: 0.0
(observe* (half-flat) 3.5) ;; expect: 0.0
(observe* (half-flat) -3.5) ;; expect: ##-Inf
(sample* (flat)) ;; expect-error: D003
