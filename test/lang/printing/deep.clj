;; Any depth of nesting is printed whole, and reads back as far as the reader goes; deeper text it refuses.
(defn nest [n] (loop [i 0 v []] (if (< i n) (recur (inc i) [v]) v)))
(defn nest-map [n] (loop [i 0 v {}] (if (< i n) (recur (inc i) {:a v}) v)))
(defn nest-all [n] (loop [i 0 v nil] (if (< i n) (recur (inc i) #{(list {v v})}) v)))
(= (pr-str (nest 600)) (str (apply str (repeat 601 "[")) (apply str (repeat 601 "]")))) ;; expect: true
(count (pr-str (nest 200000))) ;; expect: 400002
(count (str (nest-map 200000))) ;; expect: 1000002
(count (with-out-str (print (nest 200000)))) ;; expect: 400002
(= (nest 1900) (read-string (pr-str (nest 1900)))) ;; expect: true
(pr-str (nest-all 2)) ;; expect: "#{({#{({nil nil})} #{({nil nil})}})}"
(read-string (pr-str (nest 2001))) ;; expect-error: S011
