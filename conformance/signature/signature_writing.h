// SPDX-License-Identifier: Apache-2.0
// What the parts of the writer of signatures use of each other. Nothing else includes it.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITING_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITING_H_

#include <jansson.h>

#include "signature/signature.h"

// Whether nobody but the writer vouches for names, roles and examples: parameters get some.
bool writing_is_guess(const Signature *of);

// Sets a member unless the text is "".
void writing_text(json_t *object, const char *member, const Signature *of, SignatureText text);
// A number if the expression is one, else the text.
json_t *writing_expression(const Signature *of, SignatureText text);

json_t *writing_value(const Signature *of, uint32_t index);
json_t *writing_values(const Signature *of, SignatureRange values);
// One value as itself, several as a list.
json_t *writing_one_or_more(const Signature *of, SignatureRange values);

// `number`: of a parameter, to name it; -1: not to be named. `result`: it is one.
json_t *writing_type(const Signature *of, uint32_t index, int number, bool result);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_WRITING_H_
