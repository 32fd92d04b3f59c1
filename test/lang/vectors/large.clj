;; More than 32 and more than 1024 elements.
;; Same in Clojure.
(def v (vec (range 2000)))
(count v) ;; expect: 2000
(nth v 1999) ;; expect: 1999
(nth (assoc v 1000 :x) 1000) ;; expect: :x
(nth (conj v :end) 2000) ;; expect: :end
(count (reduce conj [] (range 3000))) ;; expect: 3000
(reduce + v) ;; expect: 1999000
(nth (pop v) 1998) ;; expect: 1998
(= v (range 2000)) ;; expect: true
