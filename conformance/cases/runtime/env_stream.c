// SPDX-License-Identifier: Apache-2.0
// The table of streams: one per thread, by device type and id.
#include "battery/battery.h"

CHAPTER(env);

// All that DLPack has.
static const int32_t types[] = {
    kDLCPU,      kDLCUDA,   kDLCUDAHost,    kDLOpenCL, kDLVulkan, kDLMetal,   kDLVPI,  kDLROCM,
    kDLROCMHost, kDLExtDev, kDLCUDAManaged, kDLOneAPI, kDLWebGPU, kDLHexagon, kDLMAIA, kDLTrn};
static const int32_t ids[] = {0, 1, 2, 7, 8, 63, 64, 1000, 4095};

enum { TYPES = sizeof types / sizeof types[0], IDS = sizeof ids / sizeof ids[0] };

// Streams are addresses where nothing is, each different.
static TVMFFIStreamHandle stream(uintptr_t number)
{
  return (TVMFFIStreamHandle)(number + 1);
}

static void set_stream(Iut *iut, int32_t type, int32_t id, TVMFFIStreamHandle new)
{
  require(expect_ok(iut, iut->EnvSetStream(type, id, new, NULL)));
}

static bool expect_stream(Iut *iut, int32_t type, int32_t id, TVMFFIStreamHandle expected)
{
  TVMFFIStreamHandle seen = iut->EnvGetStream(type, id);
  if (seen == expected) return expect_pointer("stream", seen, expected);
  note("device type %d, id %d", type, id);
  return expect_pointer("stream", seen, expected);
}

static const struct {
  const char *name;
  bool after_others;
} tables[] = {{"at_first", false}, {"beside_others", true}};

CASE_ROWS(where_none_was_set_there_is_none, tables, .clauses = {ENV_3},
          .title = "the stream of a device is NULL until it is set, for every type and id")
{
  static const int32_t odd_ids[] = {0, 1, 6, 9, 1 << 20, INT32_MAX};
  if (row->after_others)
    for (unsigned i = 0; i < TYPES; ++i) {
      set_stream(iut, types[i], 0, stream(i));
      set_stream(iut, types[i], 7, stream(100 + i));
    }
  for (unsigned j = row->after_others ? 1 : 0; j < sizeof odd_ids / sizeof odd_ids[0]; ++j)
    for (unsigned i = 0; i < TYPES; ++i) expect_stream(iut, types[i], odd_ids[j], NULL);
  expect_no_error(iut);
}

static const struct {
  const char *name;
  int32_t type, id;
} devices[] = {
    {"cpu_0", kDLCPU, 0},         {"cuda_0", kDLCUDA, 0},       {"cuda_7", kDLCUDA, 7},
    {"rocm_1000", kDLROCM, 1000}, {"trn_65535", kDLTrn, 65535},
};

CASE_ROWS(stream_that_was_set_is_found, devices, .clauses = {ENV_4},
          .title = "a stream that was set is found, whatever its address, and is not followed")
{
  static char place;
  TVMFFIStreamHandle streams[] = {&place, stream(0), stream(UINTPTR_MAX - 1),
                                  (TVMFFIStreamHandle)(uintptr_t)fenced_copy("the stream", "", 0)};
  for (unsigned i = 0; i < sizeof streams / sizeof streams[0]; ++i) {
    set_stream(iut, row->type, row->id, streams[i]);
    for (int j = 0; j < 2; ++j) expect_stream(iut, row->type, row->id, streams[i]);
  }
}

// tvm-ffi#68 and sglang#36572: work that went to another stream than the framework's.
CASE(
    every_device_has_its_own_stream, .clauses = {ENV_5, ENV_4},
    .title =
        "the streams of all device types with ids from 0 to 4095 are kept apart, when they are set "
        "and when one is replaced")
{
  for (unsigned j = 0; j < IDS; ++j)
    for (unsigned i = 0; i < TYPES; ++i) set_stream(iut, types[i], ids[j], stream(i * IDS + j));
  note("replacing some of them");
  set_stream(iut, types[1], ids[3], stream(5000));
  set_stream(iut, types[0], ids[0], stream(5001));
  set_stream(iut, types[TYPES - 1], ids[IDS - 1], stream(5002));
  note("looking at all of them");
  for (unsigned i = 0; i < TYPES; ++i)
    for (unsigned j = 0; j < IDS; ++j) {
      unsigned number = i * IDS + j;
      if (i == 1 && j == 3) number = 5000;
      if (i == 0 && j == 0) number = 5001;
      if (i == TYPES - 1 && j == IDS - 1) number = 5002;
      require(expect_stream(iut, types[i], ids[j], stream(number)));
    }
}

CASE(setting_one_stream_sets_no_other, .clauses = {ENV_5},
     .title = "setting one stream sets none for any other device")
{
  set_stream(iut, kDLCUDA, 63, stream(1));
  for (unsigned i = 0; i < TYPES; ++i)
    for (int32_t id = 0; id < 130; ++id)
      if (types[i] != kDLCUDA || id != 63) require(expect_stream(iut, types[i], id, NULL));
  expect_stream(iut, kDLCUDA, 63, stream(1));
}

//--------------------------------------------------------------------------------------------------
// Threads
//--------------------------------------------------------------------------------------------------

static void look_set_and_look(Iut *iut, unsigned index, __attribute__((unused)) void *context)
{
  if (!expect_pointer("stream of a new thread", iut->EnvGetStream(kDLCUDA, 0), NULL)) return;
  for (unsigned i = 0; i < 200; ++i) {
    TVMFFIStreamHandle before = i ? stream(1000 * (index + 1) + i - 1) : NULL, seen = &seen;
    TVMFFIStreamHandle mine = stream(1000 * (index + 1) + i);
    int code = iut->EnvSetStream(kDLCUDA, 0, mine, &seen);
    if (!expect_int("what setting the stream returned", code, 0)) return;
    if (!expect_pointer("stream before", seen, before)) return;
    if (!expect_pointer("stream", iut->EnvGetStream(kDLCUDA, 0), mine)) return;
  }
}

CASE(every_thread_has_its_own_streams, .clauses = {ENV_6},
     .title =
         "four threads that set the stream of one device start with none, see their own, and do "
         "not change that of the first thread")
{
  set_stream(iut, kDLCUDA, 0, stream(1));
  run_in_threads(iut, 4, look_set_and_look, NULL);
  expect_stream(iut, kDLCUDA, 0, stream(1));
  note("threads that begin afterwards");
  run_in_threads(iut, 2, look_set_and_look, NULL);
  expect_stream(iut, kDLCUDA, 0, stream(1));
}

//--------------------------------------------------------------------------------------------------
// Replacing
//--------------------------------------------------------------------------------------------------

static TVMFFIStreamHandle swap(Iut *iut, int32_t type, int32_t id, TVMFFIStreamHandle new)
{
  TVMFFIStreamHandle *original = fenced_buffer("the original stream", sizeof *original);
  require(expect_ok(iut, iut->EnvSetStream(type, id, new, original)));
  return *original;
}

CASE_ROWS(setting_a_stream_tells_the_one_before, devices, .clauses = {ENV_7},
          .title =
              "setting a stream writes the one that it replaces, NULL at first, whatever stood in "
              "the place")
{
  expect_pointer("original stream", swap(iut, row->type, row->id, stream(1)), NULL);
  expect_pointer("original stream", swap(iut, row->type, row->id, stream(2)), stream(1));
  expect_pointer("original stream", swap(iut, row->type, row->id, stream(2)), stream(2));
  note("another device of the same type");
  expect_pointer("original stream", swap(iut, row->type, row->id + 1, stream(3)), NULL);
  expect_pointer("original stream", swap(iut, row->type, row->id, stream(4)), stream(2));
}

CASE(nobody_needs_to_ask_for_the_stream_before, .clauses = {ENV_8},
     .title = "with NULL as the place for the original stream a stream is set, also over another")
{
  for (unsigned i = 0; i < 3; ++i) {
    require(expect_ok(iut, iut->EnvSetStream(kDLCUDA, 1, stream(i), NULL)));
    expect_stream(iut, kDLCUDA, 1, stream(i));
  }
}

// jax-tvm-ffi restores a stream only if it is not NULL; the next caller inherits the stream.
CASE(null_is_a_stream_like_others, .clauses = {ENV_9},
     .title = "a caller that puts back the NULL that it found leaves no stream behind")
{
  TVMFFIStreamHandle found = swap(iut, kDLCUDA, 0, stream(1));
  expect_pointer("stream found", found, NULL);
  expect_pointer("stream of the caller", swap(iut, kDLCUDA, 0, found), stream(1));
  expect_stream(iut, kDLCUDA, 0, NULL);
  expect_pointer("stream found by the next caller", swap(iut, kDLCUDA, 0, stream(2)), NULL);
  note("NULL where nothing was set");
  set_stream(iut, kDLROCM, 3, NULL);
  expect_stream(iut, kDLROCM, 3, NULL);
}

CASE(device_id_that_no_table_holds_is_an_error, .clauses = {ENV_10},
     .title =
         "setting the stream of device 2147483647 succeeds or fails with an error, and all other "
         "streams are as before")
{
  set_stream(iut, kDLCUDA, 5, stream(1));
  int code = iut->EnvSetStream(kDLCUDA, INT32_MAX, stream(2), NULL);
  TVMFFIObjectHandle error = take_error(iut);
  note("it returned %d", code);
  if (code == 0) {
    expect_stream(iut, kDLCUDA, INT32_MAX, stream(2));
    expect_pointer("error raised", error, NULL);
  } else if (expect_not_null("error raised", error)) {
    release_object(iut, error);
  }
  expect_stream(iut, kDLCUDA, 5, stream(1));
  set_stream(iut, kDLCUDA, 6, stream(3));
  expect_stream(iut, kDLCUDA, 6, stream(3));
}
