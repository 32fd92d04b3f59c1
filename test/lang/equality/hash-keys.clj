;; Equal values are one key.
;; Same in Clojure.
(get {1 :int} 1) ;; expect: :int
(get {[1 2] :v} '(1 2)) ;; expect: :v
(get {"k" 1} "k") ;; expect: 1
(count (conj #{} [1] '(1))) ;; expect: 1
(get {nil :none} nil) ;; expect: :none
(get {1.0 :d} 1) ;; expect: nil
(contains? #{0.5} 1/2) ;; expect: false
