;; No such way to normalize.
(histogram [1] :normalize :area) ;; expect-error: R001
