// SPDX-License-Identifier: Apache-2.0
// The values of an attribute line, for the extractor and for the table that it generates.
#ifndef TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_
#define TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_

typedef enum { CLAUSE_MUST, CLAUSE_SHOULD, CLAUSE_UNSPECIFIED } ClauseLevel;

enum { CLAUSE_PROFILE_RUNTIME = 1, CLAUSE_PROFILE_MODULE = 2 };

#endif  // TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_
