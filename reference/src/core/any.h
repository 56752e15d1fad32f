// SPDX-License-Identifier: Apache-2.0
// Values, for the files that keep or give back some.
#ifndef REFERENCE_SRC_CORE_ANY_H_
#define REFERENCE_SRC_CORE_ANY_H_

#include <tvm/ffi/c_api.h>

#include "core/object.h"

static inline TVMFFIAny any_none(void)
{
  return (TVMFFIAny){.type_index = kTVMFFINone};
}

static inline TVMFFIAny any_int(int64_t number)
{
  return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number};
}

static inline TVMFFIAny any_bool(bool truth)
{
  return (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = truth};
}

// Stands for the reference that the caller has: own if that was, borrow if that was.
static inline TVMFFIAny any_object(TVMFFIObject *object)
{
  TVMFFIAny value = {.type_index = object->type_index};  // LAY-6
  value.v_obj = object;
  return value;
}

// Returns the object that a value holds, NULL if it holds none.
static inline TVMFFIObject *any_held(const TVMFFIAny *value)
{
  return value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
}

// Returns own: a second value like the one that is owned already.
static inline TVMFFIAny any_share(const TVMFFIAny *owned)
{
  TVMFFIObject *object = any_held(owned);
  if (object != NULL) object_retain(object);
  return *owned;
}

// Gives back an owned value.
static inline void any_release(const TVMFFIAny *owned)
{
  TVMFFIObject *object = any_held(owned);
  if (object != NULL) object_release(object);
}

// Tells whether two values have the same 16 bytes.
static inline bool any_same(const TVMFFIAny *one, const TVMFFIAny *other)
{
  return one->type_index == other->type_index && one->zero_padding == other->zero_padding &&
         one->v_uint64 == other->v_uint64;
}

// Tells whether a view is a number or a pointer, of which nothing has to be owned.
static inline bool any_is_word(const TVMFFIAny *view)
{
  return view->type_index >= kTVMFFIInt && view->type_index <= kTVMFFIOpaquePtr;
}

// Returns such a view with its padding cleaned (ANY-1, ANY-4).
static inline TVMFFIAny any_word(const TVMFFIAny *view)
{
  TVMFFIAny value = {.type_index = view->type_index};
  value.v_uint64 = view->v_uint64;
  return value;
}

// Makes an owned value of a view that is an argument of a function, as its error will say.
// out: own, written on success. Returns 0; -1 with an error.
int any_own_argument(const char *function, const char *argument, const TVMFFIAny *view,
                     TVMFFIAny *out);

// Makes an owned value of a view, as TVMFFIAnyViewToOwnedAny does.
// out: own, written on success. Returns 0; -1 with an error.
static inline int any_own(const TVMFFIAny *view, TVMFFIAny *out)
{
  if (view->type_index >= kTVMFFIStaticObjectBegin && view->v_obj != NULL) {
    object_retain(view->v_obj);
    TVMFFIAny value = {.type_index = view->type_index};
    value.v_obj = view->v_obj;
    *out = value;
    return 0;
  }
  if (any_is_word(view)) {
    *out = any_word(view);
    return 0;
  }
  return TVMFFIAnyViewToOwnedAny(view, out);
}

#endif  // REFERENCE_SRC_CORE_ANY_H_
