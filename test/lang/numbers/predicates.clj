;; What kind of number.
;; Same in Clojure.
(zero? 0) ;; expect: true
(zero? 0.0) ;; expect: true
(pos? 1/2) ;; expect: true
(neg? -0.1) ;; expect: true
(even? 4) ;; expect: true
(odd? -3) ;; expect: true
(integer? 1) ;; expect: true
(integer? 1.0) ;; expect: false
(number? 1/2) ;; expect: true
(float? 1.0) ;; expect: true
(int? 3) ;; expect: true
(pos-int? 3) ;; expect: true
(nat-int? 0) ;; expect: true
(neg-int? -1) ;; expect: true
