// SPDX-License-Identifier: Apache-2.0
// Tensors by their structure, with and without what they contain.
#include "battery/registered.h"
#include "cases/runtime/tensor_source.h"

CHAPTER(reflection);

static const char equal[] = "ffi.StructuralEqual", hash[] = "ffi.StructuralHash";
static const char mismatch[] = "ffi.GetFirstStructuralMismatch";

static TVMFFIAny bool_of(bool truth)
{
  TVMFFIAny value = {.type_index = kTVMFFIBool};
  value.v_int64 = truth;
  return value;
}

// Own: a tensor of two floats, which must live as long.
static TVMFFIAny tensor_over(Iut *iut, const float *floats)
{
  TensorPlan plan = {.ndim = 1, .shape = {2}, .address = (uint64_t)(uintptr_t)floats};
  return view_of_object(iut, new_tensor(iut, DLPACK_PLAIN, &plan));
}

// Own: what a function gives.
static TVMFFIAny given_by(Iut *iut, const char *name, TVMFFIAny *args, size_t count)
{
  TVMFFIAny result = any_none();
  require(expect_ok(iut, call_registered(iut, &result, name, args, count)));
  return result;
}

// Expects tensors to be equal and to have no mismatch, or neither.
static void expect_compared(Iut *iut, TVMFFIAny one, TVMFFIAny other, bool skips, bool due)
{
  TVMFFIAny args[] = {one, other, bool_of(false), bool_of(skips)};
  TVMFFIAny truth = given_by(iut, equal, args, 4), paths = given_by(iut, mismatch, args, 4);
  expect_int("type index of the truth", truth.type_index, kTVMFFIBool);
  expect_int("truth", truth.v_int64, due);
  expect_int("type index of the mismatch", paths.type_index, due ? kTVMFFINone : kTVMFFIArray);
  release_any(iut, &paths);
}

static int64_t hash_of(Iut *iut, TVMFFIAny value, bool skips)
{
  TVMFFIAny args[] = {value, bool_of(false), bool_of(skips)};
  TVMFFIAny result = given_by(iut, hash, args, 3);
  require(expect_int("type index of the hash", result.type_index, kTVMFFIInt));
  return result.v_int64;
}

static const struct {
  const char *name;
  float other[2];
  bool equal;
} contents[] = {
    {"same-content", {1, 2}, true},
    {"other-content", {1, 3}, false},
};

CASE_ROWS(content_can_be_left_out, contents, .clauses = {REFL_35},
          .title = "tensors of one form are equal where content is skipped; else it is compared")
{
  static const float floats[2] = {1, 2};
  TVMFFIAny one = tensor_over(iut, floats), other = tensor_over(iut, row->other);
  expect_compared(iut, one, other, true, true);
  expect_int("hash without content", hash_of(iut, other, true), hash_of(iut, one, true));
  expect_compared(iut, one, other, false, row->equal);
  if (row->equal) expect_int("hash", hash_of(iut, other, false), hash_of(iut, one, false));
  release_any(iut, &other);
  release_any(iut, &one);
}
