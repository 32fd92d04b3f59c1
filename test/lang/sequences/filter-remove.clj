;; Choosing elements.
;; Same in Clojure.
(filter even? (range 6)) ;; expect: (0 2 4)
(remove even? (range 6)) ;; expect: (1 3 5)
(filter identity [1 nil 2 false]) ;; expect: (1 2)
(keep #(if (odd? %) (* % %)) [1 2 3]) ;; expect: (1 9)
(keep-indexed (fn [i x] (if (odd? i) x)) [:a :b :c :d]) ;; expect: (:b :d)
(map-indexed (fn [i x] [i x]) [:a :b]) ;; expect: ([0 :a] [1 :b])
(filter :ok [{:ok true :n 1} {:ok false}]) ;; expect: ({:ok true, :n 1})
