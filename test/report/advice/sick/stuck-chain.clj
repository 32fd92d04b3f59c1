; Two narrow modes of different weight: where a chain starts decides where it stays.
; run: -a nuts -n 300 --chains 4 --seed 3
; expect: chains 2, 3 of 4 stay where the log density is
; expect: :x is
; expect: compare more chains (--chains 8)
; never: ordered
; never: regression
; never: pgibbs
(defquery stuck-chain
  (let [x (sample (normal 0 10))
        bump (fn [centre height] (- height (* 50 (- x centre) (- x centre))))]
    (factor (log-sum-exp [(bump 5 0) (bump -5 -10)]))
    (predict :x x)))
