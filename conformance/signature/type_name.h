// SPDX-License-Identifier: Apache-2.0
// Names of types as C++ headers and compilers write them, in metadata and in errors:
// "Map<ffi.String, Array<ffi.Tensor>>", "(0: int) -> None", "Tensor([m, n], float32)". The text is a
// module's, and may be anything.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_TYPE_NAME_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_TYPE_NAME_H_

#include "signature/signature_build.h"

enum { TYPE_NAME_ARGUMENTS_MAX = 24 };  // of one type: elements, alternatives, parameters

// A type of which nothing is known, to be filled.
SignatureType type_name_blank(SignatureOrigin origin);

// The type that a name (`size` characters) is with these types in its angle brackets: "Array" and
// one type. Names that are not known give KERNEL_ANY, those with a dot KERNEL_OBJECT. Of a function,
// the first argument is the result.
SignatureType type_name_make(SignatureBuild *build, SignatureOrigin origin, const char *name,
                             size_t size, const SignatureType *arguments, size_t count);

// Reads the type at the beginning of `text`; returns how many characters it has, 0 if none begins
// there. What is nested more than SIGNATURE_DEPTH_MAX deep, or has more than
// TYPE_NAME_ARGUMENTS_MAX arguments, is KERNEL_ANY.
size_t type_name_read(SignatureBuild *build, SignatureOrigin origin, const char *text,
                      SignatureType *type);

// The signature that an error message holds: "f(0: Tensor, 1: int) -> None", "f(x: Tensor([n],
// float32), k: int32)". Own (malloc); NULL if it holds none, or one with more than
// TYPE_NAME_ARGUMENTS_MAX parameters. Its types are from SIGNATURE_FROM_ARITY_ERROR, or, where
// shapes are given, from SIGNATURE_FROM_MESSAGE.
Signature *type_name_signature(const char *message);

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_TYPE_NAME_H_
