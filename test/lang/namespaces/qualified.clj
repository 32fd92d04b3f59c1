;; Library functions by their full names.
;; Same in Clojure.
(clojure.core/inc 1) ;; expect: 2
(clojure.string/join "-" [1 2]) ;; expect: "1-2"
(require '[clojure.set])
(clojure.set/union #{1} #{1}) ;; expect: #{1}
