;; Small literal maps keep the order in which they are written.
;; Same in Clojure.
{:z 1 :a 2 :m 3} ;; expect: {:z 1, :a 2, :m 3}
(assoc {:z 1} :a 2) ;; expect: {:z 1, :a 2}
(keys {:c 1 :b 2 :a 3}) ;; expect: (:c :b :a)
