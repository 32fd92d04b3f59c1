;; filter, remove, keep and some with functions that sample.
(defquery q [] (let [ok (fn [x] (sample (dirac (odd? x))))] [(filter ok [1 2 3]) (remove ok [1 2 3]) (keep (fn [x] (if (ok x) (* x x))) [1 2 3]) (some ok [2 3]) (every? ok [1 3]) (not-any? ok [2])]))
(:result (first (doquery :importance q []))) ;; expect: [(1 3) (2) (1 9) true true true]
