;; The set of anglib has 149 rows with keywords, which is not here under its name.
(require '[anglib.iris-data :refer [iris-setosa]])
(count iris-setosa) ;; expect: 50
(count iris-data) ;; expect-error: F001
