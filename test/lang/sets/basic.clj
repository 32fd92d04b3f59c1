;; Sets.
;; Same in Clojure.
#{1} ;; expect: #{1}
(set [1 1]) ;; expect: #{1}
(hash-set 1) ;; expect: #{1}
(conj #{1} 1) ;; expect: #{1}
(disj #{1 2} 2) ;; expect: #{1}
(contains? #{1 2} 1) ;; expect: true
(#{1 2} 2) ;; expect: 2
(#{1 2} 3) ;; expect: nil
(get #{1} 1) ;; expect: 1
(get #{1} 2 :none) ;; expect: :none
(:a #{:a}) ;; expect: :a
(count #{1 2 3}) ;; expect: 3
(sort (conj #{1 2} 3)) ;; expect: (1 2 3)
(set nil) ;; expect: #{}
