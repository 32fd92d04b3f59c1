;; SPDX-License-Identifier: Apache-2.0
;; Matrix functions that take functions, and small ones of core.matrix.

(defn emap
  "The array of the values of f for the elements of the arrays."
  ([f a]
   (if (number? a)
     (f a)
     (mapv (fn [x] (emap f x)) a)))
  ([f a b]
   (if (number? a)
     (if (number? b)
       (f a b)
       (mapv (fn [y] (emap f a y)) b))
     (if (number? b)
       (mapv (fn [x] (emap f x b)) a)
       (mapv (fn [x y] (emap f x y)) a b)))))

(defn ereduce
  "reduce over all numbers of an array."
  ([f a] (reduce f (eseq a)))
  ([f init a] (reduce f init (eseq a))))

(defn gen-matrix
  "The matrix whose elements are (f row column)."
  [f rows columns]
  (mapv (fn [i] (mapv (fn [j] (f i j)) (range columns))) (range rows)))

(defn cov
  "The matrix of (k x y) for all points x of xs and y of ys (xs)."
  ([k xs] (cov k xs xs))
  ([k xs ys] (mapv (fn [x] (mapv (fn [y] (k x y)) ys)) xs)))

(defproc GP
  "A Gaussian process with mean function m and covariance function k; produce gives a function from x to a distribution."
  [m k] [points []]
  (produce [this]
    (if (empty? points)
      (fn [x] (normal (m x) (sqrt (k x x))))
      (let [xs (mapv first points)
            inverse-gram (inverse (cov k xs xs))
            residuals (mapv (fn [point] (- (second point) (m (first point)))) points)
            weights (mmul inverse-gram residuals)]
        (fn [x]
          (let [to-x (mapv (fn [y] (k y x)) xs)
                mean-x (+ (m x) (dot to-x weights))
                var-x (- (k x x) (dot to-x (mmul inverse-gram to-x)))]
            (normal mean-x (sqrt var-x)))))))
  (absorb [this point] (GP m k (conj points point))))

(defn negate
  "The array with the sign of every element changed."
  [a]
  (sub a))

(defn mutable
  "The array itself: arrays do not change."
  [a]
  a)

(defn immutable
  "The array itself."
  [a]
  a)

(defn scale
  "The array times a number."
  [a factor]
  (mul a factor))

(defn %euclidean-length [a] (norm a))

(defn %length-squared [a] (let [v (to-vector a)] (dot v v)))

(defn normalise
  "The vector with length 1 in the same direction."
  [a]
  (div a (norm a)))

(defn row-matrix
  "The matrix with one row."
  [v]
  (matrix [v]))

(defn column-matrix
  "The matrix with one column."
  [v]
  (matrix (mapv vector v)))

(defn dimension-count
  "The length of a dimension of an array."
  [a dimension]
  (nth (shape a) dimension))
