;; A failing execution is reported under every engine.
(defquery q []
  (let [x (sample (dirac 0))]
    (/ 1 x))) ;; expect-error: R006
(first (doquery :smc q [] :number-of-particles 5))
