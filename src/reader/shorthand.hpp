// SPDX-License-Identifier: Apache-2.0
// The two reader shorthands that need a walk over the form: `(...) and #(...). Both are rewritten
// into plain data, so that no front end knows them. Made-up names hold the file index and offset of
// the shorthand: they are the same in every run, and no two shorthands of a run share one.
#pragma once
#include "diag/diagnostic.hpp"
#include "reader/datum.hpp"

namespace chancel {

// `form with ~ and ~@ (which arrive as (unquote x) and (unquote-splicing x)) as code that builds
// the form:
// `(a ~b ~@c) is (seq (concat (list (quote a)) (list b) c)). Symbols are quoted as written, not
// resolved; x# becomes one made-up name per syntax quote. `span` is the whole shorthand.
Datum expand_syntax_quote(const Datum& form, Span span, DiagnosticSink& sink);

// #(body) as (fn* [parameters] (body)): % and %1 are the first parameter, %& the rest. `span` is
// the whole shorthand, `body` the list with the span from its bracket on.
Datum expand_fn_literal(Datum body, Span span, DiagnosticSink& sink);

// How deeply collections are nested in the datum: 0 for an atom.
int nesting_of(const Datum& datum);

}  // namespace chancel
