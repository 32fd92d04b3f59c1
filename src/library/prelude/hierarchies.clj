;; SPDX-License-Identifier: Apache-2.0
;; Hierarchies of keywords, symbols and classes (derive, isa?), and how a multimethod finds its method. A hierarchy is a
;; map of three maps, as in Clojure: from a tag to its parents, to all its ancestors, to all its descendants.

(defn make-hierarchy
  "A hierarchy without any relation, for derive and isa?."
  []
  {:parents {} :descendants {} :ancestors {}})

(defn %hierarchy []
  (let [h (%global-hierarchy)]
    (if (nil? h) (make-hierarchy) h)))

(defn %reachable [parents tag]
  (loop [open (seq (get parents tag)) found #{}]
    (if open
      (let [up (first open)]
        (if (contains? found up)
          (recur (next open) found)
          (recur (seq (concat (next open) (get parents up))) (conj found up))))
      found)))

;; The whole hierarchy that follows from the relation of parents.
(defn %hierarchy-of [parents]
  (let [ancestors (reduce (fn [m tag] (assoc m tag (%reachable parents tag))) {} (keys parents))]
    {:parents parents
     :ancestors ancestors
     :descendants (reduce-kv
                    (fn [m tag above]
                      (reduce (fn [m up] (assoc m up (conj (get m up #{}) tag))) m above))
                    {}
                    ancestors)}))

(defn derive
  "Makes one tag a child of another, in the global hierarchy or in a given one, which is returned."
  ([tag parent]
   (do (%set-global-hierarchy (derive (%hierarchy) tag parent))
       nil))
  ([h tag parent]
   (let [parents (get (:parents h) tag #{})]
     (cond
       (contains? parents parent) h
       (= tag parent) (throw (ex-info (str "Cyclic derivation: " parent " cannot be its own parent") {}))
       (contains? (get (:ancestors h) tag #{}) parent)
       (throw (ex-info (str tag " already has " parent " as ancestor") {}))
       (contains? (get (:ancestors h) parent #{}) tag)
       (throw (ex-info (str "Cyclic derivation: " parent " has " tag " as ancestor") {}))
       :else (%hierarchy-of (assoc (:parents h) tag (conj parents parent)))))))

(defn underive
  "Takes a relation that derive made back."
  ([tag parent]
   (do (%set-global-hierarchy (underive (%hierarchy) tag parent))
       nil))
  ([h tag parent]
   (let [left (disj (get (:parents h) tag #{}) parent)]
     (%hierarchy-of (if (empty? left)
                      (dissoc (:parents h) tag)
                      (assoc (:parents h) tag left))))))

(defn %isa-pairs? [h children parents]
  (let [n (count children)]
    (if (= n (count parents))
      (loop [i 0]
        (if (< i n)
          (if (isa? h (nth children i) (nth parents i)) (recur (inc i)) false)
          true))
      false)))

(defn isa?
  "True when child is parent, a subclass of it, or derived from it; vectors are compared element by element."
  ([child parent] (isa? (%hierarchy) child parent))
  ([h child parent]
   (cond
     (= child parent) true
     (%subclass? child parent) true
     (contains? (get (:ancestors h) child #{}) parent) true
     (class? child)
     (boolean (some (fn [up] (contains? (get (:ancestors h) up #{}) parent)) (supers child)))
     (vector? child) (if (vector? parent) (%isa-pairs? h child parent) false)
     :else false)))

(defn %not-empty-set [s] (if (empty? s) nil s))

(defn parents
  "The direct parents of a tag or class as a set, or nil."
  ([tag] (parents (%hierarchy) tag))
  ([h tag]
   (%not-empty-set (into (get (:parents h) tag #{}) (if (class? tag) (%class-parents tag) nil)))))

(defn ancestors
  "All parents of a tag or class, theirs, and so on, as a set, or nil."
  ([tag] (ancestors (%hierarchy) tag))
  ([h tag]
   (let [own (get (:ancestors h) tag #{})
         above (if (class? tag) (supers tag) nil)]
     (%not-empty-set
       (into own (concat above (mapcat (fn [up] (get (:ancestors h) up)) above)))))))

(defn descendants
  "All that was derived from a tag, as a set, or nil."
  ([tag] (descendants (%hierarchy) tag))
  ([h tag] (%not-empty-set (get (:descendants h) tag #{}))))

;; --- multimethods ---

(defn %prefer [prefers value over]
  (assoc prefers value (conj (get prefers value #{}) over)))

(defn %preferred? [prefers x y]
  (cond
    (contains? (get prefers x #{}) y) true
    (some (fn [up] (%preferred? prefers x up)) (parents y)) true
    (some (fn [up] (%preferred? prefers up y)) (parents x)) true
    :else false))

(defn %dominates? [prefers x y]
  (if (%preferred? prefers x y) true (isa? x y)))

;; The key of the method for a dispatch value that has none of its own: the nearest that it isa?.
(defn %nearest-method [methods prefers value]
  (let [matching (filterv (fn [k] (isa? value k)) (keys methods))]
    (reduce
      (fn [best k]
        (cond
          (%dominates? prefers k best) k
          (%dominates? prefers best k) best
          :else (throw (IllegalArgumentException.
                         (str "several methods match " (pr-str value) ": " (pr-str best) " and "
                              (pr-str k) ", and neither is preferred")))))
      (first matching)
      (rest matching))))

(defn %method-for [methods prefers value]
  (let [own (get methods value)]
    (if own
      own
      (if (empty? methods)
        nil
        (let [k (%nearest-method methods prefers value)]
          (if (nil? k) nil (get methods k)))))))

(defn %find-method [name methods prefers default value]
  (let [method (%method-for methods prefers value)]
    (if method
      method
      (let [otherwise (get methods default)]
        (if otherwise
          otherwise
          (%no-method name value))))))
