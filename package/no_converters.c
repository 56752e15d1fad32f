// SPDX-License-Identifier: Apache-2.0
// Where the program is linked statically: the few functions of ICU that libxml2 calls to convert
// from and to encodings that it does not know itself. The program writes UTF-8 only, which libxml2
// does know, and reads no XML; ICU's data would make it several times as large. So there are no
// such converters: each is refused, and libxml2 says that it does not support the encoding.
#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

UConverter *ucnv_open(const char *name, UErrorCode *error)
{
  (void)name;
  *error = U_FILE_ACCESS_ERROR;
  return NULL;
}

void ucnv_close(UConverter *converter)
{
  (void)converter;
}

void ucnv_setToUCallBack(UConverter *converter, UConverterToUCallback action, const void *context,
                         UConverterToUCallback *old_action, const void **old_context,
                         UErrorCode *error)
{
  (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
  *error = U_UNSUPPORTED_ERROR;
}

void ucnv_setFromUCallBack(UConverter *converter, UConverterFromUCallback action,
                           const void *context, UConverterFromUCallback *old_action,
                           const void **old_context, UErrorCode *error)
{
  (void)converter, (void)action, (void)context, (void)old_action, (void)old_context;
  *error = U_UNSUPPORTED_ERROR;
}

void ucnv_convertEx(UConverter *to, UConverter *from, char **target, const char *target_limit,
                    const char **source, const char *source_limit, UChar *pivot_start,
                    UChar **pivot_source, UChar **pivot_target, const UChar *pivot_limit,
                    UBool reset, UBool flush, UErrorCode *error)
{
  (void)to, (void)from, (void)target, (void)target_limit, (void)source, (void)source_limit;
  (void)pivot_start, (void)pivot_source, (void)pivot_target, (void)pivot_limit;
  (void)reset, (void)flush;
  *error = U_UNSUPPORTED_ERROR;
}

void UCNV_TO_U_CALLBACK_STOP(const void *context, UConverterToUnicodeArgs *args, const char *bytes,
                             int32_t size, UConverterCallbackReason reason, UErrorCode *error)
{
  (void)context, (void)args, (void)bytes, (void)size, (void)reason, (void)error;
}

void UCNV_FROM_U_CALLBACK_STOP(const void *context, UConverterFromUnicodeArgs *args,
                               const UChar *characters, int32_t size, UChar32 character,
                               UConverterCallbackReason reason, UErrorCode *error)
{
  (void)context, (void)args, (void)characters, (void)size, (void)character, (void)reason;
  (void)error;
}
