// SPDX-License-Identifier: Apache-2.0
// Every function of record/recordable.def and recordable.cpp, applied to draws and to collections
// that hold draws, and compared with plain executions. A function without an example here fails.
#include <gtest/gtest.h>

#include <map>

#include "record/recordable.hpp"
#include "recorded_program.hpp"

namespace {

using namespace recorded;
using chancel::Recordable;
using Kind = Recordable::Kind;
using Examples = std::vector<std::string>;

// x and y are draws; v, l, m, n, n2 and p hold some; dist depends on x, f gives it, a is an atom.
const char* const kBefore =
    "(defrecord Pair [one two])\n"
    "(defquery example (let [x (sample (normal 0 1)) y (sample (normal 1 2))\n"
    "  v [x y 3] l (list x 1 y) m {:a x :b y} n [[x] [y 2]] dist (normal x 1) f (fn [] x)\n"
    "  a (atom x) p (->Pair x y) n2 [[x 1] [y (* x y)]]]\n"
    "  (observe (normal x 1) 0.3)\n";

const std::map<std::string, Examples>& examples() {
  static const std::map<std::string, Examples> table = {
      {"vector", {"(vector x 1 v)", "(apply vector l)"}},
      {"list", {"(list x 1 v)", "(apply list v)"}},
      {"list*", {"(list* x y v)", "(list* 1 l)"}},
      {"cons", {"(cons x v)", "(cons v l)", "(cons x nil)"}},
      {"reduced", {"(reduce (fn [s q] (if (> q 1) (reduced [s q]) (+ s q))) 0 v)"}},
      {"unreduced", {"(unreduced (reduced x))", "(unreduced x)", "(unreduced v)"}},
      {"atom", {"@(atom x)", "@(atom v)"}},
      {"%cell-new", {"(%cell-get (%cell-new x))"}},
      {"%cell-set", {"(let [c (%cell-new 0)] (%cell-set c v) (%cell-get c))"}},
      {"reset!", {"(let [c (atom 0)] [(reset! c x) (reset! c v) @c])"}},
      {"%reduce-vector", {"(reduce + v)", "(reduce + 1 v)", "(reduce (fn [s q] (max s q)) v)"}},
      {"%record", {"(->Pair y x)", "(:one (->Pair v x))"}},
      {"conj",
       {"(conj v x)", "(conj l x v)", "(conj m [:c x])", "(conj m [x 1])", "(conj #{1} x)",
        "(conj nil x)", "(conj m {:c y})", "(conj m {x y})", "(conj (sorted-set 0) x)"}},
      {"%into",
       {"(into v l)", "(into m [[:c x]])", "(into {} [[x y]])", "(into #{} v)", "(into () v)",
        "(into {} m)"}},
      {"%push-all", {"(%push-all () v)", "(mapcat list v l)"}},
      {"assoc",
       {"(assoc v 0 y)", "(assoc m :c x)", "(assoc m x 1)", "(assoc nil x x)", "(assoc p :one 1)",
        "(assoc m [x] 2)"}},
      {"assoc-in", {"(assoc-in {} [:a :b] x)", "(assoc-in m [:c x] y)", "(assoc-in n [0 0] y)"}},
      {"get",
       {"(get v 0)", "(get m :a)", "(get m x)", "(get m :q x)", "(get l 0)", "(get x 0)",
        "(get p :one)", "(get dist :mean)", "(get {x 1} x)", "(get #{x} x)"}},
      {"get-in", {"(get-in n [1 0])", "(get-in {:a m} [:a :b])", "(get-in {x {y 1}} [x y] 0)"}},
      {"nth", {"(nth v 1)", "(nth l 2)", "(nth v 9 x)", "(nth v (int (abs (min x 1))))"}},
      {"contains?",
       {"(contains? m :a)", "(contains? v 1)", "(contains? {x 1} x)", "(contains? #{x} y)",
        "(contains? m x)"}},
      {"find", {"(find m :a)", "(find m x)", "(find {x 1} x)"}},
      {"dissoc", {"(dissoc m :a)", "(dissoc m x)", "(dissoc {x 1 2 y} x)"}},
      {"select-keys", {"(select-keys m [:b])", "(select-keys {x 1 2 y} [x])"}},
      {"%map", {"{:a x}", "{x 1}", "{[x] y}"}},
      {"hash-map", {"(hash-map :a x)", "(hash-map x 1)"}},
      {"array-map", {"(array-map :a x)", "(array-map x 1)"}},
      {"zipmap", {"(zipmap [:a :b] v)", "(zipmap v [1 2 3])", "(zipmap l l)"}},
      {"store", {"(do (store :k x) (retrieve :k))", "(do (store x v) (retrieve x))"}},
      {"retrieve", {"(do (store :k v) (retrieve :k))", "(retrieve x)"}},
      {"keys", {"(keys m)", "(keys {x 1})"}},
      {"vals", {"(vals m)", "(vals {x y})"}},
      {"key", {"(key (first m))", "(key (first {x 1}))"}},
      {"val", {"(val (first m))"}},
      {"merge",
       {"(merge m {:a 1})", "(merge m {x y})", "(merge nil m)", "(merge m [:c x])",
        "(merge {} [x 1])", "(merge nil m [x 1])"}},
      {"vec", {"(vec l)", "(vec m)", "(vec v)"}},
      {"subvec", {"(subvec v 1)", "(subvec v 0 2)"}},
      {"peek", {"(peek v)", "(peek l)"}},
      {"pop", {"(pop v)", "(pop l)"}},
      {"empty", {"(empty v)", "(empty m)", "(empty l)"}},
      {"first", {"(first v)", "(first l)", "(first m)"}},
      {"rest", {"(rest v)", "(rest l)"}},
      {"next", {"(next v)", "(next [x])"}},
      {"seq", {"(seq v)", "(seq m)", "(seq [])"}},
      {"car", {"(car l)"}},
      {"cdr", {"(cdr l)"}},
      {"cadr", {"(cadr l)"}},
      {"second", {"(second v)"}},
      {"third", {"(third l)"}},
      {"ffirst", {"(ffirst n)"}},
      {"nfirst", {"(nfirst n)"}},
      {"fnext", {"(fnext v)"}},
      {"nnext", {"(nnext v)"}},
      {"count", {"(count v)", "(count m)", "(count l)"}},
      {"length", {"(length l)"}},
      {"empty?", {"(empty? v)", "(empty? {})"}},
      {"not-empty", {"(not-empty v)", "(not-empty m)"}},
      {"%vector-nth", {"(%vector-nth v 1)"}},
      {"last", {"(last v)", "(last l)"}},
      {"butlast", {"(butlast v)"}},
      {"reverse", {"(reverse v)", "(reverse l)"}},
      {"rseq", {"(rseq v)"}},
      {"%reverse-list", {"(%reverse-list l)"}},
      {"%reverse-list-or-nil", {"(%reverse-list-or-nil l)"}},
      {"%reverse-vector", {"(%reverse-vector l)"}},
      {"doall", {"(doall (map inc v))", "(doall v)"}},
      {"dorun", {"(dorun (map inc v))"}},
      {"%concat", {"(%concat v l)", "(concat v l n)"}},
      {"append", {"(append l l)"}},
      {"%concat-list", {"(%concat-list (list v l))"}},
      {"%cons-all", {"(%cons-all v l)"}},
      {"%append-reversed", {"(%append-reversed l l)"}},
      {"flatten", {"(flatten n)", "(flatten [x [y [1 x]]])"}},
      {"%take", {"(%take 2 v)", "(take 1 l)", "(take (int (abs x)) v)"}},
      {"%drop", {"(%drop 1 v)", "(drop 1 l)"}},
      {"nthrest", {"(nthrest v 1)"}},
      {"nthnext", {"(nthnext v 1)"}},
      {"take-last", {"(take-last 2 v)"}},
      {"%drop-last", {"(%drop-last 1 v)"}},
      {"%split-at", {"(%split-at 1 v)"}},
      {"%take-nth", {"(%take-nth 2 v)"}},
      {"%partition", {"(%partition 2 v)", "(%partition 2 1 v)", "(%partition 2 2 [x] v)"}},
      {"%partition-all", {"(%partition-all 2 v)"}},
      {"%interleave", {"(%interleave v l)"}},
      {"%concat-vectors", {"(%concat-vectors v [y])"}},
      {"%destructure-map",
       {"(let [{q :a :keys [b]} m] [q b])", "(let [{:keys [mean]} dist] mean)",
        "(let [[_ & {:keys [c]}] [1 :c x]] c)"}},
      {"%field", {"(:one p)", "(let [{:keys [two]} p] two)"}},
      {"deref", {"@a", "(deref a)"}},
      {"%cell-get", {"(%cell-get a)"}},
      {"force", {"(force (delay x))", "(force x)"}},
      {"mem", {"((mem (fn [q] (+ q x))) 1)", "((mem (fn [q] (* 2 q))) x)"}},
      {"%lazy-seq", {"(take 2 (lazy-seq (cons x l)))"}},
      {"%delay", {"@(delay v)"}},
      {"meta", {"(meta (with-meta v {:a x}))", "(meta v)"}},
      {"with-meta", {"(with-meta v {:a x})", "(conj (with-meta v m) 1)"}},
      {"%instance?", {"(instance? Pair p)", "(instance? Pair x)", "(instance? Number x)"}},
      {"%all-realised?", {"(%all-realised? (list v l))"}},
      {"observe*",
       {"(observe* dist 1)", "(observe* (normal 0 1) x)", "(observe* (flip 0.3) true)",
        "(observe* (flip (sigmoid x)) 1)", "(observe* (poisson (exp x)) 2.0)",
        "(observe* (categorical {:a (exp x) :b 1}) \"a\")",
        "(observe* (mixture [1 2] [dist dist]) y)", "(observe* (bernoulli (sigmoid x)) true)",
        "(observe* (discrete [(exp x) 2]) 0)", "(observe* (discrete [(exp x) 2]) 5)",
        "(observe* (discrete [(exp x) 2]) 1.0)", "(observe* (categorical-logit [x y 1]) 1)",
        "(try (observe* (discrete [1 x]) 0) (catch :default e :none))",
        "(try (observe* (discrete [1 (exp (* 900 x))]) 0) (catch :default e :none))",
        "(try (observe* (categorical-logit [y (log (max x 0))]) 0) (catch :default e :none))"}},
      {"log-sum-exp",
       {"(log-sum-exp x y)", "(log-sum-exp v)", "(log-sum-exp l)", "(log-sum-exp x)",
        "(log-sum-exp [x 1/2 0])"}},
      {"mean", {"(mean v)", "(mean l)", "(mean [1 x])", "(mean n2)"}},
      {"variance", {"(variance v)", "(variance [x])"}},
      {"std", {"(std v)", "(std [x 1/2])"}},
      {"matrix", {"(matrix [[x 1] [0 y]])", "(matrix n2)"}},
      {"array", {"(array v)", "(array n2)"}},
      {"to-nested-vectors", {"(to-nested-vectors n2)"}},
      {"shape", {"(shape n2)", "(shape v)", "(shape x)"}},
      {"dimensionality", {"(dimensionality n2)", "(dimensionality x)"}},
      {"ecount", {"(ecount n2)"}},
      {"row-count", {"(row-count n2)"}},
      {"column-count", {"(column-count n2)"}},
      {"get-row", {"(get-row n2 1)"}},
      {"get-column", {"(get-column n2 0)"}},
      {"mget", {"(mget n2 0 1)", "(mget v 1)"}},
      {"rows", {"(rows n2)"}},
      {"columns", {"(columns n2)"}},
      {"reshape", {"(reshape n2 [4])"}},
      {"transpose", {"(transpose n2)"}},
      {"mat-transpose", {"(mat-transpose n2)"}},
      {"diagonal", {"(diagonal n2)"}},
      {"to-vector", {"(to-vector n2)"}},
      {"eseq", {"(eseq n2)"}},
      {"slices", {"(slices n2)"}},
      {"mmul", {"(mmul n2 n2)", "(mmul n2 [x 2])", "(mmul [1 y] n2)", "(mmul v v)"}},
      {"mat-mul", {"(mat-mul n2 n2)"}},
      {"inner-product", {"(inner-product v v)"}},
      {"dot", {"(dot v v)", "(dot [x 1] [2 3])"}},
      {"outer-product", {"(outer-product v v)"}},
      {"sum", {"(sum v)", "(sum [x 1/2 2])", "(sum [])"}},
      {"trace", {"(trace n2)", "(trace [[x]])", "(trace x)"}},
      {"norm",
       {"(norm v)", "(norm v 1)", "(norm v 3)", "(norm n2)", "(norm v ##Inf)", "(norm v x)"}},
      {"distance", {"(distance v [1 2 3])", "(distance x y)"}},
      {"diagonal-matrix", {"(diagonal-matrix v)"}},
      {"mset", {"(mset n2 0 1 y)", "(mset v 0 7)", "(mset v (int (abs (min x 1))) 7)"}},
      {"select", {"(select n2 0 :all)", "(select v [0 2])", "(select v (int (abs (min x 1))))"}},
      {"slice", {"(slice n2 1)", "(slice n2 1 0)"}},
      {"mat-repmat", {"(mat-repmat n2 2 1)"}},
      {"power", {"(power v 2)", "(power 2 v)", "(power x y)", "(power n2 3)"}},
      {"clojure.core.matrix.operators/**", {"(clojure.core.matrix.operators/** v 2)"}},
      {"clojure.core.matrix/pow", {"(clojure.core.matrix/pow n2 2.5)"}},
      {"mat-tanh", {"(mat-tanh n2)"}},
      {"mat-relu", {"(mat-relu n2)"}},
      {"cholesky",
       {"(cholesky [[2 x] [x (+ 1 (* x x))]])", "(cholesky [[(exp x)]])", "(cholesky (exp x))",
        "(cholesky (list v [y 9 x] [3 x 20]))", "(try (cholesky n2) (catch :default e :none))"}},
      {"inverse",
       {"(inverse n2)", "(inverse [[x 1 2] [y x 0] [1 1 y]])", "(inverse x)",
        "(try (inverse [[x x] [x x]]) (catch :default e :none))"}},
      {"det",
       {"(det n2)", "(det x)", "(det [[x x] [x x]])", "(det [[x 1 2] [y x 0] [1 1 y]])",
        "(det [[(sqrt x) 1] [0 1]])"}},
      {"solve",
       {"(solve n2 [x 1])", "(solve n2 [[1 2 x] [3 y 5]])", "(solve n2)",
        "(solve [[2 1] [1 3]] [x y])", "(try (solve n2 [x]) (catch :default e :none))"}},
      {"softmax",
       {"(softmax v)", "(softmax l)", "(softmax [x (/ -1 0.0)])", "(softmax [(sqrt x) 1])"}},
      {"%sort",
       {"(sort v)", "(sort > v)", "(sort [x x 1/2 2 y])", "(sort [(sqrt x) y 1])",
        "(sort compare l)", "(try (sort [x :a]) (catch :default e :none))"}},
      {"%sort-by-keys",
       {"(sort-by - v)", "(sort-by first > [[x 1] [y 2] [0 x]])", "(sort-by :a [m {:a 0 :b x}])"}},
      {"log-mean-exp", {"(log-mean-exp v)", "(log-mean-exp [x])", "(log-mean-exp (list x y))"}},
      {"square", {"(square v)", "(square x)"}},
      {"add",
       {"(add v v)", "(add n2 n2)", "(add v 2)", "(add 2 v)", "(add [1 2 3] v)",
        "(add v [1/2 2 0.0])"}},
      {"sub",
       {"(sub v v)", "(sub n2 n2)", "(sub v 2)", "(sub 2 v)", "(sub [1 2 3] v)",
        "(sub v [1/2 2 0.0])"}},
      {"mul",
       {"(mul v v)", "(mul n2 n2)", "(mul v 2)", "(mul 2 v)", "(mul [1 2 3] v)",
        "(mul v [1/2 2 0.0])"}},
      {"emul",
       {"(emul v v)", "(emul n2 n2)", "(emul v 2)", "(emul 2 v)", "(emul [1 2 3] v)",
        "(emul v [1/2 2 0.0])"}},
      {"div",
       {"(div v v)", "(div n2 n2)", "(div v 2)", "(div 2 v)", "(div [1 2 3] v)",
        "(div v [1/2 2 0.0])"}},
      {"mat-add", {"(mat-add n2 n2)"}},
      {"clojure.core.matrix.operators/+",
       {"(clojure.core.matrix.operators/+ v v)", "(clojure.core.matrix.operators/+ n2 n2)",
        "(clojure.core.matrix.operators/+ v 2)", "(clojure.core.matrix.operators/+ 2 v)",
        "(clojure.core.matrix.operators/+ [1 2 3] v)",
        "(clojure.core.matrix.operators/+ v [1/2 2 0.0])"}},
      {"clojure.core.matrix.operators/-",
       {"(clojure.core.matrix.operators/- v v)", "(clojure.core.matrix.operators/- n2 n2)",
        "(clojure.core.matrix.operators/- v 2)", "(clojure.core.matrix.operators/- 2 v)",
        "(clojure.core.matrix.operators/- [1 2 3] v)",
        "(clojure.core.matrix.operators/- v [1/2 2 0.0])"}},
      {"clojure.core.matrix.operators/*",
       {"(clojure.core.matrix.operators/* v v)", "(clojure.core.matrix.operators/* n2 n2)",
        "(clojure.core.matrix.operators/* v 2)", "(clojure.core.matrix.operators/* 2 v)",
        "(clojure.core.matrix.operators/* [1 2 3] v)",
        "(clojure.core.matrix.operators/* v [1/2 2 0.0])"}},
      {"clojure.core.matrix.operators//",
       {"(clojure.core.matrix.operators// v v)", "(clojure.core.matrix.operators// n2 n2)",
        "(clojure.core.matrix.operators// v 2)", "(clojure.core.matrix.operators// 2 v)",
        "(clojure.core.matrix.operators// [1 2 3] v)",
        "(clojure.core.matrix.operators// v [1/2 2 0.0])"}},
      {"not=", {"(not= x y)", "(not= x x)", "(not= v v)", "(not= x 1)", "(not= v l)"}},
      {"=", {"(= x y)", "(= x x)", "(= v v)", "(= x 1)", "(= x nil)", "(= v l)", "(= m m)"}},
  };
  return table;
}

Examples examples_of(const std::string& name, const Recordable& how) {
  const auto given = examples().find(name);
  if (given != examples().end()) return given->second;
  const auto call = [&](const std::string& rest) { return "(" + name + " " + rest + ")"; };
  if (name.starts_with("clojure.core.matrix/")) return {call("v"), call("n2"), call("x")};
  switch (how.kind) {
    case Kind::Numeric:
      switch (how.op) {
#define CHANCEL_BINARY(op, value, dx, dy) case chancel::GraphOp::op:
#include "record/graph_ops.def"
        return {call("x y"),       call("(abs x) (abs y)"), call("x 2"),
                call("2 x"),       call("1/2 x"),           "(mapv (fn [q] " + call("q y") + ") v)",
                call("(* 0 x) y"), call("x (sqrt x)")};
        default:
          return {
              call("x"),        call("(* 3 y)"),         call("(sigmoid x)"),    call("(* 0 x)"),
              call("(sqrt x)"), call("(exp (* 400 x))"), "(mapv " + name + " v)"};
      }
    case Kind::Type:
      // The truth of a distribution is an error.
      if (name == "true?" || name == "false?")
        return {call("x"), call("v"), call("m"), call("l"), call("p"), call("1")};
      return {call("x"), call("v"), call("m"), call("l"), call("p"), call("(identity dist)"),
              call("1")};
    case Kind::Sum:
    case Kind::Difference:
    case Kind::Product:
    case Kind::Quotient:
      return {call("x"),
              call("x y"),
              call("2 x"),
              call("x 2"),
              call("1/3 x"),
              call("1 2 x 3 y"),
              call("x 0.0"),
              call("(* 0 x)"),
              "(reduce " + name + " v)",
              "(apply " + name + " v)"};
    case Kind::Increment:
    case Kind::Decrement:
    case Kind::Itself:
    case Kind::Zero:
    case Kind::Positive:
    case Kind::Negative:
      return {call("x"), call("(* 0 x)"), call("(sqrt x)"), "(mapv " + name + " v)"};
    case Kind::Less:
    case Kind::LessOrEqual:
    case Kind::Greater:
    case Kind::GreaterOrEqual:
    case Kind::SameNumber:
    case Kind::Largest:
    case Kind::Smallest:
      return {call("x"),
              call("x y"),
              call("x 0"),
              call("1/3 x"),
              call("-1 x y 2"),
              call("x x"),
              call("(sqrt x) y"),
              call("x (sqrt y)"),
              "(apply " + name + " v)",
              "(if " + call("x y") + " x y)"};
    default:
      return {};
  }
}

TEST(Recordable, EveryFunctionOfTheTableAgreesWithTheLibrary) {
  for (const auto& [name, how] : chancel::recordable_functions()) {
    const Examples list = examples_of(std::string(name), how);
    EXPECT_FALSE(list.empty()) << name << " has no example";
    for (const std::string& example : list) {
      SCOPED_TRACE(example);
      try {
        Source source(kBefore + ("  (predict :value " + example + ")))"));
        const std::unique_ptr<RecordedProgram> program =
            RecordedProgram::of(source, source.queries().back());
        EXPECT_EQ(program->begin(1), "");
        EXPECT_EQ(program->compare(1, 12), "");
      } catch (const std::exception& e) {
        ADD_FAILURE() << e.what();
      }
    }
  }
}

}  // namespace
