;; A control character in the text.
(list 1  2) ;; expect-error: S010
