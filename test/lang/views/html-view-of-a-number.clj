;; HTML is text.
(html-view 3) ;; expect-error: R001
