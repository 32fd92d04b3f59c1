;; Functions of Anglican that worksheets call.
(print-predict :a 1.5 -0.5 :anglican)
(print-predict :a "x" 0.0 :clojure)
(print-predict :a 1.5 0.0 :json)
;; expect-out: :a,1.5,-0.5
;; expect-out: [:a "x" 0.0]
;; expect-out: [":a",1.5,0.0]
(normalize [1 1 2]) ;; expect: [1/4 1/4 1/2]
(normalize {:a 1.0 :b 3.0}) ;; expect: {:a 0.25, :b 0.75}
(transform-sample (mvn [1 2] [[4 0] [0 9]]) [1 1]) ;; expect: [3.0 5.0]
(defquery q [x] (sample (uniform-discrete x (inc x))))
(warmup q [3]) ;; expect: [#<query q> [3]]
(:result (first (infer :importance q [3]))) ;; expect: 3
(sample* (flip 1.5)) ;; expect: true
(observe* (flip 1.5) true) ;; expect: 0.0
(observe* (flip 1.5) false) ;; expect: ##-Inf
(sample* (categorical (list 0 1 0))) ;; expect: 1
(observe* (categorical [1 3]) 1) ;; expect: -0.2876820724517808
(observe* (natural) 2) ;; expect: -2.0794415416798357
(javax.imageio.ImageIO/read (java.io.File. "a.png")) ;; expect: {:path "a.png"}
