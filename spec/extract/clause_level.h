// SPDX-License-Identifier: Apache-2.0
// The values of an attribute line, for the extractor and for the table that it generates.
#ifndef TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_
#define TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_

// From the strictest to the one that judges nothing.
typedef enum { CLAUSE_MUST, CLAUSE_SHOULD, CLAUSE_HARDENING, CLAUSE_UNSPECIFIED } ClauseLevel;

// Who relies on a clause, as bits: one of the first three if it binds runtimes, `module` if it binds
// modules. `caller` is alone: such a clause binds whoever calls runtimes and modules, both rely on
// it, and no case judges it.
enum {
  CLAUSE_SCOPE_CORE = 1,      // whoever speaks C to a runtime
  CLAUSE_SCOPE_FRONTEND = 2,  // language packages, by the names of registered functions
  CLAUSE_SCOPE_HEADERS = 4,   // compiled C++ code with the official headers inlined
  CLAUSE_SCOPE_MODULE = 8,    // whoever loads a module
  CLAUSE_SCOPE_CALLER = 16,   // whoever is called
};

enum {
  CLAUSE_PROFILE_RUNTIME = CLAUSE_SCOPE_CORE | CLAUSE_SCOPE_FRONTEND | CLAUSE_SCOPE_HEADERS,
  CLAUSE_PROFILE_MODULE = CLAUSE_SCOPE_MODULE,
};

#endif  // TVMFFI_SPEC_EXTRACT_CLAUSE_LEVEL_H_
