;; cond and its relatives.
;; Same in Clojure.
(cond false 1 true 2) ;; expect: 2
(cond false 1) ;; expect: nil
(cond) ;; expect: nil
(cond (> 1 2) :a :else :b) ;; expect: :b
(cond nil 1 5 2) ;; expect: 2
