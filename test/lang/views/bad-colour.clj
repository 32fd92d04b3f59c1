;; A colour is text.
(list-plot [1] :color 3) ;; expect-error: R001
