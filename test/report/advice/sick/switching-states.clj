; SPDX-License-Identifier: Apache-2.0
; A chain of states that stays or switches: changing one draw changes all later states, so chains seldom come back.
; run: -a nuts -n 1000 --chains 4 --seed 9
; expect: do not trust this: a chain stayed for
; expect: with other draws, or other discrete ones equal, and the chains came back to that
(defquery q
  (let [m (sample (normal 1 0.7))
        states (loop [ys [-1.2 -0.8 -1.1 1.3 0.9 1.2 1.0 -0.9 -1.3 -1.0] s (if (sample (flip 0.5)) 1 0) out []]
          (if (seq ys)
            (do (observe (normal (if (= s 1) m (- m)) 0.8) (first ys))
                (recur (rest ys) (if (sample (flip 0.2)) (- 1 s) s) (conj out s)))
            out))]
    (predict :m m) (predict :s3 (nth states 3)) (predict :n (reduce + states))))
