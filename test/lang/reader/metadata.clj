;; Metadata on a literal does not change its value.
;; Same in Clojure.
^{:doc "x"} [1 2] ;; expect: [1 2]
^:private {:a 1} ;; expect: {:a 1}
(defn f ^long [^long x] (inc x))
(f 2) ;; expect: 3
