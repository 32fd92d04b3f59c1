;; Discrete draws alone get single-site steps, or a message when those are not wanted.
(defquery q [] (let [n (sample (poisson 3))] (observe (normal n 0.1) 2) n))
(:result (last (take 50 (doquery :nuts q [])))) ;; expect: 2
(first (doquery :nuts q [] :others :none)) ;; expect-error: I006
