;; Methods of Java's interfaces would never be called.
(defrecord Version [n] Comparable (compareTo [this other] 0)) ;; expect-error: F007
