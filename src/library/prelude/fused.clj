;; SPDX-License-Identifier: Apache-2.0
;; What compile/fuse.cpp puts in place of two calls, one of which makes a sequence only for the other: loops that make none.
;; They give the same values and call f in the same order.

(defn %dorun-map [f coll] (run! f coll))

(defn %dorun-map-2 [f a b]
  (loop [a (seq a) b (seq b)]
    (if (if a b false)
      (do (f (first a) (first b))
          (recur (next a) (next b)))
      nil)))

;; g is a function of the library without effect, so it may be called before f has seen all elements.
(defn %reduce-map [g init f coll]
  (if (vector? coll)
    (let [n (count coll)]
      (loop [i 0 acc init]
        (if (< i n)
          (recur (inc i) (g acc (f (%vector-nth coll i))))
          acc)))
    (loop [s (seq coll) acc init]
      (if s
        (let [next-acc (g acc (f (first s)))]
          (recur (next s) next-acc))
        acc))))

(defn %reduce-map-2 [g init f a b]
  (loop [a (seq a) b (seq b) acc init]
    (if (if a b false)
      (let [next-acc (g acc (f (first a) (first b)))]
        (recur (next a) (next b) next-acc))
      acc)))

(defn %reduce-map-first [g f coll]
  (let [s (seq coll)]
    (if s
      (let [init (f (first s))]
        (%reduce-map g init f (next s)))
      (reduce g nil))))

(defn %reduce-map-2-first [g f a b]
  (let [a (seq a) b (seq b)]
    (if (if a b false)
      (let [init (f (first a) (first b))]
        (%reduce-map-2 g init f (next a) (next b)))
      (reduce g nil))))
