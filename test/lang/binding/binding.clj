;; Dynamic variables.
;; Same in Clojure.
(def ^:dynamic *level* 1)
(defn level [] *level*)
(level) ;; expect: 1
(binding [*level* 2] (level)) ;; expect: 2
(level) ;; expect: 1
