;; Questions about arrays, comparisons, sums and joins of core.matrix.
(require '[clojure.core.matrix :as m])
(map m/matrix? [[[1 2] [3 4]] [1 2] 5 "a" [[1] [2 3]]]) ;; expect: (true false false false false)
(map m/vec? [[[1 2]] [1 2] 5 '(1 2)]) ;; expect: (false true false true)
(map m/scalar? [[1] 5 1.5 :a]) ;; expect: (false true true false)
(m/array? [[1] [2]]) ;; expect: true
(map m/symmetric? [[[1 2] [2 1]] [[1 2] [3 1]] [[1 2 3]]]) ;; expect: (true false false)
(m/same-shape? [1 2] [3 4]) ;; expect: true
(m/equals [1 2] [1.0 2.0]) ;; expect: true
(m/equals [1 2] [1.0 2.1]) ;; expect: false
(m/equals [1 2] [1.0 2.1] 0.2) ;; expect: true
(m/equals [1 2] [[1 2]]) ;; expect: false
(m/eq [1 2 3] [1 5 3]) ;; expect: [1 0 1]
(m/ne [1 2 3] [1 5 3]) ;; expect: [0 1 0]
(m/lt [1 2 3] 2) ;; expect: [1 0 0]
(m/le [1 2 3] 2) ;; expect: [1 1 0]
(m/gt [1 2 3] 2) ;; expect: [0 0 1]
(m/ge [1 2 3] 2) ;; expect: [0 1 1]
(m/le 1 2) ;; expect: 1
(m/esum [[1 2] [3 4.5]]) ;; expect: 10.5
(m/emax [[1 2] [3 4]]) ;; expect: 4
(m/emin [[1 2] [3 4]]) ;; expect: 1
(m/max [1 5] [3 2]) ;; expect: [3 5]
(m/min [1 5] 2) ;; expect: [1 2]
(m/negate [1 -2]) ;; expect: [-1 2]
(m/mutable [1 2]) ;; expect: [1 2]
(m/join [1 2] [3]) ;; expect: [1 2 3]
(m/join [[1 2]] [[3 4] [5 6]]) ;; expect: [[1 2] [3 4] [5 6]]
(m/join-along 1 [[1] [2]] [[3] [4]]) ;; expect: [[1 3] [2 4]]
(m/identity-matrix :vectorz 2) ;; expect: [[1.0 0.0] [0.0 1.0]]
(m/zero-vector :ndarray 2) ;; expect: [0.0 0.0]
(m/length [3 4]) ;; expect: 5.0
(m/normalise [3 4]) ;; expect: [0.6 0.8]
(l2-norm [1 2 3] [1 4 0]) ;; expect: 13
(l2-norm [[4 4] [4 4]] [[0 0] [0 0]]) ;; expect: 64
(mean [1 0 1]) ;; expect: 2/3
(mean [[1 2] [3 4]]) ;; expect: [2 3]
(mean [1.0 0 1]) ;; expect: 0.6666666666666666
(keys (svd [[1 2] [3 4]] {:return [:S]})) ;; expect: (:S)
(require '[clojure.core.matrix.linear :as linear])
(let [e (linear/eigen [[2 0] [0 3]])] [(:rA e) (:A e)]) ;; expect: [[2.0 3.0] [[2.0 0.0] [0.0 3.0]]]
(:iA (linear/eigen [[0 -1] [1 0]] {:return [:iA]})) ;; expect: [1.0 -1.0]
(m/join [1 2] [[3]]) ;; expect-error: R009
