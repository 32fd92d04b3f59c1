;; Work at expansion time.
;; Same in Clojure.
(defmacro constant-sum [& xs] (reduce + xs))
(constant-sum 1 2 3) ;; expect: 6
(defmacro rev [form] (reverse form))
(rev (1 2 -)) ;; expect: 1
