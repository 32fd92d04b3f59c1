;; ^ before a literal collection or function gives it metadata.
(meta ^{:a 1} [1 2]) ;; expect: {:a 1}
(meta ^:flag {:x 1}) ;; expect: {:flag true}
(meta ^{:a (+ 1 2)} #{1}) ;; expect: {:a 3}
(meta '^{:a 1} [1 2]) ;; expect: {:a 1}
(meta ^{:a 1} (fn [] 1)) ;; expect: {:a 1}
(meta (:k {:k ^:deep [1]})) ;; expect: {:deep true}
(defn hinted ^double [^double x] x)
(hinted 2.5) ;; expect: 2.5
