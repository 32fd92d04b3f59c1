;; defquery needs a name.
(defquery [x] x) ;; expect-error: F008
