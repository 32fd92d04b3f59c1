;; Vectors taken apart.
;; Same in Clojure.
(let [[a b] [1 2]] [b a]) ;; expect: [2 1]
(let [[a b c] [1 2]] c) ;; expect: nil
(let [[a & more] [1 2 3]] more) ;; expect: (2 3)
(let [[a & more] [1]] more) ;; expect: nil
(let [[a :as all] [1 2]] [a all]) ;; expect: [1 [1 2]]
(let [[[a b] c] [[1 2] 3]] [a b c]) ;; expect: [1 2 3]
(let [[_ b] [1 2]] b) ;; expect: 2
(let [[a b] '(1 2)] [a b]) ;; expect: [1 2]
(let [[a b] "xy"] [a b]) ;; expect: [\x \y]
(let [[a] nil] a) ;; expect: nil
(let [[a & [b & c]] [1 2 3 4]] [a b c]) ;; expect: [1 2 (3 4)]
(let [[a b & c :as d] [1 2 3]] [a b c d]) ;; expect: [1 2 (3) [1 2 3]]
