;; SPDX-License-Identifier: Apache-2.0
;; As many continuous draws as a coin decides.
(defquery steps
  (let [lengths (loop [xs []]
                  (if (sample (flip 0.4))
                    xs
                    (recur (conj xs (sample (gamma 2 1))))))]
    (observe (normal (reduce + 0 lengths) 0.5) 5)
    (predict :steps (count lengths))))
