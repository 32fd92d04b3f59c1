;; At top level with sample*.
(defquery inner [x] (inc x))
(sample* ((conditional inner :importance) 1)) ;; expect: 2
