;; trampoline.
;; Same in Clojure.
(trampoline (fn f [n] (if (pos? n) #(f (dec n)) :done)) 1000) ;; expect: :done
