;; An empty vector has nothing to pop.
(pop []) ;; expect-error: R009
