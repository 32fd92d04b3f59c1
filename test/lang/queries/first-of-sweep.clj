;; The first draw of a sweep is a fair one: particles lie in the order of their ancestors, draws come in random order.
;; P(x) is 0.794; the particle in the first slot has it in 0.62 of sweeps.
(defquery q
  (let [x (sample (flip 0.3))]
    (observe (flip (if x 0.9 0.1)) true)
    x))
(defn share-of-firsts [algorithm]
  (mean (map (fn [_] (if (:result (first (doquery algorithm q nil :number-of-particles 20))) 1.0 0.0)) (range 1000))))
(< 0.75 (share-of-firsts :smc) 0.83) ;; expect: true
(< 0.75 (share-of-firsts :pcascade) 0.83) ;; expect: true
