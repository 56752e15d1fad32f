// SPDX-License-Identifier: Apache-2.0
// Signatures as they are put together: items are added to growing arrays, then packed into one
// block.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_BUILD_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_BUILD_H_

#include "signature/signature.h"

typedef struct SignatureBuild SignatureBuild;  // opaque

// NULL without memory. signature_build_end frees it.
SignatureBuild *signature_build_begin(SignatureOrigin origin, bool tentative);

// Each adds one item and returns its index. Items of one range must be added side by side: children
// are collected by the caller first. Without memory, or beyond SIGNATURE_SIZE_MAX, the build is
// lost: indices mean nothing from then on, and signature_build_end says so.
uint32_t signature_add_form(SignatureBuild *build, const SignatureForm *form);
SignatureRange signature_add_types(SignatureBuild *build, const SignatureType *types, size_t count);
SignatureRange signature_add_extents(SignatureBuild *build, const SignatureExtent *extents,
                                     size_t count);
SignatureRange signature_add_values(SignatureBuild *build, const SignatureValue *values,
                                    size_t count);
SignatureRange signature_add_variables(SignatureBuild *build, const SignatureVariable *variables,
                                       size_t count);
SignatureRange signature_add_settings(SignatureBuild *build, const SignatureSetting *settings,
                                      size_t count);
SignatureRange signature_add_expected(SignatureBuild *build, const SignatureExpected *expected,
                                      size_t count);
SignatureRange signature_add_refusals(SignatureBuild *build, const SignatureRefusal *refusals,
                                      size_t count);
SignatureRange signature_add_calls(SignatureBuild *build, const SignatureCall *calls, size_t count);
SignatureRange signature_add_conditions(SignatureBuild *build, const SignatureText *conditions,
                                        size_t count);
SignatureRange signature_add_tolerances(SignatureBuild *build, const SignatureTolerance *tolerances,
                                        size_t count);
SignatureRange signature_add_steps(SignatureBuild *build, const SignatureStep *steps, size_t count);
SignatureRange signature_add_sequences(SignatureBuild *build, const SignatureSequence *sequences,
                                       size_t count);
// Equal texts are stored once.
SignatureText signature_add_text(SignatureBuild *build, const char *text, size_t size);

// The block (own, malloc), or NULL if there was no memory or it would be too large.
Signature *signature_build_end(SignatureBuild *build);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_BUILD_H_
