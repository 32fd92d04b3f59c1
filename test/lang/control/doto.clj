;; doto gives back its first argument.
;; Same in Clojure.
@(doto (atom 1) (swap! inc) (swap! + 10)) ;; expect: 12
