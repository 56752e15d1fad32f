// SPDX-License-Identifier: Apache-2.0
#include "cli/places.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inspect/inspect.h"
#include "run/protocol.h"

// The first of `candidates` (relative to `base`, NULL-terminated) that exists, or "".
static void find(char out[4096], const char *base, const char *const *candidates)
{
  for (; *candidates; ++candidates) {
    int length = snprintf(out, 4096, "%s/%s", base, *candidates);
    if (length > 0 && length < 4096 && access(out, R_OK) == 0) return;
  }
  out[0] = '\0';
}

// The same, as a path without "..", which other programs can use wherever they are.
static void find_whole(char out[4096], const char *base, const char *const *candidates)
{
  char path[4096];
  find(path, base, candidates);
  if (!path[0] || !realpath(path, out)) out[0] = '\0';
}

// Cuts the last part of a path off.
static void leave_folder(char *path)
{
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
}

static Places found;

const char places_no_worker[] =
    "cannot find tvmffi-conform-worker (install it together with this program)";

const Places *places(void)
{
  static const char *const workers[] = {
      "tvmffi-conform-worker", INSTALLED_LIBEXECDIR "/tvmffi-conform/tvmffi-conform-worker", NULL};
  static const char *const references[] = {"../lib/libtvm_ffi.so",
                                           INSTALLED_LIBDIR "/libtvm_ffi.so", NULL};
  static const char *const mutants[] = {"../mutants", INSTALLED_LIBDIR "/tvmffi-conform/mutants",
                                        NULL};
  static const char *const observers[] = {"../lib/observer/libtvm_ffi.so",
                                          INSTALLED_LIBDIR "/tvmffi-conform/observer/libtvm_ffi.so",
                                          NULL};
  static const char *const layers[] = {
      "../lib/trace/libtvmffi_conform_layer.so",
      INSTALLED_LIBDIR "/tvmffi-conform/trace/libtvmffi_conform_layer.so", NULL};
  static const char *const audits[] = {
      "../lib/trace/libtvmffi_conform_audit.so",
      INSTALLED_LIBDIR "/tvmffi-conform/trace/libtvmffi_conform_audit.so", NULL};
  static const char *const preloads[] = {
      "../lib/trace/libtvmffi_conform_preload.so",
      INSTALLED_LIBDIR "/tvmffi-conform/trace/libtvmffi_conform_preload.so", NULL};
  static const char *const stand_ins[] = {"../lib/cuda", INSTALLED_LIBDIR "/tvmffi-conform/cuda",
                                          NULL};
  static const char *const older_references[] = {
      "../lib/2025-09/libtvm_ffi.so", INSTALLED_LIBDIR "/tvmffi-conform/2025-09/libtvm_ffi.so",
      NULL};
  static const char *const older_mutants[] = {
      "../mutants-2025-09", INSTALLED_LIBDIR "/tvmffi-conform/mutants-2025-09", NULL};
  static const char *const official_waivers[] = {
      INSTALLED_DATADIR "/tvmffi-conform/waivers/official.json", NULL};
  if (found.worker[0]) return &found;
  char base[PATH_MAX];
  ssize_t size = readlink("/proc/self/exe", base, sizeof base - 1);
  if (size <= 0) return &found;
  base[size] = '\0';
  leave_folder(base);
  find(found.worker, base, workers);
  find(found.reference, base, references);
  find(found.mutants, base, mutants);
  find(found.observer, base, observers);
  find_whole(found.layer, base, layers);
  find_whole(found.audit, base, audits);
  find_whole(found.preload, base, preloads);
  find(found.cuda, base, stand_ins);
  find(found.official_waivers, base, official_waivers);
  find(found.reference_2025_09, base, older_references);
  find(found.mutants_2025_09, base, older_mutants);
  return &found;
}

static bool is_worker(const char *path)
{
  char mark[sizeof WORKER_MARK];
  size_t size = 0;
  return inspect_symbol_bytes(path, WORKER_MARK_SYMBOL, mark, sizeof mark, &size) &&
         size == sizeof mark && memcmp(mark, WORKER_MARK, sizeof mark) == 0;
}

bool places_take_worker(const char *path, char *error, size_t error_size)
{
  static const char *const references[] = {"../lib/libtvm_ffi.so", WORKER_LIBDIR "/libtvm_ffi.so",
                                           NULL};
  static const char *const observers[] = {"../lib/observer/libtvm_ffi.so",
                                          WORKER_LIBDIR "/tvmffi-conform/observer/libtvm_ffi.so",
                                          NULL};
  static const char *const stand_ins[] = {"../lib/cuda", WORKER_LIBDIR "/tvmffi-conform/cuda",
                                          NULL};
  static const char *const libraries[] = {"libraries/carrier.so", NULL};
  char whole[PATH_MAX], beside[4096];
  if (!realpath(path, whole) || access(whole, X_OK) != 0) {
    snprintf(error, error_size, "cannot start the worker %s: %s", path, strerror(errno));
    return false;
  }
  if (!is_worker(whole)) {
    snprintf(
        error, error_size,
        "--worker=%s: is not a tvmffi-conform-worker (cross/README.md describes how to build one for "
        "another C library)",
        path);
    return false;
  }
  (void)places();
  snprintf(found.worker, sizeof found.worker, "%s", whole);
  leave_folder(whole);
  find(beside, whole, libraries);
  if (!beside[0]) {
    snprintf(
        error, error_size,
        "--worker=%s: its directory libraries is missing (move a worker together with that directory)",
        path);
    return false;
  }
  find(found.reference, whole, references);
  find(found.observer, whole, observers);
  find(found.cuda, whole, stand_ins);
  return true;
}
