;; Same in Clojure.
[(simple-symbol? 'a) (simple-symbol? 'a/b) (qualified-symbol? 'a/b) (simple-keyword? :a) (simple-keyword? :a/b)] ;; expect: [true false true true false]
[(simple-ident? :a) (qualified-ident? 'x/y) (qualified-ident? "x")] ;; expect: [true true false]
[(bit-and-not 7 2 1) (bit-clear 7 1) (bit-flip 4 0)] ;; expect: [4 5 5]
[(bounded-count 3 (iterate inc 0)) (bounded-count 3 [1 2 3 4 5])] ;; expect: [3 5]
(replicate 2 :x) ;; expect: (:x :x)
(let [a (atom 1)] [(reset-vals! a 5) @a]) ;; expect: [[1 5] 5]
(pcalls (fn [] 1) (fn [] 2)) ;; expect: (1 2)
(seq (iteration (fn [k] (when (< (or k 0) 3) {:v k :k (inc (or k 0))})) :vf :v :kf :k)) ;; expect: (nil 1 2)
[(unchecked-add 9223372036854775807 1) (unchecked-multiply 4611686018427387904 3) (unchecked-negate -9223372036854775808)] ;; expect: [-9223372036854775808 -4611686018427387904 -9223372036854775808]
[(unchecked-int 4294967295) (unchecked-byte 200) (unchecked-short 40000) (unchecked-long 2.7)] ;; expect: [-1 -56 -25536 2]
[(unchecked-add-int 2147483647 1) (unchecked-divide-int 7 -2) (unchecked-remainder-int -7 2)] ;; expect: [-2147483648 -3 -1]
[(unchecked-subtract 1.5 2) (unchecked-dec 3)] ;; expect: [-0.5 2]
(let [r (ref 1)] (dosync (alter r + 2) (commute r * 2)) (dosync (ref-set r (inc @r))) @r) ;; expect: 7
(let [f (future (+ 1 2))] [@f (future-done? f) (future-cancelled? f) (realized? f)]) ;; expect: [3 true false true]
(let [p (promise)] [(realized? p) (do (deliver p :a) (deliver p :b) @p) (realized? p)]) ;; expect: [false :a true]
