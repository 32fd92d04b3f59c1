;; No method for the value.
(defmulti f identity)
(defmethod f 1 [x] :one)
(f 1) ;; expect: :one
(f 2) ;; expect-error: R007
