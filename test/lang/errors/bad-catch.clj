;; throw needs a tag and a value, or an exception.
(defquery q [] (throw)) ;; expect-error: F002
