// SPDX-License-Identifier: Apache-2.0
#include "mutants/mutant.h"

MUTANT(DTYPE_15, "the bits of a custom type wrap around")
OVERRIDE(DataTypeFromString, const TVMFFIByteArray *str, DLDataType *out)
{
  char text[256];
  int status = REFERENCE(DataTypeFromString)(str, out);
  if (status == 0 || str->size >= sizeof text || str->size < 7) return status;
  memcpy(text, str->data, str->size);
  text[str->size] = '\0';
  char *bits = strrchr(text, ']');
  if (memcmp(text, "custom[", 7) != 0 || bits == NULL) return status;
  unsigned long number = strtoul(bits + 1, &bits, 10);
  if (*bits != '\0' || number < 256) return status;
  TVMFFIErrorSetRaised(NULL);
  TVMFFIByteArray name = {text, (size_t)(strrchr(text, ']') + 1 - text)};
  status = REFERENCE(DataTypeFromString)(&name, out);
  if (status == 0) out->bits = (uint8_t)number;
  return status;
}
