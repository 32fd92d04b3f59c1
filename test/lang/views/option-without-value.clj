;; An option without its value.
(list-plot [1] :joined) ;; expect-error: R009
