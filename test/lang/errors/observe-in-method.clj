;; observe where no engine can answer it: while a distribution of the program draws.
(defdist odd [] []
  (sample* [this] (observe (flip 0.5) true) 1) ;; expect-error: R014
  (observe* [this v] 0))
(defquery q [] (sample (odd)))
(first (doquery :importance q []))
