;; Named functions with documentation.
;; Same in Clojure.
(defn square [x] (* x x))
(square 5) ;; expect: 25
(defn documented "Adds one." [x] (inc x))
(documented 1) ;; expect: 2
(defn- hidden [x] (dec x))
(hidden 1) ;; expect: 0
(defn with-pre [x] {:pre [(pos? x)]} x)
(with-pre 1) ;; expect: 1
