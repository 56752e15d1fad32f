// SPDX-License-Identifier: Apache-2.0
// Calls of the functions that the runtime registers itself.
#ifndef REFERENCE_TESTS_CALL_H_
#define REFERENCE_TESTS_CALL_H_

#include <stdbool.h>
#include <tvm/ffi/c_api.h>

// Arguments of a call: call("ffi.Array", ARGS(view_int(1), view_str("x"))).
#define ARGS(...)                   \
  (const TVMFFIAny[]){__VA_ARGS__}, \
      (int32_t)(sizeof((TVMFFIAny[]){__VA_ARGS__}) / sizeof(TVMFFIAny))
#define NO_ARGS NULL, 0

static inline TVMFFIAny view_none(void)
{
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

static inline TVMFFIAny view_int(int64_t number)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number};
}

static inline TVMFFIAny view_bool(int64_t truth)
{
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = truth};
}

static inline TVMFFIAny view_float(double number)
{
  return (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = number};
}

static inline TVMFFIAny view_str(const char *text)
{
  return (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = text};
}

static inline TVMFFIAny view_bytes(const TVMFFIByteArray *bytes)
{
  return (TVMFFIAny){.type_index = kTVMFFIByteArrayPtr, .v_ptr = (void *)bytes};
}

static inline TVMFFIAny view_pointer(void *pointer)
{
  return (TVMFFIAny){.type_index = kTVMFFIOpaquePtr, .v_ptr = pointer};
}

static inline TVMFFIAny view_object(TVMFFIObjectHandle object)
{
  return (TVMFFIAny){.type_index = ((TVMFFIObject *)object)->type_index, .v_obj = object};
}

static inline TVMFFIAny view_rvalue(TVMFFIObjectHandle *slot)
{
  return (TVMFFIAny){.type_index = kTVMFFIObjectRValueRef, .v_ptr = slot};
}

// Calls a registered function, which must succeed and write all of a result. Returns own.
TVMFFIAny call(const char *name, const TVMFFIAny *args, int32_t num_args);

// The same for functions of a result of one kind.
TVMFFIObject *call_object(const char *name, const TVMFFIAny *args, int32_t num_args);
int64_t call_int(const char *name, const TVMFFIAny *args, int32_t num_args);
bool call_bool(const char *name, const TVMFFIAny *args, int32_t num_args);

// Calls a function without a result, which must leave the caller's as it is.
void call_void(const char *name, const TVMFFIAny *args, int32_t num_args);

// Calls a function object, which must succeed. Returns own.
TVMFFIAny call_function(TVMFFIObjectHandle function, const TVMFFIAny *args, int32_t num_args);

// Calls a function that must fail, leave the result alone, and raise this.
void expect_refused(const char *name, const TVMFFIAny *args, int32_t num_args, const char *kind,
                    const char *word);

// Calls a function again and again, each time with a later request for memory that fails, until
// none does; each must fail for want of memory. Returns the result of the call that succeeded.
TVMFFIAny call_with_faults(const char *name, const TVMFFIAny *args, int32_t num_args);

// The same for a call that makes as many requests as other suites have left names behind: behind
// the first thousand some are left out, so that it ends.
TVMFFIAny call_with_some_faults(const char *name, const TVMFFIAny *args, int32_t num_args);

// Gives back an owned value.
void drop(TVMFFIAny value);

// Checks that a value is a string, in whichever form, of this content.
#define expect_string(value, literal) expect_string_of(value, literal, sizeof(literal) - 1)
void expect_string_of(const TVMFFIAny *value, const char *due, size_t size);

#endif  // REFERENCE_TESTS_CALL_H_
