// SPDX-License-Identifier: Apache-2.0
// tvmffi-appendix
//
// Prints spec/appendix.md: the tables of this folder as a page, so that the specification can be read
// and implemented without a header.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/layout_tables.h"
#include "abi/prototypes.h"

static const char introduction[] =
    "# Appendix: functions, names and layouts\n"
    "\n"
    "All functions, callbacks, enumerations and structs of the C API. The chapters say what the functions do; this page has\n"
    "what a C header has, so that nothing else is needed to declare them. It is generated from the tables of\n"
    "[conformance/abi](../conformance/abi), which the compiler compares with the headers of the reference, and\n"
    "`make tables` with those of every official release (`ninja appendix_page` writes it). `tvmffi-conform explain\n"
    "TVMFFIErrorCreate` prints the entry of a function, and the clauses that name it; the same for `kTVMFFIStr` and\n"
    "`TVMFFIErrorCell`.\n"
    "\n"
    "Versions are those that a library reports: see [README](README.md#the-form-of-a-clause). What differs in the generation\n"
    "of September 2025 is said where it does.\n"
    "\n"
    "## Conventions\n"
    "\n"
    "All functions have C linkage and the C calling convention of the platform. `TVMFFIObjectHandle` and\n"
    "`TVMFFIStreamHandle` are `void *`. A function of type `int` returns 0 for success and another number for failure\n"
    "(chapters [function](function.md) and [error](error.md)). The types of DLPack are those of `dlpack.h`.\n"
    "\n"
    "| whose | |\n"
    "|---|---|\n"
    "| borrowed | used during the call; the runtime copies what it needs later, and retains objects with a reference of its own |\n"
    "| taken from the caller | what the caller owned belongs to the runtime if the call succeeded, and to the caller if it failed |\n"
    "| kept by the runtime | the pointer is kept, and what it points to stays the caller's |\n"
    "| written | memory of the caller's that receives plain data |\n"
    "| owned by the caller | receives what the caller owns from then on: a reference that `TVMFFIObjectDecRef` releases, a value that may hold one, or a DLPack tensor; nothing is released of what was there before |\n"
    "| lent by the runtime | a pointer to what the runtime owns; the caller doesn't release it |\n"
    "\n";

static const char *text_of(uint32_t since, char text[16])
{
  return abi_version_text(since, text);
}

// "since 0.1.0", and what the generation before made of it.
static void print_since(AbiFunctionId function)
{
  char text[16];
  const char *then = abi_function_symbol_2025_09(function);
  printf("since %s", text_of(abi_functions[function].since, text));
  if (function == FN_ErrorCreate) {
    printf("; in 2025-09 it returned the error, or NULL, and had no `out`");
  } else if (!then) {
    if (abi_functions[function].since == ABI_VERSION(0, 1, 0)) printf("; not in 2025-09");
  } else if (strcmp(then, abi_functions[function].symbol) != 0) {
    printf("; in 2025-09 `%s`", then);
  } else {
    printf("; in 2025-09, too");
  }
}

static void print_function(AbiFunctionId function)
{
  char text[ABI_PROTOTYPE_MAX];
  printf("### %s\n\n```c\n%s;\n```\n\n", abi_functions[function].symbol,
         abi_prototype(function, text));
  print_since(function);
  printf("\n\n");
  size_t shown = 0;
  for (size_t i = 0; i < abi_ownership_count; ++i) {
    const AbiOwnership *row = &abi_ownership[i];
    if (row->function != function) continue;
    bool result = strcmp(row->parameter, "returns") == 0;
    printf("- %s%s%s: %s%s%s\n", result ? "" : "`", result ? "the result" : row->parameter,
           result ? "" : "`", abi_whose_name(row->whose), row->detail[0] ? "; " : "", row->detail);
    ++shown;
  }
  if (shown) printf("\n");
}

static void print_functions(void)
{
  const char *chapter = "";
  printf("## Functions\n\n");
  for (unsigned i = 0; i < ABI_FUNCTION_COUNT; ++i) {
    if (strcmp(chapter, abi_functions[i].chapter) != 0) {
      chapter = abi_functions[i].chapter;
      printf("Chapter [%s](%s.md):\n\n", chapter, chapter);
    }
    print_function((AbiFunctionId)i);
  }
}

static void print_callbacks(void)
{
  printf(
      "## Callbacks\n\nTypes of functions that callers and modules provide. Those without a name are in the structs "
      "below.\n\n```c\n");
  for (size_t i = 0; i < abi_callback_count; ++i) {
    const char *open = strstr(abi_callbacks[i].type, "(*)");
    printf("typedef %.*s(*%s)", (int)(open - abi_callbacks[i].type), abi_callbacks[i].type,
           abi_callbacks[i].name);
    for (const char *c = open + 3; *c; ++c)
      if (!(*c == ' ' && (c[-1] == '*' || c[-1] == ')'))) putchar(*c);
    printf(";\n");
  }
  printf("```\n\n");
}

static void print_type_indices(void)
{
  char text[16];
  printf(
      "## Type indices\n\n`TVMFFITypeIndex`, an `int32_t`. *View* and *owned* say where a value of it may stand. Indices "
      "from 64 to 127\nare static types of objects, and those from 128 on are assigned at run time.\n\n"
      "| name | value | type key | in a view | in an owned value | since |\n|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < abi_enumerator_count; ++i) {
    const AbiEnumerator *one = &abi_enumerators[i];
    if (!one->key) continue;
    printf("| `%s` | %" PRId32 " | %s%s%s | %s | %s | %s |\n", one->name, one->value,
           one->key[0] ? "`" : "", one->key, one->key[0] ? "`" : "",
           one->where & ABI_IN_VIEW ? "yes" : "no", one->where & ABI_IN_OWNED ? "yes" : "no",
           text_of(one->since, text));
  }
  printf("\n");
}

static void print_enumerations(void)
{
  char text[16];
  const char *last = "";
  printf(
      "## Other enumerations\n\nEach is an `int32_t`. Names with the same value are of different releases and mean the "
      "same; those of a bit mask\nare combined with `|`.\n");
  for (size_t i = 0; i < abi_enumerator_count; ++i) {
    const AbiEnumerator *one = &abi_enumerators[i];
    if (one->key) continue;
    if (strcmp(last, one->enumeration) != 0)
      printf("\n### %s\n\n| name | value | since |\n|---|---|---|\n", one->enumeration);
    last = one->enumeration;
    printf("| `%s` | %" PRId32 " | %s |\n", one->name, one->value, text_of(one->since, text));
  }
  printf("\n");
}

static void print_struct(size_t number)
{
  char text[16];
  const AbiStruct *structure = &abi_structs[number];
  printf("\n### %s\n\nsince %s; %zu bytes, on i386 %zu, on other 32-bit machines %zu\n\n",
         structure->name, text_of(structure->since, text), abi_struct_size(number, ABI_64_BIT),
         abi_struct_size(number, ABI_I386), abi_struct_size(number, ABI_32_BIT));
  printf("| field | type | 64-bit | i386 | other 32-bit | since |\n|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < abi_field_count; ++i) {
    if (strcmp(abi_fields[i].structure, structure->name) != 0) continue;
    printf("| `%s` | `%s` |", abi_fields[i].name, abi_fields[i].type);
    for (int machine = 0; machine < ABI_MACHINES; ++machine) {
      AbiPlace place = abi_field_place(i, (AbiMachine)machine);
      printf(" %zu, %zu |", place.offset, place.size);
    }
    printf(" %s |\n", text_of(abi_fields[i].since, text));
  }
}

static void print_structs(void)
{
  printf(
      "## Structs\n\nOffset and size of each field in bytes, in the newest version. Fields with the same offset are "
      "members of a union. A\ncell follows the header of its object: its fields are at these offsets from byte 24 of "
      "the object. A field that is\nnewer than its struct isn't there in objects and arguments of older code. In "
      "2025-09 `TVMFFIObject` has the order of\nLAY-3.\n");
  for (size_t i = 0; i < abi_struct_count; ++i) print_struct(i);
}

int main(void)
{
  fputs(introduction, stdout);
  print_functions();
  print_callbacks();
  print_type_indices();
  print_enumerations();
  print_structs();
  if (fflush(stdout) == 0) return EXIT_SUCCESS;
  perror("tvmffi-appendix: cannot write");
  return EXIT_FAILURE;
}
