;; An unknown type.
(defprotocol P (m [this]))
(extend-protocol P
  Strin (m [this] 1)) ;; expect-error: F001
