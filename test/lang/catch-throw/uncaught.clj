;; A throw without a catch.
(defquery q [] (catch :a (throw :b 1)))
(first (doquery :importance q [])) ;; expect-error: R008
