// SPDX-License-Identifier: Apache-2.0
// Imports a tensor that DLPack's flags say is read-only, and exports it again. Exit code 1 if the
// flag is lost.
#include <stdio.h>
#include <tvm/ffi/c_api.h>

static void delete_nothing(DLManagedTensorVersioned *self)
{
  (void)self;
}

int main(void)
{
  static float data[4] __attribute__((aligned(64)));
  static int64_t shape[] = {4}, strides[] = {1};
  static DLManagedTensorVersioned tensor = {.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
                                            .deleter = delete_nothing,
                                            .flags = DLPACK_FLAG_BITMASK_READ_ONLY,
                                            .dl_tensor = {.data = data,
                                                          .device = {kDLCPU, 0},
                                                          .ndim = 1,
                                                          .dtype = {kDLFloat, 32, 1},
                                                          .shape = shape,
                                                          .strides = strides}};
  TVMFFIObjectHandle imported;
  DLManagedTensorVersioned *exported;
  if (TVMFFITensorFromDLPackVersioned(&tensor, 0, 0, &imported)) return 2;
  if (TVMFFITensorToDLPackVersioned(imported, &exported)) return 2;
  const int kept = (exported->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0;
  puts(kept ? "read-only" : "writable");
  exported->deleter(exported);
  return !kept;
}
