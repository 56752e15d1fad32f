// SPDX-License-Identifier: Apache-2.0
#include "battery/objects.h"

#include <stdatomic.h>

#include "battery/access.h"
#include "battery/expect.h"
#include "battery/registered.h"

static const char text_of_objects[] = "longer than seven";
static atomic_uint contents_destroyed;

unsigned object_contents_destroyed(void)
{
  return atomic_load(&contents_destroyed);
}

static void destroy_content(void *content)
{
  (void)content;
  atomic_fetch_add(&contents_destroyed, 1);
}

// --- Objects of a given content ------------------------------------------------------------------

// The object of a value that was just made, which must be of this type.
static TVMFFIObjectHandle object_in(const TVMFFIAny *made, int32_t type_index)
{
  require(expect_type_index(made, type_index));
  require(expect_not_null("the object of the value", made->v_obj));
  return made->v_obj;
}

TVMFFIAny new_text(Iut *iut, int32_t type_index, const char *text)
{
  TVMFFIByteArray bytes = bytes_of(text);
  TVMFFIAny made = garbage_but_none();
  int (*make)(const TVMFFIByteArray *, TVMFFIAny *) =
      type_index == kTVMFFIStr ? iut->StringFromByteArray : iut->BytesFromByteArray;
  require(expect_ok(iut, make(&bytes, &made)));
  object_in(&made, type_index);
  return made;
}

TVMFFIObjectHandle new_error(Iut *iut, const char *kind, const char *message, const char *backtrace)
{
  TVMFFIByteArray kind_bytes = bytes_of(kind), message_bytes = bytes_of(message);
  TVMFFIByteArray backtrace_bytes = bytes_of(backtrace);
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreate(&kind_bytes, &message_bytes, &backtrace_bytes, &error)));
  require(expect_not_null("the error that was made", error));
  return error;
}

TVMFFIObjectHandle take_raised_error(Iut *iut)
{
  TVMFFIObjectHandle error = take_error(iut);
  require(expect_not_null("the raised error", error));
  return error;
}

TVMFFIObjectHandle new_function(Iut *iut, void *self, TVMFFISafeCallType callback,
                                void (*deleter)(void *self))
{
  TVMFFIObjectHandle function = NULL;
  require(expect_ok(iut, iut->FunctionCreate(self, callback, deleter, &function)));
  require(expect_not_null("the function that was made", function));
  return function;
}

TVMFFIObjectHandle new_opaque(Iut *iut, void *handle, void (*deleter)(void *handle))
{
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->ObjectCreateOpaque(handle, kTVMFFIOpaquePyObject, deleter, &object)));
  require(expect_not_null("the object", object));
  return object;
}

// --- Texts ---------------------------------------------------------------------------------------

TVMFFIObjectHandle new_string_object(Iut *iut)
{
  return new_text(iut, kTVMFFIStr, text_of_objects).v_obj;
}

TVMFFIObjectHandle new_bytes_object(Iut *iut)
{
  return new_text(iut, kTVMFFIBytes, text_of_objects).v_obj;
}

static TVMFFIObjectHandle object_of_view(Iut *iut, TVMFFIAny view, int32_t type_index)
{
  TVMFFIAny made = garbage_but_none();
  require(expect_ok(iut, iut->AnyViewToOwnedAny(&view, &made)));
  return object_in(&made, type_index);
}

TVMFFIObjectHandle new_string_object_of_view(Iut *iut)
{
  return object_of_view(iut, view_of_raw_string(text_of_objects), kTVMFFIStr);
}

TVMFFIObjectHandle new_bytes_object_of_view(Iut *iut)
{
  TVMFFIByteArray bytes = bytes_of(text_of_objects);
  return object_of_view(iut, view_of_byte_array(&bytes), kTVMFFIBytes);
}

TVMFFIObjectHandle new_big_integer_object(Iut *iut)
{
  static const uint64_t words[] = {0, 1};
  const TVMFFIByteArray input = {(const char *)words, sizeof words};
  TVMFFIAny made = garbage_but_none();
  require(expect_ok(iut, iut->BigIntFromByteArray(&input, &made)));
  return object_in(&made, kTVMFFIBigInt);
}

// --- Errors --------------------------------------------------------------------------------------

TVMFFIObjectHandle new_error_object(Iut *iut)
{
  return new_error(iut, "ValueError", text_of_objects, "");
}

TVMFFIObjectHandle new_error_object_with_cause(Iut *iut)
{
  TVMFFIByteArray kind = bytes_of("ValueError"), message = bytes_of("no"), trace = bytes_of("");
  TVMFFIObjectHandle error = NULL;
  require(expect_ok(iut, iut->ErrorCreateWithCauseAndExtraContext(
                             &kind, &message, &trace, new_error_object(iut), NULL, &error)));
  return error;
}

TVMFFIObjectHandle new_raised_error_object(Iut *iut)
{
  iut->ErrorSetRaisedFromCStr("ValueError", text_of_objects);
  return take_raised_error(iut);
}

// --- Functions and opaque objects ----------------------------------------------------------------

static int give_nothing(void *handle, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  (void)handle, (void)args, (void)num_args, (void)result;
  return 0;
}

TVMFFIObjectHandle new_function_object(Iut *iut)
{
  return new_function(iut, NULL, give_nothing, NULL);
}

TVMFFIObjectHandle new_closure_object(Iut *iut)
{
  return new_function(iut, &contents_destroyed, give_nothing, destroy_content);
}

TVMFFIObjectHandle new_opaque_object(Iut *iut)
{
  return new_opaque(iut, &contents_destroyed, destroy_content);
}

// --- Tensors -------------------------------------------------------------------------------------

static int64_t extent = 3, stride = 1;
static float elements[3];

#define TENSOR                                                                      \
  {                                                                                 \
    .data = elements, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 32, 1}, \
    .shape = &extent, .strides = &stride                                            \
  }

static void destroy_plain(DLManagedTensor *self)
{
  destroy_content(self);
}

static void destroy_versioned(DLManagedTensorVersioned *self)
{
  destroy_content(self);
}

TVMFFIObjectHandle new_tensor_object(Iut *iut)
{
  static DLManagedTensor managed = {.dl_tensor = TENSOR, .deleter = destroy_plain};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->TensorFromDLPack(&managed, 0, 0, &object)));
  return object;
}

TVMFFIObjectHandle new_versioned_tensor_object(Iut *iut)
{
  static DLManagedTensorVersioned managed = {
      .version = {DLPACK_MAJOR_VERSION, 0}, .dl_tensor = TENSOR, .deleter = destroy_versioned};
  TVMFFIObjectHandle object = NULL;
  require(expect_ok(iut, iut->TensorFromDLPackVersioned(&managed, 0, 0, &object)));
  return object;
}

TVMFFIObjectHandle new_tensor_object_of_tensor(Iut *iut)
{
  DLManagedTensor *managed = NULL;
  TVMFFIObjectHandle object = NULL, first = new_tensor_object(iut);
  require(expect_ok(iut, iut->TensorToDLPack(first, &managed)));
  require(expect_ok(iut, iut->TensorFromDLPack(managed, 0, 0, &object)));
  iut->ObjectDecRef(first);
  return object;
}

TVMFFIObjectHandle new_tensor_view_object(Iut *iut)
{
  static const DLTensor prototype = TENSOR;
  TVMFFIObjectHandle object = NULL, source = new_tensor_object(iut);
  require(expect_ok(iut, iut->TensorCreateUnsafeView(source, &prototype, &object)));
  iut->ObjectDecRef(source);
  return object;
}

// --- Kinds ---------------------------------------------------------------------------------------

TVMFFIObjectHandle new_object_of_kind(Iut *iut, const ObjectKind *kind)
{
  if (kind->make) return kind->make(iut);
  TVMFFIAny args[] = {view_of_int(7), view_of_int(8)}, made = any_none();
  require(expect_ok(iut, call_registered(iut, &made, kind->maker, args, kind->arguments)));
  return object_in(&made, kind->type_index);
}

bool can_make_object_of_kind(Iut *iut, const ObjectKind *kind)
{
  if (kind->type_index == kTVMFFITensor) return iut_has(iut, FN_TensorFromDLPack);
  if (kind->type_index == kTVMFFIBigInt) return iut_has(iut, FN_BigIntFromByteArray);
  return !kind->maker || is_registered(iut, kind->maker);
}

static uint32_t since_of(int32_t type_index)
{
  switch (type_index) {
#define ABI_TYPE_INDEX(name, value, key, since, where) \
  case kTVMFFI##name:                                  \
    return since;
#include "abi/type_indices.def"
    default:
      return 0;
  }
}

void require_type_index_of_version(const Iut *iut, int32_t type_index)
{
  if (iut->version < since_of(type_index))
    case_not_applicable("this version has no type index %d", type_index);
}
