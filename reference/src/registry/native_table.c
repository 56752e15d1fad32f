// SPDX-License-Identifier: Apache-2.0
// The functions that are registered from the start, in the order in which they are listed. Their
// objects need no memory and last as long as the process.
#include <stdlib.h>

#include "core/object.h"
#include "core/raise.h"
#include "frontend/frontend_table.h"
#include "frontend/reflect.h"
#include "module/module_load.h"
#include "module/module_native.h"
#include "module/system_lib.h"
#include "native/list.h"
#include "native/map_native.h"
#include "native/rows.h"
#include "native/sequence_native.h"
#include "native/shape.h"
#include "native/singleton.h"
#include "native/text.h"
#include "registry/native_table.h"
#include "registry/registry_native.h"

static const NativeSpec specs[] = {
    // Types, functions and names: REG-1 to REG-4
    {F0("ffi.GetRegisteredTypeKeys", reflect_type_keys, STR_ARRAY)},
    {PACKED("ffi.MakeObjectFromPackedArgs", reflect_make_object)},
    {F0("ffi.GetInvalidObject", singleton_get_invalid, OBJECT)},
    {F0("ffi.GetKwargsObject", singleton_get_kwargs, OBJECT)},
    {F1("ffi.FunctionRemoveGlobal", registry_native_remove, BOOL, STR)},
    {F0("ffi.FunctionListGlobalNamesFunctor", registry_native_list_names, FUNCTION)},
    {F1("ffi.GetGlobalFuncMetadata", registry_native_get_metadata, STR, STR)},
    {F3("ffi.FunctionFromExternC", registry_native_wrap, FUNCTION, POINTER, POINTER, POINTER)},
    // Texts, shapes and arrays: CON-1, CON-3
    {F1_DIRECT("ffi.String", text_own, STR, STR, text_call_string)},
    {F1_DIRECT("ffi.Bytes", text_own, BYTES, BYTES, text_call_bytes)},
    {PACKED_DIRECT("ffi.Shape", shape_make, shape_call)},
    {PACKED_DIRECT("ffi.Array", sequence_native_make_array, sequence_native_call_make_array)},
    {F2_DIRECT("ffi.ArrayGetItem", sequence_native_get_item, ANY, ARRAY, INT,
               sequence_native_call_array_get_item)},
    {F1_DIRECT("ffi.ArraySize", sequence_native_size, INT, ARRAY, sequence_native_call_array_size)},
    {F2("ffi.ArrayContains", sequence_native_contains, BOOL, ARRAY, ANY)},
    // Lists: CON-4
    {PACKED_DIRECT("ffi.List", sequence_native_make_list, sequence_native_call_make_list)},
    {F2_DIRECT("ffi.ListGetItem", sequence_native_get_item, ANY, LIST, INT,
               sequence_native_call_list_get_item)},
    {F3("ffi.ListSetItem", list_set_item, VOID, ANY_LIST, INT, ANY)},
    {F1_DIRECT("ffi.ListSize", sequence_native_size, INT, LIST, sequence_native_call_list_size)},
    {F2("ffi.ListContains", sequence_native_contains, BOOL, LIST, ANY)},
    {F2("ffi.ListAppend", list_append, VOID, ANY_LIST, ANY)},
    {F3("ffi.ListInsert", list_insert, VOID, ANY_LIST, INT, ANY)},
    {F2("ffi.ListPop", list_pop, ANY, ANY_LIST, INT)},
    {F2("ffi.ListErase", list_erase, VOID, ANY_LIST, INT)},
    {F3("ffi.ListEraseRange", list_erase_range, VOID, ANY_LIST, INT, INT)},
    {F4("ffi.ListReplaceSlice", list_replace_slice, VOID, ANY_LIST, INT, INT, ANY_LIST)},
    {F1("ffi.ListReverse", list_reverse, VOID, ANY_LIST)},
    {F1("ffi.ListClear", list_clear, VOID, ANY_LIST)},
    {F2("ffi.ListReserve", list_reserve, VOID, ANY_LIST, INT)},
    // Maps: CON-1, CON-2
    {PACKED_DIRECT("ffi.Map", map_native_make_map, map_native_call_make_map)},
    {F1("ffi.MapSize", map_native_size, INT, MAP)},
    {F2("ffi.MapGetItem", map_native_get_item, ANY, MAP, ANY)},
    {F2("ffi.MapGetItemOrMissing", map_native_get_item_or_missing, ANY, MAP, ANY)},
    {F2("ffi.MapCount", map_native_count, INT, MAP, ANY)},
    {F1("ffi.MapForwardIterFunctor", map_native_forward_iter, FUNCTION, MAP)},
    // Dicts: CON-4
    {PACKED_DIRECT("ffi.Dict", map_native_make_dict, map_native_call_make_dict)},
    {F1("ffi.DictSize", map_native_size, INT, DICT)},
    {F2("ffi.DictGetItem", map_native_get_item, ANY, DICT, ANY)},
    {F2("ffi.DictGetItemOrMissing", map_native_get_item_or_missing, ANY, DICT, ANY)},
    {F2("ffi.DictCount", map_native_count, INT, DICT, ANY)},
    {F3("ffi.DictSetItem", map_native_set_item, VOID, ANY_DICT, ANY, ANY)},
    {F2("ffi.DictErase", map_native_erase, VOID, ANY_DICT, ANY)},
    {F1("ffi.DictClear", map_native_clear, VOID, ANY_DICT)},
    {F1("ffi.DictForwardIterFunctor", map_native_forward_iter, FUNCTION, DICT)},
    // Modules: MOD-1, MOD-2
    {F2("ffi.Module.load_from_file.so", module_load_library, MODULE, STR, STR)},
    {F1("ffi.ModuleLoadFromFile", module_load_from_file, MODULE, STR)},
    {F3("ffi.ModuleGetFunction", module_native_get_function, MAYBE_FUNCTION, MODULE, STR, BOOL)},
    {F3("ffi.ModuleImplementsFunction", module_native_implements, BOOL, MODULE, STR, BOOL)},
    {F3("ffi.ModuleGetFunctionMetadata", module_native_get_metadata, MAYBE_STR, MODULE, STR, BOOL)},
    {F3("ffi.ModuleGetFunctionDoc", module_native_get_doc, MAYBE_STR, MODULE, STR, BOOL)},
    {F1("ffi.ModuleGetKind", module_native_get_kind, STR, MODULE)},
    {F1("ffi.ModuleGetPropertyMask", module_native_get_property_mask, INT, MODULE)},
    {F2("ffi.ModuleInspectSource", module_native_inspect_source, STR, MODULE, STR)},
    {F1("ffi.ModuleGetWriteFormats", module_native_get_write_formats, STR_ARRAY, MODULE)},
    {F3("ffi.ModuleWriteToFile", module_native_write_to_file, VOID, MODULE, STR, STR)},
    {F2("ffi.ModuleImportModule", module_native_import, VOID, MODULE, MODULE)},
    {F1("ffi.ModuleClearImports", module_native_clear_imports, VOID, MODULE)},
    {F1("ffi.ModuleGlobalsAdd", module_native_add_global, VOID, MODULE)},
    {F1("ffi.ModuleGlobalsRemove", module_native_remove_global, VOID, MODULE)},
    {PACKED("ffi.SystemLib", system_lib_get)},
};

#define COUNT (sizeof specs / sizeof *specs)
_Static_assert(COUNT + FRONTEND_TABLE_COUNT <= NATIVE_TABLE_MAX,
               "the registry has no room for that many functions");

const size_t native_table_count = COUNT + FRONTEND_TABLE_COUNT;

//--------------------------------------------------------------------------------------------------
// Function objects
//--------------------------------------------------------------------------------------------------

static NativeFunction functions[COUNT + FRONTEND_TABLE_COUNT];

const NativeSpec *native_table_spec(size_t place)
{
  return place < COUNT ? &specs[place] : &frontend_table[place - COUNT];
}

TVMFFIObject *native_table_function(size_t place)
{
  NativeFunction *function = &functions[place];
  if (function->spec == NULL) {
    native_init(function, native_table_spec(place));
  }
  object_retain(&function->header);
  return &function->header;
}
