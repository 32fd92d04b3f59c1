;; SPDX-License-Identifier: Apache-2.0
;; Changing what is inside collections by functions, and walking nested data.

(defn update
  "The map or vector with what is under the key changed by f."
  ([m k f] (assoc m k (f (get m k))))
  ([m k f x] (assoc m k (f (get m k) x)))
  ([m k f x y] (assoc m k (f (get m k) x y)))
  ([m k f x y & more] (assoc m k (apply f (get m k) x y more))))

(defn %update-path [m path f]
  (let [k (first path)
        deeper (next path)]
    (if deeper
      (assoc m k (%update-path (get m k) deeper f))
      (assoc m k (f (get m k))))))

(defn update-in
  "The nested map with what is under the path of keys changed by f."
  ([m path f] (%update-path m path f))
  ([m path f & args] (%update-path m path (fn [x] (apply f x args)))))

(defn update-vals
  "The map with all values changed by f."
  [m f]
  (reduce-kv (fn [done k v] (assoc done k (f v))) {} m))

(defn update-keys
  "The map with all keys changed by f."
  [m f]
  (reduce-kv (fn [done k v] (assoc done (f k) v)) {} m))

(defn %merge-entry [f m k v]
  (if (contains? m k)
    (assoc m k (f (get m k) v))
    (assoc m k v)))

(defn merge-with
  "One map with the entries of all; f combines the values of keys that are in several."
  [f & maps]
  (reduce
    (fn [done m]
      (if (nil? m)
        done
        (if (nil? done)
          m
          (reduce-kv (fn [d k v] (%merge-entry f d k v)) done m))))
    nil
    maps))

(defn filter-vals
  "The entries of a map whose values fulfil pred."
  [pred m]
  (reduce-kv (fn [done k v] (if (pred v) (assoc done k v) done)) {} m))

(defn walk
  "The form with inner applied to its parts, and then outer to the whole."
  [inner outer form]
  (cond
    (vector? form) (outer (mapv inner form))
    (map? form) (outer (into (empty form) (%reverse-list (%map-seq inner (seq form)))))
    (set? form) (outer (into (empty form) (%reverse-list (%map-seq inner (seq form)))))
    (seq? form) (outer (%reverse-list (%map-seq inner (seq form))))
    :else (outer form)))

(defn postwalk
  "The form with f applied to every part, children before parents."
  [f form]
  (walk (fn [part] (postwalk f part)) f form))

(defn prewalk
  "The form with f applied to every part, parents before children."
  [f form]
  (walk (fn [part] (prewalk f part)) identity (f form)))

(defn postwalk-replace
  "The form with the parts that are keys of the map replaced, children first."
  [replacements form]
  (postwalk (fn [x] (if (contains? replacements x) (get replacements x) x)) form))

(defn keywordize-keys
  "The form with string keys of maps as keywords."
  [form]
  (postwalk
    (fn [x]
      (if (map? x)
        (update-keys x (fn [k] (if (string? k) (keyword k) k)))
        x))
    form))

(defn not-empty?
  "True when the collection has elements."
  [coll]
  (not (empty? coll)))
