// SPDX-License-Identifier: Apache-2.0
// Where a member stands in a JSON text that is known to be well-formed: jansson tells the line of a
// mistake in the form, not that of a value which it has read.
#ifndef TVMFFI_CONFORMANCE_PLAN_JSON_PLACE_H_
#define TVMFFI_CONFORMANCE_PLAN_JSON_PLACE_H_

// The line, from 1, of the member at `path`: names of members and numbers of elements with '/'
// between them, "functions/add_one/parameters/1/dtype". Where the path ends too early, the line of
// its last part that is there; 1 for "". Names that hold '/', '"' or a backslash are not found.
unsigned json_place_line(const char *text, const char *path);

#endif  // TVMFFI_CONFORMANCE_PLAN_JSON_PLACE_H_
