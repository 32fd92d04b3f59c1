;; Elements are made once, when they are asked for.
(def counter (atom 0))
(def xs (map (fn [x] (swap! counter inc) x) (iterate inc 0)))
@counter ;; expect: 0
(first xs) ;; expect: 0
(first xs) ;; expect: 0
(dorun (take 3 xs)) ;; expect: nil
(dorun (take 3 xs)) ;; expect: nil
(<= 3 @counter 40) ;; expect: true
