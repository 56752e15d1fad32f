// SPDX-License-Identifier: Apache-2.0
// Context symbols: names and addresses that somebody registered. A library that is loaded gets the
// addresses of those for which it has a variable. This header is read by C++, too.
#ifndef REFERENCE_SRC_MODULE_CONTEXT_SYMBOL_H_
#define REFERENCE_SRC_MODULE_CONTEXT_SYMBOL_H_

#ifdef __cplusplus
extern "C" {
#endif

// Looks at a symbol. Returns 0 to go on, anything else to end the walk.
// name: borrow.
typedef int ContextSymbolVisit(const char *name, void *address, void *state);

// Visits the symbols in the order in which they were registered. Returns what the last visit did;
// 0 if there is none.
int context_symbol_visit_all(ContextSymbolVisit *visit, void *state);

#ifdef __cplusplus
}
#endif

#endif  // REFERENCE_SRC_MODULE_CONTEXT_SYMBOL_H_
