// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

#include "mutants/mutant.h"

MUTANT(FUN_17, "a lock that a thread may take again is held during every call")

static pthread_mutex_t lock;

__attribute__((constructor)) static void make_lock(void)
{
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
}

OVERRIDE(FunctionCall, TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
         TVMFFIAny *result)
{
  pthread_mutex_lock(&lock);
  int status = REFERENCE(FunctionCall)(func, args, num_args, result);
  pthread_mutex_unlock(&lock);
  return status;
}
