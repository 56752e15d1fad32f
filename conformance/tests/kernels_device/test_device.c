// SPDX-License-Identifier: Apache-2.0
// --device where there is no driver, no such device, or no memory: nothing that needs it passes,
// and the report says why.
#include <stdlib.h>
#include <string.h>

#include "tests/tool/tool.h"
#include "unit/unit.h"

// Judges the right kernel, with the stand-in for a driver that fails as `how` says; NULL: without
// one. Own: the report.
static json_t *judge(const char *device, const char *how, int exit_code)
{
  const char *report = tool_path("report.json");
  char request[600] = "json:";
  strncat(request, report, sizeof request - 6);
  ToolSetup setup = {.limit = 60};
  if (how) setup.environment[0] = "LD_LIBRARY_PATH=" STANDIN, setup.environment[1] = how;
  ToolRun run = tool_run(&setup, TOOL("run", KERNEL, "--signatures", SIGNATURES, "--device", device,
                                      "--report", request));
  ck_assert_msg(run.exit_code == exit_code, "exit code %d:\n%s%s", run.exit_code, run.out, run.err);
  tool_free(&run);
  return tool_json(report);
}

static void expect_device(const json_t *report, bool found, const char *text)
{
  const json_t *device = json_object_get(report, "device");
  const char *seen = json_string_value(json_object_get(device, "text"));
  ck_assert_ptr_nonnull(seen);
  ck_assert_msg(strstr(seen, text) != NULL, "\"%s\" lacks \"%s\"", seen, text);
  ck_assert_int_eq(json_is_true(json_object_get(device, "found")), found);
}

// Cases that make the right call have this verdict, with these words.
static void expect_right_call(const json_t *report, const char *verdict, const char *reason)
{
  static const char *const ids[] = {
      "kernel.right-call@add_one", "kernel.outcome-is-as-promised@add_one",
      "kernel.stream-of-the-device@add_one", "kernel.device-work-follows-the-stream@add_one"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
    ck_assert_str_eq(tool_case_text(report, ids[i], "verdict"), verdict);
    ck_assert_msg(strstr(tool_case_text(report, ids[i], "reason"), reason) != NULL, "%s: %s",
                  ids[i], tool_case_text(report, ids[i], "reason"));
  }
}

TEST_GROUP(device, .timeout = 90);

// A machine that has a driver has no 64 devices.
TEST(without_a_driver)
{
  json_t *report = judge("cuda:63", NULL, 5);
  expect_device(report, false, "no CUDA d");
  expect_right_call(report, "skip", "no CUDA d");
  json_decref(report);
}

TEST(no_device)
{
  json_t *report = judge("cuda", "CUDA_STANDIN=no-device", 5);
  expect_device(report, false, "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  expect_right_call(report, "skip", "cuInit: CUDA_ERROR_NO_DEVICE (100)");
  json_decref(report);
}

TEST(no_such_device)
{
  json_t *report = judge("cuda:1", "CUDA_STANDIN=", 5);
  expect_device(report, false, "no CUDA device 1: cuDeviceGet: CUDA_ERROR_INVALID_DEVICE (101)");
  expect_right_call(report, "skip", "no CUDA device 1");
  json_decref(report);
}

TEST(no_stream)
{
  json_t *report = judge("cuda:0", "CUDA_STANDIN=no-stream", 5);
  expect_device(report, false, "cuStreamCreate: CUDA_ERROR_INVALID_VALUE");
  expect_right_call(report, "skip", "cuStreamCreate");
  json_decref(report);
}

TEST(out_of_memory)
{
  json_t *report = judge("cuda:0", "CUDA_STANDIN=out-of-memory", 5);
  expect_device(report, true, "stand-in for a device, driver API 12.4");
  expect_right_call(report, "inconclusive", "CUDA_ERROR_OUT_OF_MEMORY");
  json_decref(report);
}

// A module that was compiled for other devices.
TEST(no_code)
{
  json_t *report = judge("cuda:0", "CUDA_STANDIN=no-code", 5);
  const char *id = "kernel.right-call@add_one";
  ck_assert_str_eq(tool_case_text(report, id, "verdict"), "inconclusive");
  ck_assert_ptr_nonnull(
      strstr(tool_case_text(report, id, "reason"), "the module has no code for this device: "));
  ck_assert_str_eq(tool_case_text(report, "kernel.choice-is-served@add_one", "verdict"),
                   "inconclusive");
  json_decref(report);
}

TEST(shared_device)
{
  json_t *report = judge("cuda:0", "CUDA_STANDIN=shared", 0);
  const char *id = "kernel.good-call-keeps-no-device-memory@add_one";
  ck_assert_str_eq(tool_case_text(report, id, "verdict"), "inconclusive");
  ck_assert_ptr_nonnull(strstr(tool_case_text(report, id, "reason"), "others use the device"));
  json_decref(report);
}

TEST(faked)
{
  json_t *report = judge("fake", "CUDA_STANDIN=", 5);
  ck_assert_ptr_null(json_object_get(report, "device"));
  const char *id = "kernel.device-work-follows-the-stream@add_one";
  ck_assert_str_eq(tool_case_text(report, id, "verdict"), "skip");
  ck_assert_ptr_nonnull(strstr(tool_case_text(report, "kernel.right-call@add_one", "reason"),
                               "it launches work on a device"));
  json_decref(report);
}

TEST(what_is_no_device)
{
  static const char *const wrong[] = {"cuda:", "cuda:64", "cuda:-1", "rocm:0", ""};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    ToolRun run = tool_run(&(ToolSetup){.limit = 30}, TOOL("run", KERNEL, "--device", wrong[i]));
    ck_assert_int_eq(run.exit_code, 2);
    ck_assert_ptr_nonnull(strstr(run.err, "fake, or cuda:N with N from 0 to 63"));
    tool_free(&run);
  }
}
