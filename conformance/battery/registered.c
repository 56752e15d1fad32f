// SPDX-License-Identifier: Apache-2.0
#include "battery/registered.h"

#include "battery/access.h"
#include "battery/expect.h"

TVMFFIObjectHandle find_registered(Iut *iut, const char *name)
{
  TVMFFIByteArray text = bytes_of(name);
  TVMFFIObjectHandle function = NULL;
  require(expect_ok(iut, iut->FunctionGetGlobal(&text, &function)));
  return function;
}

TVMFFIObjectHandle registered(Iut *iut, const char *name)
{
  TVMFFIObjectHandle function = find_registered(iut, name);
  if (!function) case_not_applicable("no function is registered as %s", name);
  return function;
}

bool is_registered(Iut *iut, const char *name)
{
  TVMFFIObjectHandle function = find_registered(iut, name);
  if (function) release_object(iut, function);
  return function != NULL;
}

int call_registered(Iut *iut, TVMFFIAny *result, const char *name, TVMFFIAny *args, size_t count)
{
  TVMFFIObjectHandle function = registered(iut, name);
  int status = iut->FunctionCall(function, count ? args : NULL, (int32_t)count, result);
  release_object(iut, function);
  return status;
}
