;; A throw without a catch.
(defquery q [] (catch :a (throw :b 1))) ;; expect-error: R008
(first (doquery :importance q []))
