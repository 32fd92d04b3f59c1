;; Anything can be a key.
;; Same in Clojure.
(get {[1 2] :v} [1 2]) ;; expect: :v
(get {{:a 1} :m} {:a 1}) ;; expect: :m
(get {nil 1} nil) ;; expect: 1
(get {"s" 1} "s") ;; expect: 1
(get {1/2 :half} 1/2) ;; expect: :half
(get {\a 1} \a) ;; expect: 1
(get {#{1} :set} #{1}) ;; expect: :set
