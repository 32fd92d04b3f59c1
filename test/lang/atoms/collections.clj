;; An atom that holds a collection.
;; Same in Clojure.
(def state (atom {:n 0 :log []}))
(swap! state update :n inc) ;; expect: {:n 1, :log []}
(swap! state update :log conj :x) ;; expect: {:n 1, :log [:x]}
(:n @state) ;; expect: 1
(get-in (swap! state assoc-in [:a :b] 1) [:a :b]) ;; expect: 1
