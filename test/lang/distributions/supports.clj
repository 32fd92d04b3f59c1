;; Draws lie in the support.
(every? #(<= 0 % 1) (repeatedly 100 #(sample* (beta 2 2)))) ;; expect: true
(every? #(<= 2 % 4) (repeatedly 100 #(sample* (uniform-discrete 2 5)))) ;; expect: true
(every? pos? (repeatedly 100 #(sample* (gamma 1 1)))) ;; expect: true
(every? #{:a :b} (repeatedly 100 #(sample* (categorical {:a 1 :b 2})))) ;; expect: true
(every? #(<= 0 % 10) (repeatedly 100 #(sample* (binomial 10 0.5)))) ;; expect: true
(every? #(<= -1 % 1) (repeatedly 100 #(sample* (truncated-normal 0 5 -1 1)))) ;; expect: true
