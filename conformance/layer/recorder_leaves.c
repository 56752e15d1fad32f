// SPDX-License-Identifier: Apache-2.0
// What is recorded of calls of the C API that call nothing back: each is one event, written when it
// has returned.
#include <string.h>

#include "layer/hooks.h"
#include "layer/recorder.h"
#include "layer/recorder_write.h"
#include "layer/shadow.h"

typedef struct Leaf {
  const TVMFFIByteArray *text, *more, *doc, *metadata;
  const char *c_text, *c_more;
  int64_t numbers[5];
  size_t number_count;
  int code;
  bool has_code;
  TVMFFIObject *object;
  bool has_object;
  const TVMFFIAny *value;
  DLDataType dtype;
  bool has_dtype;
} Leaf;

static void put_leaf(RecordSink *sink, const void *of)
{
  const Leaf *leaf = of;
  if (leaf->text) recorder_put_text(sink, leaf->text);
  if (leaf->more) recorder_put_text(sink, leaf->more);
  if (leaf->c_text) recorder_put_c_string(sink, leaf->c_text);
  if (leaf->c_more) recorder_put_c_string(sink, leaf->c_more);
  for (size_t i = 0; i < leaf->number_count; ++i) recorder_put_int(sink, leaf->numbers[i]);
  if (leaf->has_code) recorder_put_int(sink, leaf->code);
  if (leaf->has_object) recorder_put_object(sink, leaf->object);
  if (leaf->value) recorder_put_value(sink, leaf->value);
  if (leaf->has_dtype)
    recorder_put_value(sink,
                       &(const TVMFFIAny){.type_index = kTVMFFIDataType, .v_dtype = leaf->dtype});
  if (leaf->doc) recorder_put_text(sink, leaf->doc);
  if (leaf->metadata) recorder_put_text(sink, leaf->metadata);
}

static void emit(const LayerSite *at, RecordLeaf what, const Leaf *leaf)
{
  if (recorder_is_kept(at->caller)) return;
  recorder_emit((RecorderEvent){RECORD_LEAF, what, recorder_index(at->runtime)}, put_leaf, leaf);
}

// The call itself, checked where it is checked without a recording.
#define CALL(name, ...) \
  (layer_hooks.name ? layer_hooks.name(at, __VA_ARGS__) : at->runtime->real.name(__VA_ARGS__))

// What came out, if the call gave anything.
static TVMFFIObject *given(int code, TVMFFIObjectHandle *out)
{
  return code == 0 && out ? *out : NULL;
}

static const TVMFFIAny *given_value(int code, const TVMFFIAny *out)
{
  static const TVMFFIAny none;
  return code == 0 && out ? out : &none;
}

static int ffi_call_recorder_FunctionGetGlobal(const LayerSite *at, const TVMFFIByteArray *name,
                                               TVMFFIObjectHandle *out)
{
  int code = CALL(FunctionGetGlobal, name, out);
  emit(at, LEAF_FunctionGetGlobal,
       &(const Leaf){.text = name,
                     .code = code,
                     .has_code = true,
                     .object = given(code, out),
                     .has_object = true});
  return code;
}

static int ffi_call_recorder_FunctionSetGlobal(const LayerSite *at, const TVMFFIByteArray *name,
                                               TVMFFIObjectHandle f, int allow_override)
{
  int code = CALL(FunctionSetGlobal, name, f, allow_override);
  emit(at, LEAF_FunctionSetGlobal,
       &(const Leaf){.text = name,
                     .numbers = {allow_override},
                     .number_count = 1,
                     .code = code,
                     .has_code = true,
                     .object = f,
                     .has_object = true});
  return code;
}

static int ffi_call_recorder_FunctionCreate(const LayerSite *at, void *self,
                                            TVMFFISafeCallType safe_call,
                                            void (*deleter)(void *self), TVMFFIObjectHandle *out)
{
  int code = CALL(FunctionCreate, self, safe_call, deleter, out);
  emit(at, LEAF_FunctionCreate,
       &(const Leaf){
           .code = code, .has_code = true, .object = given(code, out), .has_object = true});
  return code;
}

static int ffi_call_recorder_AnyViewToOwnedAny(const LayerSite *at, const TVMFFIAny *any_view,
                                               TVMFFIAny *out)
{
  const TVMFFIAny view = any_view ? *any_view : (TVMFFIAny){0};
  int code = CALL(AnyViewToOwnedAny, any_view, out);
  if (recorder_is_kept(at->caller)) return code;
  emit(at, LEAF_AnyViewToOwnedAny, &(const Leaf){.code = code, .has_code = true, .value = &view});
  return code;
}

static int ffi_call_recorder_StringFromByteArray(const LayerSite *at, const TVMFFIByteArray *input,
                                                 TVMFFIAny *out)
{
  int code = CALL(StringFromByteArray, input, out);
  emit(at, LEAF_StringFromByteArray,
       &(const Leaf){
           .text = input, .code = code, .has_code = true, .value = given_value(code, out)});
  return code;
}

static int ffi_call_recorder_BytesFromByteArray(const LayerSite *at, const TVMFFIByteArray *input,
                                                TVMFFIAny *out)
{
  int code = CALL(BytesFromByteArray, input, out);
  emit(at, LEAF_BytesFromByteArray,
       &(const Leaf){
           .text = input, .code = code, .has_code = true, .value = given_value(code, out)});
  return code;
}

static int ffi_call_recorder_ErrorCreate(const LayerSite *at, const TVMFFIByteArray *kind,
                                         const TVMFFIByteArray *message,
                                         const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out)
{
  int code = CALL(ErrorCreate, kind, message, backtrace, out);
  emit(at, LEAF_ErrorCreate,
       &(const Leaf){.text = kind,
                     .more = message,
                     .code = code,
                     .has_code = true,
                     .object = given(code, out),
                     .has_object = true});
  return code;
}

static void ffi_call_recorder_ErrorSetRaised(const LayerSite *at, TVMFFIObjectHandle error)
{
  emit(at, LEAF_ErrorSetRaised, &(const Leaf){.object = error, .has_object = true});
  CALL(ErrorSetRaised, error);
}

static void ffi_call_recorder_ErrorSetRaisedFromCStr(const LayerSite *at, const char *kind,
                                                     const char *message)
{
  emit(at, LEAF_ErrorSetRaisedFromCStr, &(const Leaf){.c_text = kind, .c_more = message});
  CALL(ErrorSetRaisedFromCStr, kind, message);
}

static void ffi_call_recorder_ErrorMoveFromRaised(const LayerSite *at, TVMFFIObjectHandle *result)
{
  CALL(ErrorMoveFromRaised, result);
  emit(at, LEAF_ErrorMoveFromRaised, &(const Leaf){.object = given(0, result), .has_object = true});
}

static int ffi_call_recorder_TypeKeyToIndex(const LayerSite *at, const TVMFFIByteArray *type_key,
                                            int32_t *out_tindex)
{
  int code = CALL(TypeKeyToIndex, type_key, out_tindex);
  emit(at, LEAF_TypeKeyToIndex, &(const Leaf){.text = type_key, .code = code, .has_code = true});
  return code;
}

static int ffi_call_recorder_DataTypeFromString(const LayerSite *at, const TVMFFIByteArray *str,
                                                DLDataType *out)
{
  int code = CALL(DataTypeFromString, str, out);
  emit(at, LEAF_DataTypeFromString,
       &(const Leaf){.text = str,
                     .code = code,
                     .has_code = true,
                     .dtype = code == 0 && out ? *out : (DLDataType){0, 0, 0},
                     .has_dtype = true});
  return code;
}

static int ffi_call_recorder_DataTypeToString(const LayerSite *at, const DLDataType *dtype,
                                              TVMFFIAny *out)
{
  int code = CALL(DataTypeToString, dtype, out);
  emit(at, LEAF_DataTypeToString,
       &(const Leaf){.code = code,
                     .has_code = true,
                     .value = given_value(code, out),
                     .dtype = dtype ? *dtype : (DLDataType){0, 0, 0},
                     .has_dtype = true});
  return code;
}

static int ffi_call_recorder_TensorFromDLPack(const LayerSite *at, DLManagedTensor *from,
                                              int32_t require_alignment, int32_t require_contiguous,
                                              TVMFFIObjectHandle *out)
{
  int code = CALL(TensorFromDLPack, from, require_alignment, require_contiguous, out);
  emit(at, LEAF_TensorFromDLPack,
       &(const Leaf){.numbers = {require_alignment, require_contiguous},
                     .number_count = 2,
                     .code = code,
                     .has_code = true,
                     .object = given(code, out),
                     .has_object = true});
  return code;
}

static int ffi_call_recorder_TensorFromDLPackVersioned(const LayerSite *at,
                                                       DLManagedTensorVersioned *from,
                                                       int32_t require_alignment,
                                                       int32_t require_contiguous,
                                                       TVMFFIObjectHandle *out)
{
  int code = CALL(TensorFromDLPackVersioned, from, require_alignment, require_contiguous, out);
  emit(at, LEAF_TensorFromDLPackVersioned,
       &(const Leaf){.numbers = {require_alignment, require_contiguous},
                     .number_count = 2,
                     .code = code,
                     .has_code = true,
                     .object = given(code, out),
                     .has_object = true});
  return code;
}

static int ffi_call_recorder_ObjectCreateOpaque(const LayerSite *at, void *handle,
                                                int32_t type_index, void (*deleter)(void *handle),
                                                TVMFFIObjectHandle *out)
{
  int code = CALL(ObjectCreateOpaque, handle, type_index, deleter, out);
  emit(at, LEAF_ObjectCreateOpaque,
       &(const Leaf){.numbers = {type_index},
                     .number_count = 1,
                     .code = code,
                     .has_code = true,
                     .object = given(code, out),
                     .has_object = true});
  return code;
}

// --- Types ---------------------------------------------------------------------------------------

// Types have numbers of their own in each process, so that a recording has their keys.
static const TVMFFIByteArray *key_of(const LayerSite *at, int32_t type_index)
{
  static const TVMFFIByteArray none = {"", 0};
  const TVMFFITypeInfo *info = type_index < 0 || !at->runtime->real.GetTypeInfo
                                   ? NULL
                                   : at->runtime->real.GetTypeInfo(type_index);
  return info ? &info->type_key : &none;
}

static int32_t ffi_call_recorder_TypeGetOrAllocIndex(const LayerSite *at,
                                                     const TVMFFIByteArray *type_key,
                                                     int32_t static_type_index, int32_t type_depth,
                                                     int32_t num_child_slots,
                                                     int32_t child_slots_can_overflow,
                                                     int32_t parent_type_index)
{
  int32_t index = CALL(TypeGetOrAllocIndex, type_key, static_type_index, type_depth,
                       num_child_slots, child_slots_can_overflow, parent_type_index);
  emit(at, LEAF_TypeGetOrAllocIndex,
       &(const Leaf){
           .text = type_key,
           .more = key_of(at, parent_type_index),
           .numbers = {static_type_index, type_depth, num_child_slots, child_slots_can_overflow},
           .number_count = 4,
           .code = index < 0 ? -1 : 0,
           .has_code = true});
  return index;
}

static int ffi_call_recorder_TypeRegisterAttr(const LayerSite *at, int32_t type_index,
                                              const TVMFFIByteArray *attr_name,
                                              const TVMFFIAny *attr_value)
{
  int code = CALL(TypeRegisterAttr, type_index, attr_name, attr_value);
  emit(at, LEAF_TypeRegisterAttr,
       &(const Leaf){.text = key_of(at, type_index),
                     .more = attr_name,
                     .code = code,
                     .has_code = true,
                     .value = attr_value});
  return code;
}

static int ffi_call_recorder_TypeRegisterMethod(const LayerSite *at, int32_t type_index,
                                                const TVMFFIMethodInfo *info)
{
  int code = CALL(TypeRegisterMethod, type_index, info);
  if (code == 0)
    emit(at, LEAF_TypeRegisterMethod,
         &(const Leaf){.text = key_of(at, type_index),
                       .more = &info->name,
                       .numbers = {info->flags},
                       .number_count = 1,
                       .code = code,
                       .has_code = true,
                       .value = &info->method,
                       .doc = &info->doc,
                       .metadata = &info->metadata});
  return code;
}

static int ffi_call_recorder_TypeRegisterField(const LayerSite *at, int32_t type_index,
                                               const TVMFFIFieldInfo *info)
{
  int code = CALL(TypeRegisterField, type_index, info);
  if (code == 0)
    emit(at, LEAF_TypeRegisterField,
         &(const Leaf){
             .text = key_of(at, type_index), .more = &info->name, .code = code, .has_code = true});
  return code;
}

static int ffi_call_recorder_FunctionSetGlobalFromMethodInfo(const LayerSite *at,
                                                             const TVMFFIMethodInfo *info,
                                                             int allow_override)
{
  int code = CALL(FunctionSetGlobalFromMethodInfo, info, allow_override);
  if (code == 0)
    emit(at, LEAF_FunctionSetGlobalFromMethodInfo,
         &(const Leaf){.text = &info->name,
                       .numbers = {allow_override},
                       .number_count = 1,
                       .code = code,
                       .has_code = true,
                       .value = &info->method,
                       .doc = &info->doc,
                       .metadata = &info->metadata});
  return code;
}

// --- Functions that types have -------------------------------------------------------------------

typedef struct Method {
  const TVMFFIByteArray *type, *name;
  const TVMFFIAny *function;
} Method;

static void put_method(RecordSink *sink, const void *of)
{
  const Method *method = of;
  recorder_put_text(sink, method->type);
  recorder_put_text(sink, method->name);
  recorder_put_value(sink, method->function);
}

// A program takes them from tables of the runtime, without a call.
static void note_function(const LayerSite *at, const Method *method, unsigned what)
{
  if (method->function->type_index != kTVMFFIFunction ||
      !recorder_is_kept(shadow_code_of(method->function->v_obj)))
    return;
  const ShadowRecord *known = shadow_record(method->function->v_obj);
  if (known && known->number) return;
  recorder_emit((RecorderEvent){RECORD_METHOD, what, recorder_index(at->runtime)}, put_method,
                method);
}

static const TVMFFITypeInfo *ffi_call_recorder_GetTypeInfo(const LayerSite *at, int32_t type_index)
{
  const TVMFFITypeInfo *info = CALL(GetTypeInfo, type_index);
  for (int32_t i = 0; info && !recorder_is_kept(at->caller) && i < info->num_methods; ++i)
    note_function(
        at, &(const Method){&info->type_key, &info->methods[i].name, &info->methods[i].method}, 0);
  if (!recorder_is_kept(at->caller)) recorder_note_fields(at, info);
  return info;
}

static const TVMFFITypeAttrColumn *ffi_call_recorder_GetTypeAttrColumn(
    const LayerSite *at, const TVMFFIByteArray *attr_name)
{
  const TVMFFITypeAttrColumn *column = CALL(GetTypeAttrColumn, attr_name);
  for (int32_t i = 0; column && !recorder_is_kept(at->caller) && i < column->size; ++i)
    if (column->data[i].type_index == kTVMFFIFunction)
      note_function(
          at, &(const Method){key_of(at, column->begin_index + i), attr_name, &column->data[i]}, 1);
  return column;
}

// --- Starting ------------------------------------------------------------------------------------

static LayerHooks hooks;

void recorder_start(void)
{
  if (!recorder_is_on()) return;
  hooks = layer_hooks;
#define RECORDED(name) hooks.name = ffi_call_recorder_##name
  RECORDED(FunctionGetGlobal);
  RECORDED(FunctionSetGlobal);
  RECORDED(FunctionCreate);
  RECORDED(AnyViewToOwnedAny);
  RECORDED(StringFromByteArray);
  RECORDED(BytesFromByteArray);
  RECORDED(ErrorCreate);
  RECORDED(ErrorSetRaised);
  RECORDED(ErrorSetRaisedFromCStr);
  RECORDED(ErrorMoveFromRaised);
  RECORDED(TypeKeyToIndex);
  RECORDED(DataTypeFromString);
  RECORDED(DataTypeToString);
  RECORDED(TensorFromDLPack);
  RECORDED(TensorFromDLPackVersioned);
  RECORDED(ObjectCreateOpaque);
  RECORDED(TypeGetOrAllocIndex);
  RECORDED(TypeRegisterAttr);
  RECORDED(TypeRegisterMethod);
  RECORDED(TypeRegisterField);
  RECORDED(FunctionSetGlobalFromMethodInfo);
  RECORDED(GetTypeInfo);
  RECORDED(GetTypeAttrColumn);
#undef RECORDED
  layer_hooks_now = &hooks;
}
