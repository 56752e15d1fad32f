// SPDX-License-Identifier: Apache-2.0
// Signals that an interpreter has received and that only it can handle, under its lock.
#include <stdatomic.h>
#include <string.h>
#include <tvm/ffi/extra/c_env_api.h>

#include "core/raise.h"

static _Atomic(void *) check_signals, ensure_lock, release_lock;

static const struct {
  const char *name;
  _Atomic(void *) *place;
} functions[] = {
    {"PyErr_CheckSignals", &check_signals},
    {"PyGILState_Ensure", &ensure_lock},
    {"PyGILState_Release", &release_lock},
};

int TVMFFIEnvRegisterCAPI(const char *name, void *symbol)
{
  if (name == NULL) return raise_null(__func__, "name");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(name, functions[i].name) != 0) continue;
    atomic_store_explicit(functions[i].place, symbol, memory_order_release);  // ENV-29, ENV-33
    return 0;
  }
  return raise_error("ValueError", __func__, ": `name` is `", name, "`, which is none of the ",
                     "functions that are called here: PyErr_CheckSignals, PyGILState_Ensure, ",
                     "PyGILState_Release", NULL);  // ENV-30
}

int TVMFFIEnvCheckSignals(void)
{
  void *check = atomic_load_explicit(&check_signals, memory_order_acquire);
  if (check == NULL) return 0;  // ENV-28
  void *ensure = atomic_load_explicit(&ensure_lock, memory_order_acquire);
  void *release = atomic_load_explicit(&release_lock, memory_order_acquire);
  if (ensure == NULL || release == NULL) {
    return raise_error("RuntimeError", __func__, ": PyErr_CheckSignals is registered, but ",
                       ensure == NULL ? "PyGILState_Ensure" : "PyGILState_Release", " is not",
                       NULL);
  }
  // ENV-31. What `ensure` returns is a state, of which 0 is one like others.
  void *state = (__extension__(void *(*)(void)) ensure)();
  int code = (__extension__(int (*)(void)) check)();
  (__extension__(void (*)(void *)) release)(state);
  return code == 0 ? 0 : -1;  // ENV-32
}
