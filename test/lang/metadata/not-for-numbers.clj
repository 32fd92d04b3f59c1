;; Numbers carry no metadata.
(with-meta 3 {:a 1}) ;; expect-error: R001
