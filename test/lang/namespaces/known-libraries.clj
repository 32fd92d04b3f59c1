;; Libraries go by their names and by the usual aliases.
(clojure.core/when true 1) ;; expect: 1
(clojure.core/inc 1) ;; expect: 2
(clojure.set/difference #{1 2} #{1}) ;; expect: #{2}
(clojure.walk/postwalk identity [1]) ;; expect: [1]
(m/mmul [[1 2]] [3 4]) ;; expect: [11]
(str/upper-case "a") ;; expect: "A"
(anglican.stat/empirical-mean [[1 0.0] [3 0.0]]) ;; expect: 2.0
(anglican.runtime/sqrt 4) ;; expect: 2.0
(Math/sqrt 4) ;; expect: 2.0
(java.lang.Math/abs -3) ;; expect: 3
(Math/max 1 2) ;; expect: 2
(clojure.math/floor 1.5) ;; expect: 1.0
(user/no-such-name) ;; expect-error: F001
