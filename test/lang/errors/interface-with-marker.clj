;; An interface after a protocol of the program.
(defprotocol Area (area [this]))
(defrecord Square [side]
  Area (area [this] (* side side))
  java.lang.Iterable (iterator [this] nil)) ;; expect-error: F007
