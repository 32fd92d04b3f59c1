;; store returns its value; retrieve reads it.
(defquery q [] [(store :a 1) (retrieve :a) (retrieve :b) (store :a 2) (retrieve :a)])
(:result (first (doquery :importance q []))) ;; expect: [1 1 nil 2 2]
