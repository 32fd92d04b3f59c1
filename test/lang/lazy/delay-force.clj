;; A delay runs its body once.
;; Same in Clojure.
(def n (atom 0))
(def d (delay (swap! n inc) :done))
@n ;; expect: 0
@d ;; expect: :done
(force d) ;; expect: :done
@n ;; expect: 1
(force 5) ;; expect: 5
