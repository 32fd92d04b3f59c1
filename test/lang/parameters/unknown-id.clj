;; A name that no draw has.
(defquery q []
  (let [a (sample :a (normal 0 1))
        x (sample (normal a 1))]
    (observe (normal x 1) 2)
    a))
(first (doquery :pgibbs q [] :number-of-particles 5 :parameters [:b])) ;; expect-error: I002
