// SPDX-License-Identifier: Apache-2.0
// Imports, from the opcodes of binding: a small machine that says which symbol of which library
// goes to which places. Only the symbols are of interest here.
#include <inttypes.h>

#include "macho/macho_parts.h"

typedef struct Machine {
  MachoFile *file;
  uint64_t at, end;
  MachoImport symbol;
  bool done;
} Machine;

static bool broken(const Machine *machine, const char *what)
{
  return binary_problem(machine->file->bytes.problem,
                        "%s at byte %" PRIu64
                        " of its opcodes for binding (build or copy it "
                        "again)",
                        what, machine->at);
}

static bool read_number(Machine *machine, uint64_t *value)
{
  return binary_uleb128(&machine->file->bytes, &machine->at, machine->end, value) ||
         broken(machine, "a number is cut off");
}

// Negative numbers have another last byte; nothing of them is of interest.
static bool skip_number(Machine *machine)
{
  const BinaryBytes *bytes = &machine->file->bytes;
  while (machine->at < machine->end) {
    if (!(bytes->data[machine->at++] & 0x80)) return true;
  }
  return broken(machine, "a number is cut off");
}

static bool set_ordinal(Machine *machine, uint64_t ordinal)
{
  machine->symbol.ordinal = ordinal > INT32_MAX ? INT32_MAX : (int32_t)ordinal;
  return true;
}

static bool set_symbol(Machine *machine, unsigned flags)
{
  const BinaryBytes *bytes = &machine->file->bytes;
  uint64_t begin = machine->at;
  machine->symbol.name = binary_text(bytes, begin, machine->end);
  machine->symbol.weak = flags & MACHO_BIND_SYMBOL_WEAK;
  while (machine->at < machine->end && bytes->data[machine->at] != 0) ++machine->at;
  if (machine->at == machine->end) return broken(machine, "a name is cut off");
  ++machine->at;
  return true;
}

static bool bind(Machine *machine)
{
  if (machine->symbol.name.size == 0) return broken(machine, "no symbol is named");
  return macho_add_import(machine->file, &machine->symbol);
}

static bool execute(Machine *machine, unsigned opcode, unsigned immediate)
{
  uint64_t number;
  switch (opcode) {
    case MACHO_BIND_DONE:
      machine->done = true;
      return true;
    case MACHO_BIND_SET_ORDINAL:
      return set_ordinal(machine, immediate);
    case MACHO_BIND_SET_ORDINAL_ULEB:
      return read_number(machine, &number) && set_ordinal(machine, number);
    case MACHO_BIND_SET_SPECIAL:
      machine->symbol.ordinal = immediate ? (int32_t)immediate - 16 : MACHO_SELF;
      return true;
    case MACHO_BIND_SET_SYMBOL:
      return set_symbol(machine, immediate);
    case MACHO_BIND_SET_TYPE:
      return true;
    case MACHO_BIND_SET_ADDEND:
    case MACHO_BIND_SET_SEGMENT:
    case MACHO_BIND_ADD_ADDRESS:
      return skip_number(machine);
    case MACHO_BIND_DO:
    case MACHO_BIND_DO_ADD_SCALED:
      return bind(machine);
    case MACHO_BIND_DO_ADD_ADDRESS:
      return bind(machine) && skip_number(machine);
    case MACHO_BIND_DO_TIMES:
      return bind(machine) && skip_number(machine) && skip_number(machine);
    case MACHO_BIND_THREADED:  // 0: a table of so many symbols follows; 1: apply it
      return immediate != 0 || skip_number(machine);
    default:
      return broken(machine, "an opcode is not known");
  }
}

// `lazy`: each symbol ends with the opcode that ends the other lists.
static bool run(MachoFile *file, MachoRange range, bool lazy)
{
  Machine machine = {.file = file, .at = range.offset, .end = range.offset + range.size};
  while (machine.at < machine.end && (lazy || !machine.done)) {
    unsigned byte = file->bytes.data[machine.at++];
    if (!execute(&machine, byte & MACHO_BIND_OPCODE, byte & MACHO_BIND_IMMEDIATE)) return false;
  }
  return true;
}

// What only the list of weak binds has is defined in this file, too.
bool macho_binds_read(MachoFile *file)
{
  return run(file, file->binds, false) && run(file, file->lazy_binds, true);
}
