// SPDX-License-Identifier: Apache-2.0
// Objects that hold objects, very deeply, and what they hold when weak references are left.
#include "call.h"
#include "probe.h"
#include "unit/unit.h"

// Each kind of holder makes an object around another one, whose reference it takes.
static TVMFFIObject *in_sequence(const char *maker, TVMFFIObject *inner)
{
  TVMFFIObjectHandle slot = inner;
  return call_object(maker, ARGS(view_rvalue(&slot)));
}

static TVMFFIObject *in_map(const char *maker, TVMFFIObject *inner, int position)
{
  TVMFFIObjectHandle slot = inner;
  TVMFFIAny entry[] = {view_int(position), view_int(2)};
  entry[position] = view_rvalue(&slot);
  return call_object(maker, entry, 2);
}

// A dict so large that it has a table.
static TVMFFIObject *in_large_dict(TVMFFIObject *inner)
{
  TVMFFIObject *dict = call_object(
      "ffi.Dict", ARGS(view_int(1), view_int(1), view_int(2), view_int(1), view_int(3), view_int(1),
                       view_int(4), view_int(1), view_int(5), view_int(1)));
  TVMFFIObjectHandle slot = inner;
  call_void("ffi.DictSetItem", ARGS(view_object(dict), view_int(6), view_rvalue(&slot)));
  return dict;
}

static TVMFFIObject *in_error(TVMFFIObject *inner)
{
  TVMFFIObjectHandle out = NULL;
  ck_assert_int_eq(TVMFFIErrorCreateWithCauseAndExtraContext(BYTES("k"), BYTES("m"), BYTES(""),
                                                             NULL, inner, &out),
                   0);
  TVMFFIObjectDecRef(inner);
  return out;
}

// A function that walks through a map holds the map.
static TVMFFIObject *in_functor(TVMFFIObject *inner)
{
  TVMFFIObject *map = in_map("ffi.Map", inner, 1);
  TVMFFIObject *functor = call_object("ffi.MapForwardIterFunctor", ARGS(view_object(map)));
  TVMFFIObjectDecRef(map);
  return functor;
}

static TVMFFIObject *wrap(TVMFFIObject *inner, int kind)
{
  switch (kind) {
    case 0:
      return in_sequence("ffi.Array", inner);
    case 1:
      return in_sequence("ffi.List", inner);
    case 2:
      return in_map("ffi.Map", inner, 1);
    case 3:
      return in_map("ffi.Dict", inner, 0);
    case 4:
      return in_large_dict(inner);
    case 5:
      return in_error(inner);
    default:
      return in_functor(inner);
  }
}

enum { KINDS = 7, MIXED = KINDS };

TEST_GROUP(all, .timeout = 120);

TEST(a_deep_nest_ends, .rows = KINDS + 1)
{
  int depth = _i == 0 ? 1000000 : 60000;
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *nest = &probe.header;
  for (int i = 0; i < depth; ++i) nest = wrap(nest, _i == MIXED ? i % KINDS : _i);
  TVMFFIObjectDecRef(nest);
  ck_assert_int_eq(probe.calls, 1);
}

// What is shared by a dying nest and somebody else lives on, whole.
TEST(a_shared_part_lives_on, .rows = KINDS)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *inner = wrap(&probe.header, _i);
  TVMFFIObjectIncRef(inner);
  TVMFFIObject *outer = in_sequence("ffi.Array", in_sequence("ffi.List", inner));
  expect_counts(inner, 2, 1);
  TVMFFIObjectDecRef(outer);
  expect_counts(inner, 1, 1);
  ck_assert_int_eq(probe.calls, 0);
  TVMFFIObjectDecRef(inner);
  ck_assert_int_eq(probe.calls, 1);
}

// The content goes with the strong references, the memory with the weak ones.
TEST(weak_references_keep_the_memory, .rows = KINDS)
{
  Probe probe = probe_make(kTVMFFIOpaquePyObject);
  TVMFFIObject *inner = wrap(&probe.header, _i);
  inner->combined_ref_count += COUNTS(0, 1);
  TVMFFIObject *outer = in_sequence("ffi.Array", inner);
  void (*deleter)(void *, int) = inner->deleter;
  TVMFFIObjectDecRef(outer);
  ck_assert_int_eq(probe.calls, 1);
  expect_counts(inner, 0, 1);
  ck_assert(inner->deleter == deleter);
  inner->deleter(inner, kTVMFFIObjectDeleterFlagBitMaskWeak);
  ck_assert_int_eq(probe.calls, 1);
}
