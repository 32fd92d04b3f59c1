;; Printed as a call.
(defdist always [x] (sample* [this] x) (observe* [this v] 0.0))
(always 5) ;; expect: (always 5)
