// SPDX-License-Identifier: Apache-2.0
// The way into a function of the runtime. Most calls bring what the body can take as it is; for the
// others the arguments are copied, and converted there.
#include "native/native.h"

#include <string.h>

#include "container/map.h"
#include "container/sequence.h"
#include "core/raise.h"

// Out of the way of most calls, which then need hardly a register or the stack.
#define NATIVE_SELDOM __attribute__((noinline))

//--------------------------------------------------------------------------------------------------
// What a parameter takes as it is
//--------------------------------------------------------------------------------------------------

static inline bool native_is_small(const TVMFFIAny *arg, int32_t type_index)
{
  return arg->type_index == type_index && arg->small_str_len < sizeof arg->v_bytes;
}

static bool native_is_raw(const TVMFFIAny *arg)
{
  if (arg->type_index == kTVMFFIRawStr) return arg->v_c_str != NULL;
  const TVMFFIByteArray *bytes = arg->v_ptr;
  return bytes != NULL && raise_can_read(bytes);
}

bool native_is_string(const TVMFFIAny *arg)
{
  return (arg->type_index == kTVMFFIRawStr && native_is_raw(arg)) ||
         native_is_small(arg, kTVMFFISmallStr) || native_is_object(arg, kTVMFFIStr);
}

bool native_is_bytes(const TVMFFIAny *arg)
{
  return (arg->type_index == kTVMFFIByteArrayPtr && native_is_raw(arg)) ||
         native_is_small(arg, kTVMFFISmallBytes) || native_is_object(arg, kTVMFFIBytes);
}

// Tells whether a view can be read at all, rvalue references aside.
static inline bool native_is_view(const TVMFFIAny *arg)
{
  int32_t type_index = arg->type_index;
  if (type_index < kTVMFFIRawStr) return true;
  if (type_index >= kTVMFFIStaticObjectBegin) return native_is_object(arg, type_index);
  if (type_index <= kTVMFFIByteArrayPtr) return native_is_raw(arg);
  if (type_index == kTVMFFIObjectRValueRef) return false;
  return type_index > kTVMFFISmallBytes || arg->small_str_len < sizeof arg->v_bytes;
}

// What a parameter mostly gets, found without a branch for each type. NONE is no type index at all.
#define NONE INT64_MIN
static const int64_t usual_index[] = {
    [NATIVE_ANY] = NONE,
    [NATIVE_INT] = kTVMFFIInt,
    [NATIVE_BOOL] = kTVMFFIBool,
    [NATIVE_STR] = kTVMFFIStr,
    [NATIVE_BYTES] = kTVMFFIBytes,
    [NATIVE_POINTER] = kTVMFFIOpaquePtr,
    [NATIVE_OBJECT] = NONE,
    [NATIVE_FUNCTION] = kTVMFFIFunction,
    [NATIVE_ARRAY] = kTVMFFIArray,
    [NATIVE_MAP] = kTVMFFIMap,
    [NATIVE_LIST] = kTVMFFIList,
    [NATIVE_DICT] = kTVMFFIDict,
    [NATIVE_ANY_LIST] = kTVMFFIList,
    [NATIVE_ANY_DICT] = kTVMFFIDict,
    [NATIVE_MODULE] = kTVMFFIModule,
    [NATIVE_MAYBE_FUNCTION] = kTVMFFIFunction,
    [NATIVE_MAYBE_STR] = kTVMFFIStr,
    [NATIVE_MAYBE_INT] = kTVMFFIInt,
    [NATIVE_STR_ARRAY] = NONE,
    [NATIVE_DEVICE] = kTVMFFIDevice,
    [NATIVE_VOID] = NONE,
};
#undef NONE

static inline bool native_takes(NativeType type, const TVMFFIAny *arg)
{
  int32_t type_index = arg->type_index;
  if (type == NATIVE_ANY) return native_is_view(arg);
  if (type_index == usual_index[type]) {
    return type_index < kTVMFFIStaticObjectBegin || native_is_object(arg, type_index);
  }
  if (type == NATIVE_MAYBE_STR || type == NATIVE_MAYBE_FUNCTION || type == NATIVE_MAYBE_INT) {
    if (type_index == kTVMFFINone) return true;
    if (type == NATIVE_MAYBE_INT) return type_index == kTVMFFIBool;
    return type == NATIVE_MAYBE_STR && native_is_string(arg);
  }
  if (type == NATIVE_STR) return native_is_string(arg);
  if (type == NATIVE_BYTES) return native_is_bytes(arg);
  return (type == NATIVE_INT || type == NATIVE_BOOL) &&
         (type_index == kTVMFFIInt || type_index == kTVMFFIBool);
}

//--------------------------------------------------------------------------------------------------
// What has to be converted
//--------------------------------------------------------------------------------------------------

// Makes of an argument what the parameter takes.
// out: own, None on failure. Returns 0; -1 with an error.
static int native_convert(const NativeSpec *spec, const TVMFFIAny *arg, int32_t place,
                          TVMFFIAny *out)
{
  NativeType type = spec->params[place];
  TVMFFIObject *copy;
  *out = any_none();
  if (type == NATIVE_ANY && arg->type_index == kTVMFFIObjectRValueRef && arg->v_ptr != NULL) {
    static const char *const places[] = {"argument #0", "argument #1", "argument #2",
                                         "argument #3"};
    return any_own_argument(spec->name, places[place], arg, out);
  }
  if (type == NATIVE_POINTER && arg->type_index == kTVMFFINone) {
    out->type_index = kTVMFFIOpaquePtr;
    return 0;
  }
  if (type == NATIVE_ANY_LIST && native_is_object(arg, kTVMFFIArray)) {
    copy = sequence_copy_to_list(arg->v_obj);
  } else if (type == NATIVE_ANY_DICT && native_is_object(arg, kTVMFFIMap)) {
    copy = map_copy_to_dict(arg->v_obj);
  } else {
    return native_refuse_argument(spec, arg, place);
  }
  if (copy == NULL) return -1;
  *out = any_object(copy);
  return 0;
}

// Runs a call of which at least one argument can't be passed as it is.
NATIVE_SELDOM static int native_run_converted(const NativeCall *call)
{
  TVMFFIAny args[NATIVE_MAX_PARAMS], own[NATIVE_MAX_PARAMS];
  NativeCall converted = *call;
  int32_t count = 0;
  int code = 0;
  converted.args = args;
  for (; count < call->num_args && code == 0; ++count) {
    own[count] = any_none();
    args[count] = call->args[count];
    if (native_takes(call->spec->params[count], &args[count])) continue;
    code = native_convert(call->spec, &call->args[count], count, &own[count]);
    args[count] = own[count];
  }
  if (code == 0) code = call->spec->body(&converted);
  for (int32_t i = 0; i < count; ++i) any_release(&own[i]);
  return code;
}

//--------------------------------------------------------------------------------------------------
// The call
//--------------------------------------------------------------------------------------------------

// Runs a call with any number of arguments, of which at least one is more than a plain value. The
// function makes them owned itself, rvalue references too.
NATIVE_SELDOM static int native_run_variadic(const NativeCall *call)
{
  for (int32_t i = 0; i < call->num_args; ++i) {
    const TVMFFIAny *arg = &call->args[i];
    if (arg->type_index < kTVMFFIRawStr) continue;
    bool movable = arg->type_index == kTVMFFIObjectRValueRef && arg->v_ptr != NULL;
    if (!movable && !native_is_view(arg)) return native_refuse_argument(call->spec, arg, i);
  }
  return call->spec->body(call);
}

int native_run(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result,
               const NativeSpec *spec)
{
  NativeCall call = {spec, handle, args, num_args, result};
  if (result == NULL || result->type_index >= kTVMFFIStaticObjectBegin) {
    return native_refuse_result(spec, result);
  }
  if (args == NULL && num_args > 0) return raise_null(spec->name, "args");
  if (spec->arity == NATIVE_VARIADIC) {
    if (num_args < 0) return native_refuse_count(spec, num_args);
    for (int32_t i = 0; i < num_args; ++i) {
      if (args[i].type_index >= kTVMFFIRawStr) return native_run_variadic(&call);
    }
    return spec->body(&call);
  }
  if (num_args != spec->arity) return native_refuse_count(spec, num_args);
  for (int32_t i = 0; i < num_args; ++i) {
    if (!native_takes(spec->params[i], &args[i])) return native_run_converted(&call);
  }
  return spec->body(&call);
}

int native_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const NativeFunction *function = handle;
  return native_run(handle, args, num_args, result, function->spec);
}

void native_init(NativeFunction *function, const NativeSpec *spec)
{
  object_init(&function->header, kTVMFFIFunction, object_keep);
  function->spec = spec;
  function->cell.safe_call = spec->direct == NULL ? native_call : spec->direct;
}

int native_give_object(const NativeCall *call, TVMFFIObject *object)
{
  return object == NULL ? raise_out_of_memory() : native_give(call, any_object(object));
}

TVMFFIByteArray native_text(const TVMFFIAny *arg)
{
  switch (arg->type_index) {
    case kTVMFFIRawStr:
      return (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
    case kTVMFFIByteArrayPtr:
      return *(const TVMFFIByteArray *)arg->v_ptr;
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      return (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
    default:
      return *(const TVMFFIByteArray *)(arg->v_obj + 1);
  }
}
