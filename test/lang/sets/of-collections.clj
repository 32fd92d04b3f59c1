;; Elements are compared by value.
;; Same in Clojure.
(contains? #{[1 2]} '(1 2)) ;; expect: true
(count (set [[1] [1] [2]])) ;; expect: 2
(= #{{:a 1}} (set [{:a 1} {:a 1}])) ;; expect: true
