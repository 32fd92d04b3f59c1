;; Slices.
;; Same in Clojure.
(subvec [1 2 3 4] 1) ;; expect: [2 3 4]
(subvec [1 2 3 4] 1 3) ;; expect: [2 3]
(count (subvec [1 2 3] 3)) ;; expect: 0
