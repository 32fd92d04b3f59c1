;; lmh asks for the scores of a value's neighbours; an observe* that never ends for those is given up, and its draws are kept.
(defdist counted [rate]
  (sample* [this] (sample* (poisson rate)))
  (observe* [this k] (loop [i k total (- rate)] (if (= i 0) total (recur (dec i) (+ total (log rate) (- (log (abs i)))))))))
(defquery q [] (let [r (sample (uniform-continuous 1 2)) k (sample (counted r))] (observe (poisson (+ 1 k)) 3) k))
(count (take 100 (doquery :lmh q []))) ;; expect: 100
