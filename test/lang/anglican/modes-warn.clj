;; The warning is about the engine, not a place.
(defquery q [] (sample (flip 0.3)))
(:result (nth (doquery :siman q []) 500)) ;; expect: false
(:result (nth (doquery :bamc q []) 500)) ;; expect: false
