;; gorilla-repl.fileformat = 1

;; **
;;; # "Some of them": people who think about people
;;;
;;; Three apples were on the table. Ann looked at them and says "some of the apples are red". You conclude that
;;; not all of them are, though the sentence would be true. Why? Because Ann would have said "all" if she could.
;;;
;;; A listener who reasons so has a model of a speaker inside, and the speaker has a model of a simple listener.
;;; In a program these are queries inside queries: `conditional` turns a query into a distribution that
;;; another one may draw from or score.
;; **

;; @@
(ns worksheets.scalar-implicature
  (:require [gorilla-plot.core :as plot])
  (:use [anglican core runtime emit stat]))

(def utterances [:none :some :all])

(defm is-true? [utterance red]
  (case utterance
    :none (= red 0)
    :some (> red 0)
    :all  (= red 3)))
;; @@

;; **
;;; ## The literal listener
;;;
;;; He believes that what is said is true, and nothing more: any number of red apples that fits is as likely as
;;; any other.
;; **

;; @@
(defquery literal-listener [utterance]
  (let [red (sample (uniform-discrete 0 4))]
    (observe (flip 1.0) (is-true? utterance red))
    red))

(def believes-literally (conditional literal-listener :enumerate))
;; @@

;; **
;;; ## The speaker
;;;
;;; She knows how many apples are red, and prefers what makes a literal listener guess right. `alpha` says how
;;; much she cares.
;; **

;; @@
(defquery speaker [red alpha]
  (let [utterance (nth utterances (sample (uniform-discrete 0 3)))]
    (factor (* alpha (observe* (believes-literally utterance) red)))
    utterance))

(def says (conditional speaker :enumerate))

(defn distribution-of [query arguments]
  (into {} (empirical-distribution (collect-by :result (doquery :enumerate query arguments)))))

(table-view (for [red (range 4)]
              (let [p (distribution-of speaker [red 1.0])]
                (cons red (map (fn [u] (get p u 0.0)) utterances))))
            :columns ["red apples" "none" "some" "all"])
;; @@

;; **
;;; ## The listener who thinks about the speaker
;; **

;; @@
(defquery listener [utterance alpha]
  (let [red (sample (uniform-discrete 0 4))]
    (observe (says red alpha) utterance)
    red))

(defn bars [p title]
  (plot/bar-chart (range 4) (map (fn [k] (get p k 0.0)) (range 4))
                  :plot-range [:all [0 0.6]] :plot-size 290 :x-title title :y-title "probability"))

(grid-view [[(bars (distribution-of literal-listener [:some]) "literal: some")
             (bars (distribution-of listener [:some 1.0]) "alpha = 1")
             (bars (distribution-of listener [:some 4.0]) "alpha = 4")]])
;; @@

;; **
;;; The more the speaker cares, the less "some" means all of them. As a curve:
;; **

;; @@
(plot/list-plot (for [alpha (range 0.25 6.1 0.25)]
                  [alpha (get (distribution-of listener [:some alpha]) 3 0.0)])
                :joined true :x-title "alpha" :y-title "P(all red | \"some\")" :plot-range [:all [0 0.4]])
;; @@

;; **
;;; For `alpha` = 1 this is exact arithmetic: "all" is said of three red apples with probability
;;; @@1/(1 + 1/3) = 3/4@@, so "some" with 1/4, and of one or two apples always:
;;;
;;; $$P(3 \mid \text{some}) = \frac{1/4}{1 + 1 + 1/4} = \frac{1}{9}$$
;; **

;; @@
(get (distribution-of listener [:some 1.0]) 3)
;; @@

;; **
;;; ## If Ann saw only some of the apples
;;;
;;; Suppose that Ann looked at two of the three. What she knows is then a distribution, and "some" says less
;;; about the third apple. The listener draws what she saw, too.
;; **

;; @@
(defquery listener-of-a-glance [utterance seen]
  (let [apples (repeatedly 3 (fn [] (sample (flip 0.5))))
        red    (count (filter identity apples))
        known  (count (filter identity (take seen apples)))
        ;; what she says fits what she saw, scaled up to three
        guess  (int (Math/round (* 3.0 (/ known (max 1 seen)))))]
    (observe (says guess 2.0) utterance)
    red))

(grid-view [(for [seen [3 2 1]]
              (bars (distribution-of listener-of-a-glance [:some seen]) (str "she saw " seen)))])
;; @@
