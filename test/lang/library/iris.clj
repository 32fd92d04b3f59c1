;; Fisher's irises.
(require '[anglib.iris-data :refer [iris-setosa]])
(count (concat iris-setosa iris-versicolor iris-virginica)) ;; expect: 150
(first iris-setosa) ;; expect: [5.1 3.5 1.4 0.2]
(map #(format "%.3f" %) (mean iris-setosa)) ;; expect: ("5.006" "3.428" "1.462" "0.246")
(map #(format "%.3f" %) (mean iris-versicolor)) ;; expect: ("5.936" "2.770" "4.260" "1.326")
(map #(format "%.3f" %) (mean iris-virginica)) ;; expect: ("6.588" "2.974" "5.552" "2.026")
