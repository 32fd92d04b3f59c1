;; Rows of a picture have one length.
(image-view [[1 2] [3]]) ;; expect-error: R009
