;; The program's own map is not the one that dorun and reduce are put together with.
(defn map [f xs] [1 f])
(dorun (map inc [[1 2]])) ;; expect: nil
(count (reduce conj [] (map inc [1]))) ;; expect: 2
