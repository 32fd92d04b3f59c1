;; clojure.set.
;; Same in Clojure.
(require '[clojure.set :as cs])
(sort (cs/union #{1 2} #{2 3})) ;; expect: (1 2 3)
(cs/intersection #{1 2} #{2 3}) ;; expect: #{2}
(cs/difference #{1 2} #{2 3}) ;; expect: #{1}
(cs/subset? #{1} #{1 2}) ;; expect: true
(cs/superset? #{1 2} #{1}) ;; expect: true
