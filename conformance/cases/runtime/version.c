// SPDX-License-Identifier: Apache-2.0
// What the library says it is.
#include "battery/battery.h"

CHAPTER(version);

// Asks into memory that held the byte `garbage` all over and ends at an unmapped page.
static const TVMFFIVersion *ask(Iut *iut, unsigned char garbage)
{
  TVMFFIVersion *version = fenced_buffer("the version", sizeof *version);
  memset(version, garbage, sizeof *version);
  iut->GetVersion(version);
  require(expect_that(version->major != garbage * 0x01010101u, "a version", "nothing written"));
  return version;
}

CASE(exports_get_version, .clauses = {VER_1}, .title = "the runtime exports TVMFFIGetVersion")
{
  expect_that(iut_has(iut, FN_GetVersion), "the symbol TVMFFIGetVersion is exported",
              "no such symbol");
}

CASE(writes_all_twelve_bytes, .clauses = {VER_2},
     .title = "major, minor and patch are written whole, whatever was there before")
{
  const TVMFFIVersion *first = ask(iut, 0xA5), *second = ask(iut, 0x5A);
  expect_int("major, over two kinds of garbage", second->major, first->major);
  expect_int("minor, over two kinds of garbage", second->minor, first->minor);
  expect_int("patch, over two kinds of garbage", second->patch, first->patch);
}

CASE(writes_no_more_than_twelve_bytes, .clauses = {VER_2},
     .title = "nothing is written before or after the twelve bytes of the version")
{
  unsigned char around[12 + 16 + 12], untouched[12];
  memset(around, 0xA5, sizeof around);
  memset(untouched, 0xA5, sizeof untouched);
  void *version = around + 12 + 4;  // at a multiple of four, as an array of versions might have it
  iut->GetVersion(version);
  expect_memory("the bytes before the version", around + 4, 12, untouched, 12);
  expect_memory("the bytes behind the version", around + 28, 12, untouched, 12);
  const TVMFFIVersion *fenced = ask(iut, 0xA5);  // ends at an unmapped page
  expect_memory("the version between them", version, sizeof *fenced, fenced, sizeof *fenced);
}

CASE(stays_the_same, .clauses = {VER_3}, .title = "a hundred calls write the same three numbers")
{
  const TVMFFIVersion *first = ask(iut, 0xA5);
  for (int i = 0; i < 100; ++i) {
    TVMFFIVersion again = {9999, 9999, 9999};
    iut->GetVersion(&again);
    if (!expect_memory("the version", &again, sizeof again, first, sizeof *first)) return;
  }
}

CASE(stays_the_same_whatever_happens, .clauses = {VER_3},
     .title = "the version is the same after objects were made and errors raised")
{
  const TVMFFIVersion *first = ask(iut, 0xA5);
  TVMFFIByteArray text = bytes_of("longer than seven");
  TVMFFIAny made = any_none();
  require(expect_ok(iut, iut->StringFromByteArray(&text, &made)));
  expect_memory("the version after a string was made", ask(iut, 0xA5), sizeof *first, first,
                sizeof *first);
  iut->ErrorSetRaisedFromCStr("ValueError", "no");
  expect_memory("the version with an error raised", ask(iut, 0xA5), sizeof *first, first,
                sizeof *first);
}

enum { ASKING_THREADS = 8 };

static void ask_in_thread(Iut *iut, unsigned index, void *context)
{
  TVMFFIVersion *versions = context;
  iut->GetVersion(&versions[index]);
}

CASE(is_the_same_in_every_thread, .clauses = {VER_3},
     .title = "threads that ask at the same time get the same version")
{
  TVMFFIVersion versions[ASKING_THREADS];
  memset(versions, 0xA5, sizeof versions);
  run_in_threads(iut, ASKING_THREADS, ask_in_thread, versions);
  const TVMFFIVersion *here = ask(iut, 0xA5);
  for (unsigned i = 0; i < ASKING_THREADS; ++i)
    expect_memory("the version in another thread", &versions[i], sizeof versions[i], here,
                  sizeof *here);
}

CASE(leaves_no_error, .clauses = {VER_4}, .title = "asking for the version raises no error")
{
  require(expect_no_error(iut));
  ask(iut, 0xA5);
  expect_no_error(iut);
}

CASE(leaves_a_raised_error, .clauses = {VER_4},
     .title = "an error that was raised before is still raised after asking for the version")
{
  TVMFFIObjectHandle error = new_error(iut, "ValueError", "kept", "");
  iut->ErrorSetRaised(error);
  ask(iut, 0xA5);
  expect_pointer("the raised error", take_error(iut), error);
  expect_counts(iut, error, .strong = 2, .weak = 1);
}

CASE(is_of_the_0_1_series, .clauses = {VER_5}, .title = "the version is 0.1 and a patch number")
{
  const TVMFFIVersion *version = ask(iut, 0xA5);
  expect_int("major", version->major, 0);
  expect_int("minor", version->minor, 1);
}
