// SPDX-License-Identifier: Apache-2.0
// Makes a handle whose making needs another handle. Ends by SIGALRM if that never returns.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static void *outer, *inner;
static char thing;

static int make_inner(void **result)
{
  return *result = &thing, 0;
}

static int make_outer(void **result)
{
  *result = &thing;
  return TVMFFIHandleInitOnce(&inner, make_inner);
}

int main(void)
{
  alarm(5);
  const int code = TVMFFIHandleInitOnce(&outer, make_outer);
  printf("code %d\n", code);
  return code != 0 || !inner;
}
