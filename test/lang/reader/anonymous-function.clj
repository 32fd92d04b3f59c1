;; #() with one, several and rest arguments.
;; Same in Clojure.
(#(* % %) 7) ;; expect: 49
(#(- %1 %2) 10 3) ;; expect: 7
(#(vector %2 %1) 1 2) ;; expect: [2 1]
(#(apply + %&) 1 2 3) ;; expect: 6
(#(do [%1 %&]) 1 2 3) ;; expect: [1 (2 3)]
(map #(+ 1 %) [1 2 3]) ;; expect: (2 3 4)
(#(identity 5)) ;; expect: 5
