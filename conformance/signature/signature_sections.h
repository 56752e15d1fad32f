// SPDX-License-Identifier: Apache-2.0
// The sections of a signature as a table, for what packs and what checks them.
#ifndef TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_SECTIONS_H_
#define TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_SECTIONS_H_

#include "signature/signature.h"

typedef enum SignaturePart {
  SIGNATURE_FORMS,
  SIGNATURE_TYPES,
  SIGNATURE_EXTENTS,
  SIGNATURE_VALUES,
  SIGNATURE_VARIABLES,
  SIGNATURE_SETTINGS,
  SIGNATURE_EXPECTED,
  SIGNATURE_REFUSALS,
  SIGNATURE_CALLS,
  SIGNATURE_CONDITIONS,
  SIGNATURE_TOLERANCES,
  SIGNATURE_STEPS,
  SIGNATURE_SEQUENCES,
  SIGNATURE_TEXTS,
  SIGNATURE_PART_COUNT
} SignaturePart;

typedef struct SignaturePartRow {
  size_t place;      // of the SignatureSection in Signature
  size_t item_size;  // bytes
} SignaturePartRow;

extern const SignaturePartRow signature_parts[SIGNATURE_PART_COUNT];

#endif  // TVMFFI_CONFORMANCE_SIGNATURE_SIGNATURE_SECTIONS_H_
