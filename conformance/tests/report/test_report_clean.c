// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "report/clean.h"
#include "test_report.h"

static const struct {
  const char *text;
  unsigned how;
  const char *clean;
} texts[] = {
    {"", 0, ""},
    {"plain text, with \\ and \"quotes\"", 0, "plain text, with \\ and \"quotes\""},
    {"a\nb\tc", 0, "a\\x0ab\\x09c"},
    {"a\nb\tc\r", CLEAN_LINES, "a\nb\tc\\x0d"},
    {"\x1b[31m\x7f\a", CLEAN_LINES, "\\x1b[31m\\x7f\\x07"},
    {"\u00e9 \u2192 \U0001F600", 0, "\u00e9 \u2192 \U0001F600"},
    {"\xc2\x85\xc2\x9b"
     "2J",
     0, "\\xc2\\x85\\xc2\\x9b2J"},  // control characters of two bytes
    {"\xff\xfe", 0, "\\xff\\xfe"},
    {"\xc3", 0, "\\xc3"},  // the text ends within a character
    {"\xe2\x82", 0, "\\xe2\\x82"},
    {"\xe2\x82x", 0, "\\xe2\\x82x"},
    {"\xc0\xaf", 0, "\\xc0\\xaf"},  // longer than it has to be
    {"\xe0\x80\xaf", 0, "\\xe0\\x80\\xaf"},
    {"\xf0\x80\x80\xaf", 0, "\\xf0\\x80\\x80\\xaf"},
    {"\xed\xa0\x80", 0, "\\xed\\xa0\\x80"},           // half of a pair
    {"\xf4\x90\x80\x80", 0, "\\xf4\\x90\\x80\\x80"},  // beyond the last character
    {"\x80", 0, "\\x80"},
    {"abc\u202ecba\u2066\u2028\u200b\ufeff", 0,
     "abc\\u{202e}cba\\u{2066}\\u{2028}\\u{200b}\\u{feff}"},
    {"\u00ad\u061c\U000e0041\uffff\ufdd0\U0001fffe", 0,
     "\\u{00ad}\\u{061c}\\u{e0041}\\u{ffff}\\u{fdd0}\\u{1fffe}"},
    {"\u00b7 \u2014 \u201cx\u201d \u2192 \u2265 \u2026 \u00e9", CLEAN_ASCII,
     "- - \"x\" -> >= ... ?"},
    {"\u202e", CLEAN_ASCII, "\\u{202e}"},
};

TEST(cleaned, .rows = ROWS(texts))
{
  char *clean = clean_string(texts[_i].text, texts[_i].how);
  ck_assert_str_eq(clean, texts[_i].clean);
  char *again = clean_string(clean, texts[_i].how);
  ck_assert_str_eq(again, clean);
  free(clean);
  free(again);
}

TEST(sizes_are_kept_to)
{
  char array[4] = {'a', 'b', 'c', 'd'};  // no end
  char *clean = clean_array(array, 0);
  ck_assert_str_eq(clean, "abcd");
  free(clean);
  clean = clean_text("a\0b", 3, 0);
  ck_assert_str_eq(clean, "a\\x00b");
  free(clean);
  clean = clean_string(NULL, 0);
  ck_assert_str_eq(clean, "");
  free(clean);
  ck_assert_ptr_null(clean_text("", SIZE_MAX, 0));
  ck_assert_uint_eq(clean_columns("\u00e9\u2192x", 6), 3);
}

// Every text of two bytes, and many of four, is clean afterwards and fits.
TEST(nothing_gets_through)
{
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    char text[4] = {(char)(pair >> 8), (char)pair, (char)(0x80 | (pair * 7 & 0x3f)),
                    (char)(0x80 | (pair & 0x3f))};
    for (size_t size = 2; size <= 4; ++size) {
      char *clean = clean_text(text, size, pair & 1 ? CLEAN_LINES : 0);
      ck_assert_ptr_nonnull(clean);
      ck_assert_msg(sample_is_clean(clean, strlen(clean), true), "%04x, %zu bytes", pair, size);
      free(clean);
    }
  }
}
