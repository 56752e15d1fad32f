// SPDX-License-Identifier: Apache-2.0
// Writes parsed chapters as C.
#ifndef TVMFFI_SPEC_EXTRACT_TABLE_WRITER_H_
#define TVMFFI_SPEC_EXTRACT_TABLE_WRITER_H_

#include <stddef.h>
#include <stdio.h>

#include "clause_parser.h"

// Writes the header spec_clauses.h: the enumeration ClauseId, in the order of the chapters.
void table_write_header(FILE *out, const ParsedChapter *chapters, size_t count);

// Writes the source with the table that clause.c reads, in the same order.
void table_write_source(FILE *out, const ParsedChapter *chapters, size_t count);

#endif  // TVMFFI_SPEC_EXTRACT_TABLE_WRITER_H_
