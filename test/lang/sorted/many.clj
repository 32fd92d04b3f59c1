;; Many insertions keep the order.
;; Same in Clojure.
(def m (into (sorted-map) (map (fn [i] [(mod (* i 37) 101) i]) (range 101))))
(count m) ;; expect: 101
(take 3 (keys m)) ;; expect: (0 1 2)
(last (keys m)) ;; expect: 100
(= (keys m) (range 101)) ;; expect: true
