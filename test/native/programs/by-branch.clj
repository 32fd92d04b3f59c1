;; SPDX-License-Identifier: Apache-2.0
;; Constants that branches choose and that live over observes: at one resume point particles stand with several of them,
;; and nothing else is an object. Numbers, truth values, keywords and distributions.
(defquery by-branch [observations]
  (loop [t 0 k 1 mode :slow law (normal 0 1) sum 0]
    (if (< t 6)
      (let [d (sample (uniform-discrete 0 4))
            k (if (= d 0) 10 (if (= d 1) 20 (if (= d 2) 30 k)))
            mode (if (sample (flip (if (= mode :slow) 0.3 0.6))) :slow :fast)
            odd (= (rem (+ k d) 2) 1)
            law (if odd (normal 0 1) (normal 1 2))]
        (observe (normal (if (= mode :slow) (* 0.1 k) 0.5) (if odd 1 2)) (nth observations t))
        (recur (inc t) k mode law (+ sum k (sample law))))
      (do
        (predict :k k)
        (predict :mode mode)
        (predict :law law)
        (predict :sum sum)))))

(def by-branch-value [[0.5 1.5 -0.25 2 1 3]])
