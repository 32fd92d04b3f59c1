;; A continuous draw decides which others there are: single-site steps take the chain from one structure to the other.
(defquery q []
  (let [x (sample (normal 0 1))]
    (observe (normal (if (< x 0) 0 (sample (normal 0 1))) 1) 0)
    (< x 0)))
(def negative (count (filter :result (take 4000 (doquery :nuts q [])))))
;; P = 1 / (1 + 1 / sqrt 2) = 0.586
(< 2150 negative 2540) ;; expect: true
