;; with-out-str catches output.
;; Same in Clojure.
(with-out-str (print "a" 1)) ;; expect: "a 1"
(with-out-str (println "x")) ;; expect: "x\n"
(count (with-out-str (dotimes [i 3] (print i)))) ;; expect: 3
