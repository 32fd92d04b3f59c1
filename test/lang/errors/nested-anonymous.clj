;; #() inside #().
(map #(map #(inc %) %) [[1]]) ;; expect-error: S012
