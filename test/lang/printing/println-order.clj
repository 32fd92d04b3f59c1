;; Output comes in the order of evaluation.
;; Same in Clojure.
(do (println "first") [(do (println "second") 1) (do (println "third") 2)])
;; expect-out: first
;; expect-out: second
;; expect-out: third
