;; doall realises and returns, dorun returns nil.
;; Same in Clojure.
(doall (map inc [1 2])) ;; expect: (2 3)
(dorun (map inc [1 2])) ;; expect: nil
(realized? (delay 1)) ;; expect: false
