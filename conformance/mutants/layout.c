// SPDX-License-Identifier: Apache-2.0
// Mutants of where the bytes of values and objects are.
#include "mutants/counts.h"
#include "mutants/object_body.h"

MUTANT(LAY_1, values_of_24_bytes, AnyViewToOwnedAny, "a value is cleared over 24 bytes")
{
  int status = REFERENCE(AnyViewToOwnedAny)(any_view, out);
  if (status == 0) memset(out + 1, 0, 8);
  return status;
}

typedef struct {
  int32_t type_index;
  uint32_t weak;
  uint64_t strong;
  void (*deleter)(void *self, int flags);
  void *handle;
  void (*delete_handle)(void *handle);
} EarlierOpaque;

static void delete_earlier(void *self, int flags)
{
  EarlierOpaque *opaque = self;
  if ((flags & 1) && opaque->delete_handle) opaque->delete_handle(opaque->handle);
  if (flags & 2) free(opaque);
}

MUTANT(LAY_2, type_index_first, ObjectCreateOpaque,
       "opaque objects keep the header of the generation before")
{
  if (type_index != kTVMFFIOpaquePyObject)
    return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  EarlierOpaque *opaque = malloc(sizeof *opaque);
  if (!opaque) return -1;
  *opaque = (EarlierOpaque){type_index, 1, 1, delete_earlier, handle, deleter};
  *out = opaque;
  return 0;
}

MUTANT(LAY_6, bytes_say_string, BytesFromByteArray,
       "the header of a bytes object names the type of a string")
{
  int status = REFERENCE(BytesFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIBytes) out->v_obj->type_index = kTVMFFIStr;
  return status;
}

// The object is put together elsewhere and copied: nothing at such an address may be written as a
// struct.
static void delete_shifted(void *self, int flags)
{
  if (flags & 2) free((char *)self - 4);
}

MUTANT(LAY_7, at_multiples_of_four, StringFromByteArray,
       "a string object lies four bytes behind a multiple of eight")
{
  if (input->size <= 7) return REFERENCE(StringFromByteArray)(input, out);
  char *block = malloc(4 + 40 + input->size + 1);
  if (!block) return REFERENCE(StringFromByteArray)(input, out);
  char *data = block + 4 + 40;
  TVMFFIObject header = {.type_index = kTVMFFIStr};
  set_counts(&header, 1, 1);
  header.deleter = delete_shifted;
  TVMFFIByteArray cell = {data, input->size};
  memcpy(block + 4, &header, sizeof header);
  memcpy(block + 4 + 24, &cell, sizeof cell);
  memcpy(data, input->data, input->size);
  data[input->size] = '\0';
  void *handle = block + 4;
  memset(out, 0, sizeof *out);
  out->type_index = kTVMFFIStr;
  memcpy(&out->v_obj, &handle, sizeof handle);
  return 0;
}

MUTANT(LAY_8, function_without_deleter, FunctionCreate,
       "functions without self have no deleter: there is nothing to delete, it seems")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0 && !self && !deleter) ((TVMFFIObject *)*out)->deleter = NULL;
  return status;
}

enum { BY_THE_RUNTIME = 4 };

MUTANT(LAY_9, flag_of_its_own, ObjectDecRef,
       "the deleter is told by a third flag that it was called by the runtime")
{
  TVMFFIObject *object = obj;
  if (!object) return 0;
  if (drop_strong(object) != 1) return 0;
  int flags = weak_count(object) == 1 ? 3 : 1;
  if (object->deleter) object->deleter(object, flags | BY_THE_RUNTIME);
  if (flags == 3) return 0;
  if (drop_weak(object) == 1 && object->deleter) object->deleter(object, 2 | BY_THE_RUNTIME);
  return 0;
}

MUTANT(LAY_10, size_before_data, StringFromByteArray,
       "the cell of a string object begins with the size")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status == 0 && out->type_index == kTVMFFIStr) {
    char *cell = (char *)(out->v_obj + 1);
    TVMFFIByteArray right;
    memcpy(&right, cell, sizeof right);
    memcpy(cell, &right.size, sizeof right.size);
    memcpy(cell + sizeof right.size, &right.data, sizeof right.data);
  }
  return status;
}

MUTANT(LAY_11, message_before_kind, ErrorCreate, "the cell of an error begins with the message")
{
  return REFERENCE(ErrorCreate)(message, kind, backtrace, out);
}

enum { KEPT = 4096 };

static struct {
  const void *function;
  TVMFFISafeCallType safe_call;
} kept[KEPT];

static size_t kept_count;

MUTANT(LAY_13, call_kept_elsewhere, FunctionCreate,
       "the safe call of a function is known to FunctionCall only, its cell holds NULL")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0 && kept_count < KEPT) {
    TVMFFIFunctionCell *cell = function_cell(*out);
    kept[kept_count].function = *out;
    kept[kept_count++].safe_call = cell->safe_call;
    cell->safe_call = NULL;
  }
  return status;
}

ALSO(LAY_13, call_kept_elsewhere, FunctionCall)
{
  for (size_t i = kept_count; i-- > 0;)  // the latest first: an address may come back
    if (kept[i].function == func) return kept[i].safe_call(func, args, num_args, result);
  return REFERENCE(FunctionCall)(func, args, num_args, result);
}

MUTANT(LAY_14, cpp_call_filled, FunctionCreate,
       "the C callback stands in the place of the C++ call too")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) memcpy((char *)*out + 32, (char *)*out + 24, sizeof safe_call);
  return status;
}

typedef struct {
  void *handle;
  void (*deleter)(void *handle);
} Box;

static void delete_box(void *handle)
{
  Box *box = handle;
  if (box->deleter) box->deleter(box->handle);
  free(box);
}

MUTANT(LAY_15, handle_in_a_box, ObjectCreateOpaque,
       "an opaque object holds a pointer to a box, and the box holds the handle")
{
  Box *box = malloc(sizeof *box);
  if (!box) return -1;
  *box = (Box){handle, deleter};
  int status = REFERENCE(ObjectCreateOpaque)(box, type_index, delete_box, out);
  if (status != 0) free(box);
  return status;
}

MUTANT(LAY_16, reads_80_bytes, FunctionSetGlobalFromMethodInfo,
       "a method description is taken to be 80 bytes long")
{
  volatile char copy[80];
  for (size_t i = 0; i < sizeof copy; ++i) copy[i] = ((const volatile char *)method_info)[i];
  return REFERENCE(FunctionSetGlobalFromMethodInfo)(method_info, allow_override);
}

#ifdef TVM_FFI_GENERATION_2025_09
MUTANT(LAY_3, header_of_today, StringFromByteArray,
       "strings begin with one combined counter, as in 0.1")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIStr) return status;
  memcpy(out->v_obj, &(uint64_t){UINT64_C(0x100000001)}, 8);
  memcpy((char *)out->v_obj + 8, &(uint64_t){kTVMFFIStr}, 8);
  return 0;
}

MUTANT(LAY_3, two_counts_of_32_bits, FunctionCreate,
       "a new function has its counts as two numbers of 32 bits, one behind the other")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status == 0) memcpy((char *)*out + 8, (uint32_t[]){1, 1}, 8);
  return status;
}
#else
static const uint64_t one_strong = UINT64_C(1) << 32;

MUTANT(LAY_4, halves_swapped, ObjectIncRef,
       "strong references are counted in the high half, weak ones in the low half")
{
  TVMFFIObject *object = obj;
  if (object) __atomic_fetch_add(&object->combined_ref_count, one_strong, __ATOMIC_RELAXED);
  return 0;
}

ALSO(LAY_4, halves_swapped, ObjectDecRef)
{
  TVMFFIObject *object = obj;
  if (!object) return 0;
  uint64_t before = __atomic_fetch_sub(&object->combined_ref_count, one_strong, __ATOMIC_ACQ_REL);
  if (before >> 32 != 1) return 0;
  bool last_of_all = (uint32_t)before == 1;
  if (object->deleter) object->deleter(object, last_of_all ? 3 : 1);
  if (last_of_all) return 0;
  before = __atomic_fetch_sub(&object->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (before == 1 && object->deleter) object->deleter(object, 2);
  return 0;
}

MUTANT(LAY_12, context_before_cause, ErrorCreateWithCauseAndExtraContext,
       "the cell of an error has the extra context before the cause")
{
  int status = REFERENCE(ErrorCreateWithCauseAndExtraContext)(kind, message, backtrace, cause_chain,
                                                              extra_context, out);
  if (status == 0) {
    TVMFFIErrorCell *cell = error_cell(*out);
    cell->cause_chain = extra_context;
    cell->extra_context = cause_chain;
  }
  return status;
}
#endif
