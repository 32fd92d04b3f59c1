;; Making functions from functions.
;; Same in Clojure.
((comp inc inc) 1) ;; expect: 3
((comp) 5) ;; expect: 5
((comp str inc) 1) ;; expect: "2"
((comp first rest) [1 2]) ;; expect: 2
((partial + 10) 1) ;; expect: 11
((partial + 1 2) 3 4) ;; expect: 10
((partial map inc) [1 2]) ;; expect: (2 3)
((complement odd?) 2) ;; expect: true
((constantly 7) 1 2 3) ;; expect: 7
(identity 5) ;; expect: 5
((juxt inc dec) 1) ;; expect: [2 0]
((juxt :a :b) {:a 1 :b 2}) ;; expect: [1 2]
((fnil + 0) nil 5) ;; expect: 5
((every-pred odd? pos?) 3) ;; expect: true
((some-fn odd? zero?) 4) ;; expect: false
