;; SPDX-License-Identifier: Apache-2.0
;; Objects that all particles have in common and that each may hold besides, alone or inside another one: they stay the
;; same objects. The table of distributions is common, too, and is read by every particle.
(defquery same-objects [observations tables]
  (let [table (mapv discrete tables)]
    (loop [ys observations t 0 s (sample (discrete [1 1 1])) kept nil inside nil same 0]
      (if (empty? ys)
        (do
          (predict :same same)
          (predict :s s))
        (let [next (rest ys)
              pair [next t]
              f (fn [a] (+ a (count next)))
              z (sample (get table s))
              b (sample (flip 0.5))
              kept (if (even? t) (if b next kept) next)
              inside (if b pair inside)]
          (observe (normal (+ z (* 0.01 (f t))) 1) (first ys))
          (recur next (inc t) z kept inside
                 (+ same
                    (if (identical? kept next) 1 0)
                    (if (identical? (first inside) next) 10 0)
                    (if (identical? (first inside) kept) 100 0)
                    (if (= f (if b f z)) 1000 0))))))))

(def same-objects-value [(mapv (fn [i] (sin i)) (range 40)) [[1 5 4] [2 2 6] [3 3 14]]])
