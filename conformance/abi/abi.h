// SPDX-License-Identifier: Apache-2.0
// The ABI as data: functions, type indices and the layouts of its generations. Nothing here
// executes anything, and every list elsewhere (symbol resolution, inspect, list, missing functions)
// is derived from these tables.
#ifndef TVMFFI_CONFORMANCE_ABI_ABI_H_
#define TVMFFI_CONFORMANCE_ABI_ABI_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

// A version as one number that sorts as versions do; each part below 1024.
#define ABI_VERSION(major, minor, patch) \
  (((uint32_t)(major) << 20) | ((uint32_t)(minor) << 10) | (uint32_t)(patch))
#define ABI_VERSION_MAJOR(v) ((v) >> 20)
#define ABI_VERSION_MINOR(v) (((v) >> 10) & 1023u)
#define ABI_VERSION_PATCH(v) ((v)&1023u)

// Writes "0.1.9" into `text` (at least 16 bytes) and returns it.
char *abi_version_text(uint32_t version, char text[16]);

// The generations of the ABI. Within 0.1, versions tell what a library has; the older one has none.
typedef enum AbiGeneration { ABI_GENERATION_0_1, ABI_GENERATION_2025_09 } AbiGeneration;
// A set of generations is a word with these bits.
#define GENERATION_BIT(generation) (1u << (unsigned)(generation))
enum { ABI_GENERATIONS = 2 };

// What stands for the older generation where versions are compared: it is before all of them.
#define ABI_VERSION_2025_09 ABI_VERSION(0, 0, 0)

const char *abi_generation_name(AbiGeneration generation);  // "0.1", "2025-09"

// The generation of this name. False, and nothing is written, if there is none.
bool abi_generation_find(const char *name, AbiGeneration *generation);

// One enumerator a function: FN_GetVersion, FN_ObjectIncRef, ...
typedef enum AbiFunctionId {
#define ABI_FUNCTION(chapter, since, result, name, parameters) FN_##name,
#include "abi/functions.def"
  ABI_FUNCTION_COUNT
} AbiFunctionId;

typedef struct AbiFunction {
  const char *symbol;     // "TVMFFIGetVersion"
  const char *chapter;    // "version"
  const char *signature;  // "void (TVMFFIVersion *out_version)"
  uint32_t since;         // ABI_VERSION of the first version that has it
} AbiFunction;

extern const AbiFunction abi_functions[ABI_FUNCTION_COUNT];

// The function with this symbol name, or ABI_FUNCTION_COUNT. `symbol` need not end in NUL.
AbiFunctionId abi_function_find(const char *symbol, size_t length);

// What a function was called in the generation of September 2025, and NULL if it was not there. In
// 0.1 every function has the name of the table.
const char *abi_function_symbol_2025_09(AbiFunctionId function);

// The function that had this name then and has another one now, or ABI_FUNCTION_COUNT. `symbol`
// need not end in NUL.
AbiFunctionId abi_function_find_former(const char *symbol, size_t length);

// One member a function, typed: api.ObjectIncRef(object).
typedef struct AbiApi {
#define ABI_FUNCTION(chapter, since, result, name, parameters) result(*name) parameters;
#include "abi/functions.def"
} AbiApi;

// Name of a type index for messages: "SmallStr (11)", "dynamic object (130)", "13 (no such type)".
const char *abi_type_index_text(int32_t type_index, char text[48]);

// Where the parts of an object's header are, in one generation of the ABI. Offsets and widths in
// bytes.
typedef struct AbiLayout {
  const char *generation;  // "0.1", "2025-09"
  size_t header_size;
  size_t type_index_offset, deleter_offset;
  size_t strong_offset, strong_width;
  size_t weak_offset, weak_width;
  size_t padding_offset, padding_width;  // width 0: the generation has none
} AbiLayout;

extern const AbiLayout abi_layout_0_1;
extern const AbiLayout abi_layout_2025_09;

const AbiLayout *abi_layout(AbiGeneration generation);

#endif  // TVMFFI_CONFORMANCE_ABI_ABI_H_
