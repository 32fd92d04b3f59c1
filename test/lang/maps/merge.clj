;; Later maps win.
;; Same in Clojure.
(merge {:a 1} {:b 2}) ;; expect: {:a 1, :b 2}
(merge {:a 1} {:a 2}) ;; expect: {:a 2}
(merge {:a 1} nil) ;; expect: {:a 1}
(merge) ;; expect: nil
(merge-with + {:a 1 :b 1} {:a 2}) ;; expect: {:a 3, :b 1}
(merge-with into {:a [1]} {:a [2]}) ;; expect: {:a [1 2]}
