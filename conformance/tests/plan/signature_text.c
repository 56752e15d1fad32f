// SPDX-License-Identifier: Apache-2.0
#include "signature_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char signature_error[512];

KernelList *signature_module(void)
{
  static const char *const names[SIGNATURE_KERNELS] = {"add", "add_one", "scale"};
  static Kernel kernels[SIGNATURE_KERNELS];
  static KernelList list = {.items = kernels, .count = SIGNATURE_KERNELS};
  memset(kernels, 0, sizeof kernels);
  for (size_t i = 0; i < SIGNATURE_KERNELS; ++i)
    snprintf(kernels[i].name, sizeof kernels[i].name, "%s", names[i]);
  kernels[2].has_metadata = true;
  return &list;
}

KernelList *signature_read_bytes(const char *text, size_t size)
{
  char path[] = "/tmp/signatures-XXXXXX", error[sizeof signature_error] = "";
  int file = mkstemp(path);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(write(file, text, size), (ssize_t)size);
  close(file);
  KernelList *list = signature_module();
  bool good = signature_file_read(path, list, error, sizeof error);
  unlink(path);
  size_t length = strlen(path);
  signature_error[0] = '\0';
  if (good) {
    ck_assert_str_eq(error, "");
    return list;
  }
  // "FILE:LINE: ..."
  ck_assert_msg(strncmp(error, path, length) == 0 && error[length] == ':', "%s", error);
  snprintf(signature_error, sizeof signature_error, "%s", error + length + 1);
  return NULL;
}

KernelList *signature_read(const char *text)
{
  return signature_read_bytes(text, strlen(text));
}

char *signature_written(const KernelList *list)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(out);
  ck_assert(signature_file_write(out, list));
  ck_assert_int_eq(fclose(out), 0);
  return text;
}
