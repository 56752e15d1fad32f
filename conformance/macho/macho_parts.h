// SPDX-License-Identifier: Apache-2.0
// The parts that a Mach-O file is read in, each in a file of its own. All return false with the
// problem recorded where the file is damaged or memory is out.
#ifndef TVMFFI_CONFORMANCE_MACHO_MACHO_PARTS_H_
#define TVMFFI_CONFORMANCE_MACHO_MACHO_PARTS_H_

#include "macho/macho.h"

bool macho_commands_read(MachoFile *file);  // the header's load commands
bool macho_trie_read(MachoFile *file);      // exports
bool macho_fixups_read(MachoFile *file);    // imports, from chained fixups
bool macho_binds_read(MachoFile *file);     // imports, from opcodes
bool macho_symbols_exports(MachoFile *file);
bool macho_symbols_imports(MachoFile *file);

void macho_texts_free(MachoFile *file);

bool macho_add_export(MachoFile *file, const MachoExport *symbol);
bool macho_add_import(MachoFile *file, const MachoImport *symbol);

#endif  // TVMFFI_CONFORMANCE_MACHO_MACHO_PARTS_H_
