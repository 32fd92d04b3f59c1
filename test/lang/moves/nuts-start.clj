;; A chain of nuts starts within 2 of zero, at the mode, or at a draw of the normal approximation there. Moves of two
;; leapfrog steps do not get far.
(defquery far []
  (let [x (sample (normal 1000 100))]
    (observe (normal x 1) 1000)
    x))
(defn first-of [start] (:result (first (doquery :nuts far [] :start start :max-depth 1 :warmup 0))))
(> (abs (- (first-of :random) 1000)) 100) ;; expect: true
(< (abs (- (first-of :mode) 1000)) 10) ;; expect: true
(< (abs (- (first-of :laplace) 1000)) 10) ;; expect: true

;; Where the density has no mode, it starts at a random point.
(defquery no-mode []
  (let [s (sample (half-normal 1)) x (sample (normal 0 s))]
    (observe (normal 0 1) 0.5)
    x))
(number? (:result (first (doquery :nuts no-mode [] :start :mode)))) ;; expect: true
