// SPDX-License-Identifier: Apache-2.0
// Mutants of what happens when there is no memory.
#include "mutants/registered.h"

MUTANT(ERR_46, failure_raised, ErrorCreate, "creating an error without memory raises another one")
{
  int status = REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("MemoryError", "out of memory");
  return status;
}

MUTANT(MEM_1, no_failure_reported, ErrorCreate, "creating an error without memory returns 0")
{
  REFERENCE(ErrorCreate)(kind, message, backtrace, out);
  return 0;
}

MUTANT(MEM_1, registered_all_the_same, TypeRegisterField,
       "registering a field without memory returns 0")
{
  void *place = malloc(sizeof *info);
  free(place);
  return place ? REFERENCE(TypeRegisterField)(type_index, info) : 0;
}

MUTANT(MEM_2, deleter_called, FunctionCreate,
       "a function that could not be made ends the closure that it was to own")
{
  int status = REFERENCE(FunctionCreate)(self, safe_call, deleter, out);
  if (status != 0 && deleter) deleter(self);
  return status;
}

MUTANT(MEM_2, output_written_first, StringFromByteArray,
       "a string is handed out before its second piece of memory is there")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0 || out->type_index != kTVMFFIStr) return status;
  void *piece = malloc(input->size);
  free(piece);
  if (piece) return 0;
  TVMFFIObjectDecRef(out->v_obj);
  return fail("InternalError", "out of memory");
}

MUTANT_REGISTERED(MEM_3, element_counted_first, "ffi.ListAppend",
                  "a list counts the element that it found no room for")
{
  int status = ORIGINAL(args, num_args, result);
  if (status != 0 && num_args == 2 && args[0].type_index == kTVMFFIList) {
    TVMFFISeqCell *cell = (TVMFFISeqCell *)(args[0].v_obj + 1);
    if (cell->size < cell->capacity) {
      ((TVMFFIAny *)cell->data)[cell->size++] = (TVMFFIAny){.type_index = kTVMFFINone};
    }
  }
  return status;
}

MUTANT(MEM_3, entered_first, FunctionSetGlobal,
       "a name is entered before there is memory for a note of it, and stays")
{
  int status = REFERENCE(FunctionSetGlobal)(name, f, allow_override);
  if (status != 0) return status;
  void *entry = malloc(32);
  free(entry);
  if (entry) return 0;
  return fail("InternalError", "out of memory");
}

MUTANT(MEM_4, first_piece_kept, ErrorCreate,
       "of two pieces of memory for an error the first is kept if there is no second")
{
  void *piece = malloc(message->size + 1);
  int status = piece ? REFERENCE(ErrorCreate)(kind, message, backtrace, out) : -1;
  if (status == 0) free(piece);
  return status;
}

MUTANT(MEM_4, reference_kept, TensorToDLPack,
       "an export that found no memory keeps its reference to the tensor")
{
  int status = REFERENCE(TensorToDLPack)(from, out);
  if (status != 0 && from && ((TVMFFIObject *)from)->type_index == kTVMFFITensor)
    TVMFFIObjectIncRef(from);
  return status;
}

static _Thread_local int exhausted;

MUTANT(MEM_5, refuses_from_then_on, BytesFromByteArray,
       "once there was no memory for a string, there is none for the strings that follow")
{
  if (!exhausted && REFERENCE(BytesFromByteArray)(input, out) == 0) return 0;
  exhausted = 1;
  return fail("InternalError", "out of memory");
}

MUTANT(MEM_8, an_error_of_its_own, StringFromByteArray,
       "creating a string without memory raises a MemoryError")
{
  int status = REFERENCE(StringFromByteArray)(input, out);
  if (status != 0) TVMFFIErrorSetRaisedFromCStr("MemoryError", "out of memory");
  return status;
}

// An opaque object in memory of the custom allocator.
typedef struct Spaced {
  TVMFFIObject header;
  TVMFFIOpaqueObjectCell cell;
  void (*deleter)(void *handle);
} Spaced;

static void delete_spaced(void *self, int flags)
{
  Spaced *object = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong && object->deleter)
    object->deleter(object->cell.handle);
  if (!(flags & kTVMFFIObjectDeleterFlagBitMaskWeak)) return;
  TVMFFIObjectAllocHeader before;
  memcpy(&before, (char *)self - sizeof before, sizeof before);
  before.delete_space(self);
}

MUTANT(MEM_11, called_unseen, ObjectCreateOpaque,
       "opaque objects lie in memory of the custom allocator, whose function frees it always")
{
  TVMFFICustomAllocator *allocator = TVMFFIGetCustomAllocator();
  if (type_index != kTVMFFIOpaquePyObject || out == NULL)
    return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
  Spaced *object = allocator->allocate(sizeof *object, 8, type_index, allocator->context);
  if (object == NULL) return -1;
  *object = (Spaced){.header = {.type_index = type_index, .deleter = delete_spaced},
                     .cell = {handle},
                     .deleter = deleter};
  object->header.combined_ref_count = (UINT64_C(1) << 32) | 1;
  *out = object;
  return 0;
}

MUTANT(MEM_10, another_error, ObjectCreateOpaque,
       "where the custom allocator has no memory its error is replaced")
{
  TVMFFICustomAllocator *allocator = TVMFFIGetCustomAllocator();
  void *space = allocator->allocate(8, 8, kTVMFFIObject, allocator->context);
  if (space == NULL) return fail("InternalError", "out of memory");
  TVMFFIObjectAllocHeader before;
  memcpy(&before, (char *)space - sizeof before, sizeof before);
  if (before.delete_space) before.delete_space(space);
  return REFERENCE(ObjectCreateOpaque)(handle, type_index, deleter, out);
}
