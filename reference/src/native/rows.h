// SPDX-License-Identifier: Apache-2.0
// How the rows of tables of functions are written: NativeSpec spec = {F1("ffi.Name", body, ANY, INT)};
// In the order name, body, result, parameters; DIRECT ones end with the safe call of their own.
#ifndef REFERENCE_SRC_NATIVE_ROWS_H_
#define REFERENCE_SRC_NATIVE_ROWS_H_

#define PARAMS(a, b, c, d)                         \
  {                                                \
    NATIVE_##a, NATIVE_##b, NATIVE_##c, NATIVE_##d \
  }
#define PACKED_DIRECT(name, body, call) \
  name, body, NATIVE_ANY, NATIVE_VARIADIC, PARAMS(ANY, VOID, VOID, VOID), call
#define PACKED(name, body) PACKED_DIRECT(name, body, NULL)
#define F0(name, body, result) name, body, NATIVE_##result, 0, PARAMS(VOID, VOID, VOID, VOID), NULL
#define F1_DIRECT(name, body, result, a, call) \
  name, body, NATIVE_##result, 1, PARAMS(a, VOID, VOID, VOID), call
#define F1(name, body, result, a) F1_DIRECT(name, body, result, a, NULL)
#define F2_DIRECT(name, body, result, a, b, call) \
  name, body, NATIVE_##result, 2, PARAMS(a, b, VOID, VOID), call
#define F2(name, body, result, a, b) F2_DIRECT(name, body, result, a, b, NULL)
#define F3(name, body, result, a, b, c) name, body, NATIVE_##result, 3, PARAMS(a, b, c, VOID), NULL
#define F4_DIRECT(name, body, result, a, b, c, d, call) \
  name, body, NATIVE_##result, 4, PARAMS(a, b, c, d), call
#define F4(name, body, result, a, b, c, d) F4_DIRECT(name, body, result, a, b, c, d, NULL)

#endif  // REFERENCE_SRC_NATIVE_ROWS_H_
