// SPDX-License-Identifier: Apache-2.0
// On which device the tensors of a container are.
#include "battery/registered.h"
#include "cases/runtime/tensor_source.h"

CHAPTER(reflection);

// Own: a container of these values.
static TVMFFIAny container_of(Iut *iut, const char *maker, TVMFFIAny *values, size_t count)
{
  TVMFFIAny made = any_none();
  require(expect_ok(iut, call_registered(iut, &made, maker, values, count)));
  return made;
}

static void expect_device(Iut *iut, TVMFFIAny container, int32_t device_type, int32_t device_id)
{
  TVMFFIAny found = any_none();
  int code = call_registered(iut, &found, "ffi.ContainerFindFirstNonCPUDevice", &container, 1);
  require(expect_ok(iut, code));
  require(expect_int("type index of the result", found.type_index, kTVMFFIDevice));
  expect_int("device type", (int32_t)found.v_device.device_type, device_type);
  expect_int("device number", found.v_device.device_id, device_id);
}

static TVMFFIAny tensor_on(Iut *iut, DLDevice device)
{
  TensorPlan plan = {.ndim = 1, .shape = {2}, .device = device};
  return view_of_object(iut, new_tensor(iut, DLPACK_PLAIN, &plan));
}

static const struct {
  const char *name, *outer, *inner;
} containers[] = {
    {"array", "ffi.Array", "ffi.Array"},
    {"list", "ffi.List", "ffi.Array"},
    {"map", "ffi.Map", "ffi.List"},
    {"dict", "ffi.Dict", "ffi.Map"},
};

CASE_ROWS(first_device_is_found, containers, .clauses = {REFL_19},
          .title = "the first tensor of a container that is not on the CPU tells the device")
{
  TVMFFIAny here = tensor_on(iut, (DLDevice){kDLCPU, 0});
  TVMFFIAny first = tensor_on(iut, (DLDevice){kDLCUDA, 3});
  TVMFFIAny second = tensor_on(iut, (DLDevice){kDLMetal, 1});
  TVMFFIAny none[] = {view_of_int(1), here};
  TVMFFIAny without = container_of(iut, row->outer, none, 2);
  expect_device(iut, without, kDLCPU, 0);
  TVMFFIAny some[] = {view_of_int(1), first};
  TVMFFIAny inner = container_of(iut, row->inner, some, 2);
  TVMFFIAny all[] = {view_of_int(1), here, view_of_int(2), inner};
  TVMFFIAny with = container_of(iut, row->outer, all, 4);
  expect_device(iut, with, kDLCUDA, 3);
  TVMFFIAny both[] = {first, second};
  TVMFFIAny array = container_of(iut, "ffi.Array", both, 2);
  expect_device(iut, array, kDLCUDA, 3);
  TVMFFIAny *owned[] = {&array, &with, &inner, &without, &first, &second, &here};
  for (int i = 0; i < 7; ++i) release_any(iut, owned[i]);
}
