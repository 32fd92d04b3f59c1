;; A macro may put functions into the code that it makes.
;; Same in Clojure.
(defmacro call-inc [x] (list inc x))
(call-inc 4) ;; expect: 5
(defmacro mapped [f xs] `(map ~inc (map ~f ~xs)))
(mapped dec [1 2 3]) ;; expect: (1 2 3)
(defmacro doubled [x] (let [f (fn [y] (* 2 y))] `(~f ~x)))
(doubled 21) ;; expect: 42
(eval (list + 1 2)) ;; expect: 3
(eval (list map (list 'quote inc) [1 2])) ;; expect: (2 3)
