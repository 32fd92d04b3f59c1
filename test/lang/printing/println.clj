;; println writes a line, prn readably, print without a newline.
;; Same in Clojure.
(println "a" 1 [2 "b"])
;; expect-out: a 1 [2 b]
(prn "a" 1 [2 "b"])
;; expect-out: "a" 1 [2 "b"]
(println)
;; expect-out:
(do (print "a") (print " b") (println))
;; expect-out: a b
