// SPDX-License-Identifier: Apache-2.0
// add_one(x, y) of ../kernels, for vectors on a CUDA device: launches a kernel through the driver's
// API, opened at run time. An including file may say on which stream (STREAM), for how many
// elements (COUNT), in blocks of how many threads (BLOCK_SIZE), what is done before (BESIDES) and
// after it (AFTERWARDS), and when the launch is taken for refused (IS_REFUSED).
#ifndef TVMFFI_CONFORMANCE_TESTS_KERNELS_DEVICE_ADD_ONE_ON_DEVICE_H_
#define TVMFFI_CONFORMANCE_TESTS_KERNELS_DEVICE_ADD_ONE_ON_DEVICE_H_

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#ifndef STREAM
#define STREAM TVMFFIEnvGetStream(x->device.device_type, x->device.device_id)
#endif
#ifndef COUNT
#define COUNT ((uint64_t)x->shape[0])
#endif
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 128
#endif
#ifndef BESIDES
#define BESIDES (void)0
#endif
#ifndef AFTERWARDS
#define AFTERWARDS (void)0
#endif
#ifndef IS_REFUSED
#define IS_REFUSED(code) ((code) != 0)
#endif

enum { NO_CODE = 209 };

#define IS_RIGHT_DEVICE(device) ((device).device_type == kDLCUDA)
#define DEVICE_COMPLAINT "is not on CUDA"
#define COMPUTE                                                                                 \
  if (x->device.device_id != y->device.device_id)                                               \
    return FAIL("ValueError", "x and y are on different devices");                              \
  if (x->shape[0] == 0) return 0;                                                               \
  BESIDES;                                                                                      \
  int launched = launch(from, to, COUNT, STREAM);                                               \
  AFTERWARDS;                                                                                   \
  if (IS_REFUSED(launched))                                                                     \
  return FAIL("RuntimeError", (launched) == NO_CODE                                             \
                                  ? "x can't be worked on: no kernel image is available for it" \
                                  : "x can't be worked on: the driver refuses the launch")

static int launch(const float *from, float *to, unsigned long long count, void *stream);

#include "../kernels/add_one.h"

static const char ptx[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".visible .entry add_one(.param .u64 x, .param .u64 y, .param .u64 n)\n{\n"
    "  .reg .pred %p<2>;\n  .reg .f32 %f<3>;\n  .reg .b32 %r<5>;\n  .reg .b64 %rd<10>;\n"
    "  ld.param.u64 %rd1, [x];\n  ld.param.u64 %rd2, [y];\n  ld.param.u64 %rd3, [n];\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mad.lo.u32 %r4, %r1, %r2, %r3;\n  cvt.u64.u32 %rd4, %r4;\n"
    "  setp.ge.u64 %p1, %rd4, %rd3;\n  @%p1 bra done;\n"
    "  cvta.to.global.u64 %rd5, %rd1;\n  cvta.to.global.u64 %rd6, %rd2;\n"
    "  shl.b64 %rd7, %rd4, 2;\n  add.u64 %rd8, %rd5, %rd7;\n  add.u64 %rd9, %rd6, %rd7;\n"
    "  ld.global.f32 %f1, [%rd8];\n  add.f32 %f2, %f1, 0f3F800000;\n"
    "  st.global.f32 [%rd9], %f2;\ndone:\n  ret;\n}\n";

typedef int Launch(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);
static Launch *launch_kernel;
static void *function;

static void *driver_symbol(const char *name)
{
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return driver ? dlsym(driver, name) : NULL;
}

static void load_kernel(void)
{
  void *module = NULL;
  int (*load)(void **, const void *) = NULL;
  int (*find)(void **, void *, const char *) = NULL;
  void *found[] = {driver_symbol("cuModuleLoadData"), driver_symbol("cuModuleGetFunction"),
                   driver_symbol("cuLaunchKernel")};
  if (!found[0] || !found[1] || !found[2]) return;
  memcpy(&load, &found[0], sizeof load);
  memcpy(&find, &found[1], sizeof find);
  memcpy(&launch_kernel, &found[2], sizeof launch_kernel);
  if (load(&module, ptx) != 0 || find(&function, module, "add_one") != 0) function = NULL;
}

static int launch(const float *from, float *to, unsigned long long count, void *stream)
{
  enum { BLOCK = BLOCK_SIZE };
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  void *parameters[] = {&from, &to, &count};
  pthread_once(&once, load_kernel);
  if (!function) return -1;
  unsigned blocks = (unsigned)((count + BLOCK - 1) / BLOCK);
  return launch_kernel(function, blocks, 1, 1, BLOCK, 1, 1, 0, stream, parameters, NULL);
}

#endif  // TVMFFI_CONFORMANCE_TESTS_KERNELS_DEVICE_ADD_ONE_ON_DEVICE_H_
