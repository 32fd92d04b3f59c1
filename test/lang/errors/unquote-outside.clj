;; An unquote mark outside a syntax quote.
(list ~x) ;; expect-error: S012
