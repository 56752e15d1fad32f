// SPDX-License-Identifier: Apache-2.0
#include "abi/prototypes.h"

#include <stdio.h>
#include <string.h>

#include "abi/layout_tables.h"

const AbiOwnership abi_ownership[] = {
#define ABI_OWNERSHIP(function, parameter, whose, detail) \
  {FN_##function, #parameter, whose, detail},
#include "abi/ownership.def"
};
const size_t abi_ownership_count = sizeof abi_ownership / sizeof abi_ownership[0];

const AbiCallback abi_callbacks[] = {
#define ABI_CALLBACK(result, name, parameters) {#name, #result " (*)" #parameters},
#include "abi/callbacks.def"
};
const size_t abi_callback_count = sizeof abi_callbacks / sizeof abi_callbacks[0];

const AbiEnumerator abi_enumerators[] = {
#define ABI_TYPE_INDEX(name, value, key, since, where) \
  {"TVMFFITypeIndex", "kTVMFFI" #name, value, since, key, where},
#include "abi/type_indices.def"
#define ABI_ENUMERATOR(enumeration, name, since, value) \
  {#enumeration, "kTVMFFI" #name, value, since, NULL, 0},
#include "abi/flags.def"
};
const size_t abi_enumerator_count = sizeof abi_enumerators / sizeof abi_enumerators[0];

// The types of the table and of the headers are written down independently; they have to agree.
#define ABI_CALLBACK(result, name, parameters) \
  _Static_assert(_Generic((name)NULL, result(*) parameters : 1, default : 0), "type of " #name);
#include "abi/callbacks.def"

const char *abi_whose_name(AbiWhose whose)
{
  static const char *const names[ABI_WHOSE_COUNT] = {
      [ABI_BORROWED] = "borrowed",         [ABI_TAKEN] = "taken from the caller",
      [ABI_KEPT] = "kept by the runtime",  [ABI_WRITTEN] = "written",
      [ABI_OWNED] = "owned by the caller", [ABI_LENT] = "lent by the runtime"};
  return names[whose];
}

char *abi_prototype(AbiFunctionId function, char text[ABI_PROTOTYPE_MAX])
{
  const char *signature = abi_functions[function].signature;
  const char *parameters = strchr(signature, '(');
  const char *result_end = parameters;
  while (result_end > signature && result_end[-1] == ' ') --result_end;
  bool pointer = result_end[-1] == '*';
  int used = snprintf(text, ABI_PROTOTYPE_MAX, "%.*s%s%s", (int)(result_end - signature), signature,
                      pointer ? "" : " ", abi_functions[function].symbol);
  // "(TVMFFIVersion * out_version)" is how the formatter leaves one parameter alone in parentheses.
  size_t at = (size_t)used;
  for (const char *c = parameters; *c && at + 1 < ABI_PROTOTYPE_MAX; ++c)
    if (!(*c == ' ' && c[-1] == '*')) text[at++] = *c;
  text[at] = '\0';
  return text;
}
