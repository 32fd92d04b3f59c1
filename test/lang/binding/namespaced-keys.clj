;; Keys with a namespace.
;; Same in Clojure.
(let [{:keys [p/a]} {:p/a 1}] a) ;; expect: 1
(let [{:p/keys [a]} {:p/a 2}] a) ;; expect: 2
