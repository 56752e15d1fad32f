// SPDX-License-Identifier: Apache-2.0
// Mutants of tensors that an allocator makes.
#include <stdatomic.h>

#include "mutants/object_body.h"

// The allocator in force, while another one stands in for it.
static _Thread_local DLPackManagedTensorAllocator real;

static int allocate_with(DLPackManagedTensorAllocator stand_in, DLTensor *prototype,
                         TVMFFIObjectHandle *out)
{
  DLPackManagedTensorAllocator own = NULL;
  real = TVMFFIEnvGetDLPackManagedTensorAllocator();
  if (!real) return REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(stand_in, 0, &own);
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  TVMFFIEnvSetDLPackManagedTensorAllocator(own, 0, NULL);
  return status;
}

MUTANT(ENV_19, nothing_raised, EnvTensorAlloc, "nothing is raised if no allocator is set")
{
  return TVMFFIEnvGetDLPackManagedTensorAllocator() ? REFERENCE(EnvTensorAlloc)(prototype, out)
                                                    : -1;
}

MUTANT(ENV_44, output_cleared, EnvTensorAlloc, "the output is NULL if no allocator is set")
{
  if (!TVMFFIEnvGetDLPackManagedTensorAllocator()) *out = NULL;
  return REFERENCE(EnvTensorAlloc)(prototype, out);
}

static int allocate_on_device_0(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                                void (*report)(void *context, const char *kind,
                                               const char *message))
{
  DLTensor asked = *prototype;
  asked.device.device_id = 0;
  return real(&asked, out, context, report);
}

MUTANT(ENV_20, device_id_lost, EnvTensorAlloc, "an allocator is asked for memory of device 0")
{
  return allocate_with(allocate_on_device_0, prototype, out);
}

static int allocate_over_garbage(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                                 void (*report)(void *context, const char *kind,
                                                const char *message))
{
  static DLManagedTensorVersioned garbage;
  DLManagedTensorVersioned *made = &garbage;
  int status = real(prototype, &made, context, report);
  if (made != &garbage) *out = made;
  return status;
}

MUTANT(ENV_25, output_not_set, EnvTensorAlloc,
       "the output of an allocator is not set before it is called")
{
  return allocate_with(allocate_over_garbage, prototype, out);
}

static _Atomic(DLPackManagedTensorAllocator) global;

MUTANT(ENV_15, own_one_not_asked, EnvSetDLPackManagedTensorAllocator,
       "a thread asks the global allocator though it has its own")
{
  if (write_to_global_context) global = allocator;
  return REFERENCE(EnvSetDLPackManagedTensorAllocator)(allocator, write_to_global_context,
                                                       opt_out_original_allocator);
}

ALSO(ENV_15, own_one_not_asked, EnvTensorAlloc)
{
  DLPackManagedTensorAllocator own = NULL;
  if (!global) return REFERENCE(EnvTensorAlloc)(prototype, out);
  REFERENCE(EnvSetDLPackManagedTensorAllocator)(global, 0, &own);
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  REFERENCE(EnvSetDLPackManagedTensorAllocator)(own, 0, NULL);
  return status;
}

MUTANT(ENV_20, tried_out, EnvTensorAlloc, "an allocator is tried out before it is used")
{
  TVMFFIObjectHandle trial = NULL;
  int status = REFERENCE(EnvTensorAlloc)(prototype, &trial);
  if (status != 0) return status;
  TVMFFIObjectDecRef(trial);
  return REFERENCE(EnvTensorAlloc)(prototype, out);
}

static _Thread_local int strided;

static int allocate_and_note_strides(DLTensor *prototype, DLManagedTensorVersioned **out,
                                     void *context,
                                     void (*report)(void *context, const char *kind,
                                                    const char *message))
{
  int status = real(prototype, out, context, report);
  strided = status == 0 && *out && (*out)->dl_tensor.strides;
  return status;
}

MUTANT(ENV_21, strides_left_out, EnvTensorAlloc,
       "a tensor that was allocated has no strides if the allocator gave none")
{
  int status = allocate_with(allocate_and_note_strides, prototype, out);
  if (status == 0 && !strided) tensor_body(*out)->strides = NULL;
  return status;
}

MUTANT(ENV_21, two_references, EnvTensorAlloc, "a tensor that was allocated has two references")
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) TVMFFIObjectIncRef(*out);
  return status;
}

MUTANT(ENV_22, another_shape_refused, EnvTensorAlloc,
       "a tensor of another number of dimensions than the prototype has is refused")
{
  TVMFFIObjectHandle made = NULL;
  int status = REFERENCE(EnvTensorAlloc)(prototype, &made);
  if (status != 0) return status;
  if (tensor_body(made)->ndim == prototype->ndim) {
    *out = made;
    return 0;
  }
  TVMFFIObjectDecRef(made);
  return fail("RuntimeError", "the allocator made something else");
}

MUTANT(ENV_22, type_of_the_prototype, EnvTensorAlloc,
       "a tensor that was allocated has the data type of the prototype")
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) tensor_body(*out)->dtype = prototype->dtype;
  return status;
}

MUTANT(ENV_45, minus_one_for_all, EnvTensorAlloc, "every failure of an allocator returns -1")
{
  return REFERENCE(EnvTensorAlloc)(prototype, out) == 0 ? 0 : -1;
}

MUTANT(ENV_23, positive_is_success, EnvTensorAlloc,
       "an allocator that returns a positive code has succeeded")
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  return status > 0 ? 0 : status;
}

static void drop(void *context, const char *kind, const char *message)
{
  (void)context, (void)kind, (void)message;
}

static int allocate_unreported(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                               void (*report)(void *context, const char *kind, const char *message))
{
  (void)report;
  return real(prototype, out, context, drop);
}

MUTANT(ENV_24, error_dropped, EnvTensorAlloc, "an error that an allocator reports is dropped")
{
  return allocate_with(allocate_unreported, prototype, out);
}

MUTANT(ENV_24, kind_lost, EnvTensorAlloc,
       "an error that an allocator reports becomes a RuntimeError")
{
  int status = REFERENCE(EnvTensorAlloc)(prototype, out);
  if (status == 0) return 0;
  TVMFFIObjectHandle raised = NULL;
  TVMFFIErrorMoveFromRaised(&raised);
  if (!raised) return status;
  const TVMFFIErrorCell *cell = error_cell(raised);
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", cell->message.data);
  TVMFFIObjectDecRef(raised);
  return status;
}

static int allocate_something(DLTensor *prototype, DLManagedTensorVersioned **out, void *context,
                              void (*report)(void *context, const char *kind, const char *message))
{
  int status = real(prototype, out, context, report);
  return status == 0 && !*out ? -1 : status;
}

MUTANT(ENV_25, nothing_raised, EnvTensorAlloc,
       "an allocator that makes nothing and succeeds makes the call fail without an error")
{
  return allocate_with(allocate_something, prototype, out);
}

static _Thread_local int nothing_made;

static int allocate_and_note_nothing(DLTensor *prototype, DLManagedTensorVersioned **out,
                                     void *context,
                                     void (*report)(void *context, const char *kind,
                                                    const char *message))
{
  int status = real(prototype, out, context, report);
  nothing_made = status == 0 && !*out;
  return status;
}

MUTANT(ENV_25, null_is_a_tensor, EnvTensorAlloc,
       "an allocator that makes nothing and succeeds gives the handle NULL")
{
  nothing_made = 0;
  int status = allocate_with(allocate_and_note_nothing, prototype, out);
  if (!nothing_made) return status;
  TVMFFIErrorSetRaised(NULL);
  *out = NULL;
  return 0;
}
