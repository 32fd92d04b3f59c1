;; The density of the scale rises without end towards zero.
(defquery q [] (let [s (sample (gamma 0.1 1))] (predict :s s)))
(first (doquery :map q [])) ;; expect-error: I006
