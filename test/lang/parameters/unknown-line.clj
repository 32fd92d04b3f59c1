;; A line without a draw.
(defquery q []
  (let [a (sample (normal 0 1))
        x (sample (normal a 1))]
    (observe (normal x 1) 2)
    a))
(first (doquery :pmmh q [] :number-of-particles 5 :parameters [5])) ;; expect-error: I002
