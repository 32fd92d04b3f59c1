;; observe* may be left out; then observing fails.
(defdist draw-only [x] (sample* [this] x))
(sample* (draw-only 1)) ;; expect: 1
(observe* (draw-only 1) 1) ;; expect-error: R011
