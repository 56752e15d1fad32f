// SPDX-License-Identifier: Apache-2.0
// Functions that the runtime brings along. What each takes and gives stands in a table, from which
// come the checks of its arguments, the messages and its metadata.
#ifndef REFERENCE_SRC_NATIVE_NATIVE_H_
#define REFERENCE_SRC_NATIVE_NATIVE_H_

#include <tvm/ffi/c_api.h>

#include "core/any.h"
#include "core/raise.h"

#define NATIVE_QUOTED(name) "{\\\"type\\\":\\\"" name "\\\"}"
#define NATIVE_QUOTED_OF(name, args) "{\\\"type\\\":\\\"" name "\\\",\\\"args\\\":[" args "]}"

// What a function takes or gives: name, in messages, and schema, as it stands in the metadata.
//
//   ANY           every view. The body sees no rvalue references: they are moved out before.
//   INT BOOL      an int or a bool
//   STR BYTES     a text in any form
//   POINTER       an opaque pointer, or None for NULL
//   ARRAY ...     an object of exactly this type
//   ANY_LIST      a list; an array is taken as a new list of the same elements
//   ANY_DICT      a dict; a map is taken as a new dict of the same entries
#define NATIVE_TYPES(XX)                                                                    \
  XX(ANY, "Any", NATIVE_QUOTED("Any"))                                                      \
  XX(INT, "int", NATIVE_QUOTED("int"))                                                      \
  XX(BOOL, "bool", NATIVE_QUOTED("bool"))                                                   \
  XX(STR, "str", NATIVE_QUOTED("ffi.String"))                                               \
  XX(BYTES, "bytes", NATIVE_QUOTED("ffi.Bytes"))                                            \
  XX(POINTER, "void*", NATIVE_QUOTED("void*"))                                              \
  XX(OBJECT, "ffi.Object", NATIVE_QUOTED("ffi.Object"))                                     \
  XX(FUNCTION, "ffi.Function", NATIVE_QUOTED("ffi.Function"))                               \
  XX(ARRAY, "ffi.Array", NATIVE_QUOTED("ffi.Array"))                                        \
  XX(MAP, "ffi.Map", NATIVE_QUOTED("ffi.Map"))                                              \
  XX(LIST, "ffi.List", NATIVE_QUOTED("ffi.List"))                                           \
  XX(DICT, "ffi.Dict", NATIVE_QUOTED("ffi.Dict"))                                           \
  XX(ANY_LIST, "List<Any>", NATIVE_QUOTED_OF("ffi.List", NATIVE_QUOTED("Any")))             \
  XX(ANY_DICT, "Dict<Any, Any>",                                                            \
     NATIVE_QUOTED_OF("ffi.Dict", NATIVE_QUOTED("Any") "," NATIVE_QUOTED("Any")))           \
  XX(MODULE, "ffi.Module", NATIVE_QUOTED("ffi.Module"))                                     \
  XX(MAYBE_FUNCTION, "Optional<ffi.Function>",                                              \
     NATIVE_QUOTED_OF("Optional", NATIVE_QUOTED("ffi.Function")))                           \
  XX(MAYBE_STR, "Optional<str>", NATIVE_QUOTED_OF("Optional", NATIVE_QUOTED("ffi.String"))) \
  XX(MAYBE_INT, "Optional<int>", NATIVE_QUOTED_OF("Optional", NATIVE_QUOTED("int")))        \
  XX(STR_ARRAY, "Array<str>", NATIVE_QUOTED_OF("ffi.Array", NATIVE_QUOTED("ffi.String")))   \
  XX(DEVICE, "Device", NATIVE_QUOTED("Device"))                                             \
  XX(VOID, "void", NATIVE_QUOTED("None"))

typedef enum {
#define NATIVE_ENUMERATOR(type, name, schema) NATIVE_##type,
  NATIVE_TYPES(NATIVE_ENUMERATOR)
#undef NATIVE_ENUMERATOR
} NativeType;

#define NATIVE_MAX_PARAMS 4
#define NATIVE_VARIADIC (-1)

struct NativeSpec;

// A call whose arguments have been checked.
typedef struct {
  const struct NativeSpec *spec;
  void *handle;           // borrow: the function object
  const TVMFFIAny *args;  // borrow
  int32_t num_args;
  TVMFFIAny *result;  // to be written last, and only on success (REG-27)
} NativeCall;

// Does what a function is for. Returns 0; -1 with an error.
typedef int NativeBody(const NativeCall *call);

// A safe call, for those functions that have one of their own (see below).
typedef int NativeDirect(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

typedef struct NativeSpec {
  const char *name;
  NativeBody *body;
  NativeType result;
  int32_t arity;  // number of parameters, or NATIVE_VARIADIC for any number of anything
  NativeType params[NATIVE_MAX_PARAMS];
  NativeDirect *direct;  // what callers get in place of native_call; NULL for that itself
} NativeSpec;

// Checks arguments and result, converts what is to be converted, and runs the body.
// The arguments are those of a safe call and stay where they are: `spec` comes last.
int native_run(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result,
               const NativeSpec *spec);

// A function object. In cache lines of its own, so that threads that call different ones don't
// disturb each other.
typedef struct {
  _Alignas(64) TVMFFIObject header;
  TVMFFIFunctionCell cell;
  const NativeSpec *spec;
} NativeFunction;

// Makes a function object, which lasts as long as the process, of memory that is all zero.
// spec: borrow, for the life of the process.
void native_init(NativeFunction *function, const NativeSpec *spec);

// What callers get as the safe call of these functions: runs the one whose object the handle is.
int native_call(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result);

// Functions whose work is less than the way to it have a safe call of their own. It does what is
// asked mostly by itself, and leaves all other calls, wrong ones among them, to native_call.
//
// Tells whether it can: whether there are as many arguments as it says, and a result to write.
static inline bool native_is_direct(int32_t arity, const TVMFFIAny *args, int32_t num_args,
                                    const TVMFFIAny *result)
{
  return num_args == arity && args != NULL && result != NULL &&
         result->type_index < kTVMFFIStaticObjectBegin;
}

// The same for any number of arguments, none of which may be more than a plain value.
static inline bool native_is_plain(const TVMFFIAny *args, int32_t num_args, const TVMFFIAny *result)
{
  if (num_args < 0 || !native_is_direct(num_args, args, num_args, result)) return false;
  for (int64_t i = 0; i < num_args; ++i) {
    if (args[i].type_index >= kTVMFFIRawStr) return false;
  }
  return true;
}

// Tells whether a view holds an object that is what the view says it is.
static inline bool native_is_object(const TVMFFIAny *arg, int32_t type_index)
{
  return arg->type_index == type_index && arg->v_obj != NULL &&
         arg->v_obj->type_index == type_index;
}

// Gives a call its result.
// value: own. Returns 0.
static inline int native_give(const NativeCall *call, TVMFFIAny value)
{
  *call->result = value;
  return 0;
}

// The same with an object; raises InternalError, for want of memory, if there is none.
// object: own; may be NULL.
int native_give_object(const NativeCall *call, TVMFFIObject *object);

// Tell whether a view is a string, or bytes, that can be read.
bool native_is_string(const TVMFFIAny *arg);
bool native_is_bytes(const TVMFFIAny *arg);

// Returns the content of a STR or BYTES argument. Borrow: as long as the argument.
TVMFFIByteArray native_text(const TVMFFIAny *arg);

//--------------------------------------------------------------------------------------------------
// What is wrong with a call
//--------------------------------------------------------------------------------------------------

// Raises the error for a call that can't be run: because of its result, of the array of arguments
// or their number, or of the argument at `place`. All of these return -1.
RAISE_COLD int native_refuse_result(const NativeSpec *spec, const TVMFFIAny *result);
RAISE_COLD int native_refuse_count(const NativeSpec *spec, int32_t num_args);
RAISE_COLD int native_refuse_argument(const NativeSpec *spec, const TVMFFIAny *arg, int32_t place);

// Raises an error of a running function; the message begins with its name.
RAISE_COLD int native_fail(const NativeCall *call, const char *kind, const char *what);

// Raises IndexError: there is no such index in something of this size.
RAISE_COLD int native_fail_index(const NativeCall *call, int64_t index, int64_t size);

#endif  // REFERENCE_SRC_NATIVE_NATIVE_H_
