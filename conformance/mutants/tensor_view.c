// SPDX-License-Identifier: Apache-2.0
// Mutants of views.
#include "mutants/deleter.h"
#include "mutants/object_body.h"

MUTANT_WITHOUT(TEN_2, no_views, TensorCreateUnsafeView, "there are no views");

MUTANT(TEN_31, device_of_the_source, TensorCreateUnsafeView,
       "a view is on the device of its source")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  body->device = tensor_body(source)->device;
  return 0;
}

MUTANT(TEN_31, offset_added, TensorCreateUnsafeView,
       "the byte offset of a prototype is added to the data pointer of the view")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  body->data = (char *)body->data + body->byte_offset;
  body->byte_offset = 0;
  return 0;
}

MUTANT(TEN_32, shape_borrowed, TensorCreateUnsafeView,
       "a view has the shape of its prototype and no copy of it")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  body->shape = prototype->shape;
  return 0;
}

MUTANT(TEN_32, strides_borrowed, TensorCreateUnsafeView,
       "a view has the strides of its prototype and no copy of them")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  DLTensor *body = tensor_body(*out);
  body->strides = prototype->strides;
  return 0;
}

MUTANT(TEN_33, released_with_the_memory, TensorCreateUnsafeView,
       "a view lets go of its source when its memory is freed")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status != 0) return status;
  replace_deleter(*out, delete_with_the_memory);
  return 0;
}

MUTANT(TEN_33, two_references, TensorCreateUnsafeView, "a view takes two references to its source")
{
  int status = REFERENCE(TensorCreateUnsafeView)(source, prototype, out);
  if (status == 0) TVMFFIObjectIncRef(source);
  return status;
}
