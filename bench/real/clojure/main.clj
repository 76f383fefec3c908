; Agents, refs, atoms, futures, promises, delays, lazy sequences, transients, multimethods and protocols on many threads.
(ns main
  (:require [clojure.string :as string]
            [clojure.core.reducers :as reducers]))

(def ^:dynamic *scale* 1)

(defn work
  "Runs f with each number below n on a thread of its own; what they made, in order."
  [n f]
  (mapv deref (mapv (fn [rank] (future (f rank))) (range n))))

; Software transactional memory: money moves between accounts, one ref is only ensured, one is commuted.
(def accounts (mapv (fn [_] (ref 100)) (range 12)))
(def rate (ref 1))
(def moved (ref 0))

(defn transfer [from to]
  (dosync
    (let [amount (ensure rate)]
      (alter (accounts from) - amount)
      (alter (accounts to) + amount)
      (commute moved + amount))))

(work 4 (fn [rank]
          (dotimes [n 400]
            (transfer (mod (+ rank n) 12) (mod (+ (* 5 rank) (* 7 n) 1) 12)))))
(println "refs" (reduce + (map deref accounts)) @moved)

; Agents: one log that all write to, and agents that send to each other within actions and transactions.
(def log (agent []))
(def totals (mapv (fn [_] (agent 0)) (range 4)))
(work 4 (fn [rank]
          (dotimes [n 300]
            (send log conj n)
            (send-off (totals rank) + n)
            (when (zero? (mod n 50))
              (dosync
                (alter (accounts 0) identity)
                (send (totals (mod (inc rank) 4)) + 1000))))))
(apply await log totals)
(println "agents" (count @log) (reduce + @log) (mapv deref totals))

; Atoms, with watches and validators, holding persistent collections.
(def table (atom {} :validator map?))
(def changes (atom 0))
(add-watch table :count (fn [_ _ _ _] (swap! changes inc)))
(work 4 (fn [rank]
          (dotimes [n 300]
            (swap! table update (mod n 40) (fnil conj #{}) (+ (* rank 1000) n)))))
(println "atoms" (count @table) (reduce + (map count (vals @table))) @changes)

; Lazy sequences, delays, promises and memoized functions that several threads realize.
(def primes
  (filter (fn [n] (not-any? (fn [d] (zero? (mod n d))) (range 2 (inc (long (Math/sqrt n)))))) (iterate inc 2)))
(def later (delay (vec (take 50 primes))))
(def square (memoize (fn [n] (* n n))))
(def answer (promise))
(println "lazy" (work 4 (fn [rank]
                          (when (= rank 3) (deliver answer 42))
                          (+ (reduce + (take 150 primes)) (count @later) (reduce + (map square (range 200))) @answer))))

; Functions over sequences that take threads of their own.
(println "pmap" (reduce + (pmap (fn [n] (reduce + (range n))) (range 400)))
         (pcalls (fn [] (+ 1 1)) (fn [] (+ 2 2)))
         (pvalues (+ 1 2) (+ 3 4)))
(println "fold" (reducers/fold 128 + + (reducers/map inc (vec (range 20000)))))

; Dynamic bindings go with futures; dispatch caches are filled by many threads at once.
(defprotocol Shape (area [this]))
(defrecord Square [side] Shape (area [_] (* side side)))
(defrecord Oblong [a b] Shape (area [_] (* a b)))
(extend-protocol Shape
  String (area [text] (count text))
  Long (area [n] n)
  clojure.lang.IPersistentVector (area [v] (reduce + (map area v))))
(defmulti describe (fn [thing] (if (map? thing) (:kind thing) (class thing))))
(defmethod describe :default [_] "thing")
(defmethod describe :cat [thing] (str "cat " (:name thing)))
(defmethod describe Number [n] (str "number " n))
(println "dispatch"
         (binding [*scale* 3]
           (work 4 (fn [rank]
                     (reduce + (for [n (range 300)]
                                 (+ (* *scale* (area (case (int (mod (+ n rank) 5))
                                                       0 (->Square n) 1 (->Oblong n 2) 2 "text" 3 n 4 [n "x" (->Square 2)])))
                                    (count (describe (case (int (mod n 3)) 0 {:kind :cat :name "Tom"} 1 n 2 "s"))))))))))

; Text, regular expressions, transients, keywords and symbols that are interned, eval on several threads.
(println "text" (work 4 (fn [rank]
                          (let [words (persistent! (reduce (fn [m n] (assoc! m (keyword (str "k" n)) (str "v" (+ n rank))))
                                                           (transient {}) (range 300)))]
                            (count (string/join "," (map (fn [[k v]] (str (name k) "=" (re-find #"\d+" v))) (sort-by key words))))))))
(println "eval" (work 3 (fn [rank]
                          (reduce + (for [n (range 12)] (eval `(let [f# (fn [x#] (+ x# ~n))] (f# ~rank))))))))
(shutdown-agents)
