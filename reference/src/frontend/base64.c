// SPDX-License-Identifier: Apache-2.0
#include "frontend/base64.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/raise.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int base64_encode(TVMFFIByteArray bytes, TVMFFIAny *out)
{
  if (bytes.size > PTRDIFF_MAX / 2) return raise_out_of_memory();
  size_t size = (bytes.size + 2) / 3 * 4;
  char *text = malloc(size + 1), *to = text;
  if (text == NULL) return raise_out_of_memory();
  for (size_t i = 0; i < bytes.size; i += 3) {
    size_t left = bytes.size - i;
    uint32_t word = (uint32_t)(unsigned char)bytes.data[i] << 16;
    if (left > 1) word |= (uint32_t)(unsigned char)bytes.data[i + 1] << 8;
    if (left > 2) word |= (unsigned char)bytes.data[i + 2];
    *to++ = digits[word >> 18];
    *to++ = digits[word >> 12 & 63];
    *to++ = left > 1 ? digits[word >> 6 & 63] : '=';
    *to++ = left > 2 ? digits[word & 63] : '=';
  }
  int code = bytes_make_string(text, size, out);
  free(text);
  return code;
}

// Decodes four digits, of which the last `padding` are padding. Returns false if they are none.
static bool base64_decode_four(const char *at, int padding, uint32_t *word)
{
  *word = 0;
  for (int i = 0; i < 4; ++i) {
    const char *digit = at[i] == '\0' ? NULL : strchr(digits, at[i]);
    if (i >= 4 - padding) digit = digits;
    if (digit == NULL) return false;
    *word = *word << 6 | (uint32_t)(digit - digits);
  }
  return true;
}

int base64_decode(TVMFFIByteArray text, TVMFFIAny *out)
{
  static const char wrong[] = "a text that is to be base64 is not";
  if (text.size % 4 != 0) return raise_error("ValueError", wrong, NULL);
  int padding = 0;
  while (padding < 2 && text.size != 0 && text.data[text.size - 1 - (size_t)padding] == '=')
    ++padding;
  char *bytes = malloc(text.size / 4 * 3 + 1), *to = bytes;
  if (bytes == NULL) return raise_out_of_memory();
  int code = 0;
  for (size_t i = 0; i < text.size && code == 0; i += 4) {
    uint32_t word;
    if (!base64_decode_four(text.data + i, i + 4 == text.size ? padding : 0, &word)) {
      code = raise_error("ValueError", wrong, NULL);
      break;
    }
    *to++ = (char)(word >> 16);
    *to++ = (char)(word >> 8);
    *to++ = (char)word;
  }
  if (code == 0) code = bytes_make_bytes(bytes, (size_t)(to - bytes) - (size_t)padding, out);
  free(bytes);
  return code;
}
