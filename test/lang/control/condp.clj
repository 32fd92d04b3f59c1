;; condp.
;; Same in Clojure.
(condp = 2 1 :one 2 :two) ;; expect: :two
(condp = 9 1 :one :other) ;; expect: :other
(condp some [1 2 3] #{9} :nine #{2 3} :>> inc) ;; expect: 3
(condp < 5 10 :big 3 :small :none) ;; expect: :small
