;; SPDX-License-Identifier: Apache-2.0
;; Distributions that a map may have, or that are made when it has not: held by a name as well (one object, whatever asks), not held,
;; under keys other than integers, in maps of more than eight entries, and in maps with metadata.
(defquery laws-in-maps [observations]
  (loop [ys observations
         held {}
         made (with-meta {} {:of "distributions"})
         words {}
         same []]
    (if (empty? ys)
      (do
        (predict :same same)
        (predict :sizes [(count held) (count made) (count words)]))
      (let [k (sample (uniform-discrete 0 14))
            s (sqrt (/ (sample (gamma 2 1))))
            m (sample (normal 0 s))
            law (normal m s)
            kept (get held k law)
            other (get made k (normal (- m) (+ s 1)))
            word (get words (if (< k 7) :low "high") (normal m (* 2 s)))
            law-of-law (get {1 (normal 0 s)} k (get held (- k 14) (normal m (+ 2 s))))]
        (observe kept (first ys))
        (observe other (first ys))
        (observe word (first ys))
        (observe law-of-law (first ys))
        (recur (rest ys)
               (assoc held k kept)
               (assoc made k other)
               (assoc words (if (< k 7) :low "high") word)
               (conj same (identical? kept law) (identical? other law) (= kept law)))))))

(def laws-in-maps-value [[0.5 1 -1 2.5 0 1 3 -2 0.1 0.2 1 -1 0.4]])
