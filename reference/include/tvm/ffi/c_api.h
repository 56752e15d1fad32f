// SPDX-License-Identifier: Apache-2.0
/*!
 * @file tvm/ffi/c_api.h
 * The C ABI of TVM FFI: value layouts, type indices, and every function of a runtime.
 *
 * Words used throughout:
 *  - own     the receiver holds one strong reference and gives it up with TVMFFIObjectDecRef;
 *  - borrow  the giver keeps the value alive for as long as the text says, usually for the call;
 *  - view    a TVMFFIAny that borrows; an owned Any holds one strong reference if its type index
 *            is kTVMFFIStaticObjectBegin or more, and nothing otherwise;
 *  - fails   returns a non-zero code. -1 means that an error object lies in the thread's error slot
 *            (see TVMFFIErrorMoveFromRaised). An out-parameter is not written by a call that fails.
 *
 * A pointer that is due must not be NULL unless the text allows it. An ABI-conforming runtime may
 * crash on such a pointer; the runtime of this project fails with ValueError instead.
 *
 * Sizes and offsets are asserted at the end of the file.
 *
 * TVM_FFI_GENERATION_2025_09, where it is defined, makes this the header of the generation of
 * September 2025, which no release speaks any more: another object header, errors with a traceback,
 * other names of three functions, and none of what came later. Libraries of the two don't mix.
 */
#ifndef TVM_FFI_C_API_H_
#define TVM_FFI_C_API_H_

#include <dlpack/dlpack.h>
#include <stddef.h>
#include <stdint.h>

/*! Marks a definition that a strong one elsewhere replaces. */
#ifdef _MSC_VER
#define TVM_FFI_WEAK __declspec(selectany)
#else
#define TVM_FFI_WEAK __attribute__((weak))
#endif

/*!
 * TVM_FFI_DLL marks a function of the runtime; TVM_FFI_DLL_EXPORT one that a module exports.
 *
 * A build may define TVM_FFI_DLL itself. With Microsoft's compiler, TVM_FFI_EXPORTS tells the
 * runtime's own build from that of its users.
 */
#ifndef TVM_FFI_DLL
#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#define TVM_FFI_DLL EMSCRIPTEN_KEEPALIVE
#define TVM_FFI_DLL_EXPORT EMSCRIPTEN_KEEPALIVE
#elif defined(_MSC_VER)
#ifdef TVM_FFI_EXPORTS
#define TVM_FFI_DLL __declspec(dllexport)
#else
#define TVM_FFI_DLL __declspec(dllimport)
#endif
#define TVM_FFI_DLL_EXPORT __declspec(dllexport)
#else
#define TVM_FFI_DLL __attribute__((visibility("default")))
#define TVM_FFI_DLL_EXPORT __attribute__((visibility("default")))
#endif
#endif

#ifdef TVM_FFI_GENERATION_2025_09
#include <tvm/ffi/extra/c_names_2025_09.h>
#endif

/*! Marks a function without side effects, so that a compiler may merge equal calls. */
#if defined(__GNUC__) || defined(__clang__)
#define TVM_FFI_ATTRIBUTE_PURE __attribute__((__pure__))
#else
#define TVM_FFI_ATTRIBUTE_PURE
#endif

/*! The release of the ABI that this header describes. */
#define TVM_FFI_VERSION_MAJOR 0
#define TVM_FFI_VERSION_MINOR 1
#define TVM_FFI_VERSION_PATCH 16

// An enum is 32 bits wide in both languages, but only C++ can say so. Ends with the file.
#ifdef __cplusplus
#define TVM_FFI_INT32_ : int32_t
#else
#define TVM_FFI_INT32_
#endif

#ifdef __cplusplus
extern "C" {
#endif

//--------------------------------------------------------------------------------------------------
// Values and objects
//--------------------------------------------------------------------------------------------------

/*! A runtime's own version, as TVMFFIGetVersion reports it. */
typedef struct {
  uint32_t major;
  uint32_t minor;
  uint32_t patch;
} TVMFFIVersion;

/*!
 * What a TVMFFIAny holds, and which type an object has.
 *
 * Below kTVMFFIStaticObjectBegin the payload is the value itself or a borrowed pointer; from there
 * on it is a counted pointer to a TVMFFIObject.
 */
typedef enum TVMFFITypeIndex TVM_FFI_INT32_ {
  /*! "Any type", in reflection only; never the index of a value. */
  kTVMFFIAny = -1,
  /*! No value; the payload is zero. */
  kTVMFFINone = 0,
  /*! Signed 64-bit integer in v_int64. */
  kTVMFFIInt = 1,
  /*! Truth value: v_int64 is 0 or 1. */
  kTVMFFIBool = 2,
  /*! IEEE double in v_float64. */
  kTVMFFIFloat = 3,
  /*! An address that means nothing to the runtime, in v_ptr. */
  kTVMFFIOpaquePtr = 4,
  /*! Data type in v_dtype (4 bytes; the other 4 are zero). */
  kTVMFFIDataType = 5,
  /*! Device in v_device. */
  kTVMFFIDevice = 6,
  /*! Borrowed DLTensor*; views only. */
  kTVMFFIDLTensorPtr = 7,
  /*! Borrowed NUL-terminated text in v_c_str; views only. */
  kTVMFFIRawStr = 8,
  /*! Borrowed TVMFFIByteArray*; views only. */
  kTVMFFIByteArrayPtr = 9,
  /*! Address of a handle that the receiver may move out (leaving NULL there); views only. */
  kTVMFFIObjectRValueRef = 10,
  /*! String of at most 7 bytes held in v_bytes; its length in small_str_len. */
  kTVMFFISmallStr = 11,
  /*! The same for bytes. */
  kTVMFFISmallBytes = 12,
  /*! Marker of structural mutation: "no new value". Since 0.1.15. */
  kTVMFFIUnchanged = 13,
  /*! The first index whose payload is a counted object. */
  kTVMFFIStaticObjectBegin = 64,
  /*! The root of all object types. */
  kTVMFFIObject = 64,
  /*! String: header, then TVMFFIByteArray; a NUL follows the data. */
  kTVMFFIStr = 65,
  /*! Bytes: same layout as a string. */
  kTVMFFIBytes = 66,
  /*! Error: header, then TVMFFIErrorCell. */
  kTVMFFIError = 67,
  /*! Function: header, then TVMFFIFunctionCell. */
  kTVMFFIFunction = 68,
  /*! Shape: header, then TVMFFIShapeCell. */
  kTVMFFIShape = 69,
  /*! Tensor: header, then DLTensor. */
  kTVMFFITensor = 70,
  /*! Array, immutable by convention: header, then TVMFFISeqCell. */
  kTVMFFIArray = 71,
  /*! Map, immutable by convention. */
  kTVMFFIMap = 72,
  /*! Loaded module. */
  kTVMFFIModule = 73,
  /*! A Python object (or another frontend's) in custody: header, then TVMFFIOpaqueObjectCell. */
  kTVMFFIOpaquePyObject = 74,
  /*! List, mutable: header, then TVMFFISeqCell. Since 0.1.9. */
  kTVMFFIList = 75,
  /*! Dict, mutable. Since 0.1.9. */
  kTVMFFIDict = 76,
  /*! Result that ends a structural visit early. Since 0.1.13. */
  kTVMFFIVisitInterrupt = 77,
  /*!
   * Integer wider than 64 bits: header, then a size_t count of words, then that many int64_t.
   *
   * Two's complement, least significant word first, native byte order within a word, no redundant
   * sign words. A value that fits 64 bits is a kTVMFFIInt. Since 0.1.15.
   */
  kTVMFFIBigInt = 78,
  /*! One past the last static object type of this release. */
  kTVMFFIStaticObjectEnd,
  /*! The first index that a runtime assigns while it runs. */
  kTVMFFIDynObjectBegin = 128
} TVMFFITypeIndex;

/*! Points to a TVMFFIObject. */
typedef void *TVMFFIObjectHandle;

/*! What an object's deleter is to do; its `flags` argument. */
typedef enum TVMFFIObjectDeleterFlagBitMask TVM_FFI_INT32_ {
  /*! Destroy the content: the last strong reference is gone. */
  kTVMFFIObjectDeleterFlagBitMaskStrong = 1 << 0,
  /*! Free the memory: the last weak reference is gone. */
  kTVMFFIObjectDeleterFlagBitMaskWeak = 1 << 1,
  /*! Both, in that order. */
  kTVMFFIObjectDeleterFlagBitMaskBoth = 3
} TVMFFIObjectDeleterFlagBitMask;

/*!
 * The header with which every object begins.
 *
 * A new object has one strong and one weak reference: the strong ones together hold one weak one.
 */
typedef struct {
#ifdef TVM_FFI_GENERATION_2025_09
  /*! The object's TVMFFITypeIndex, static or assigned at run time. */
  int32_t type_index;
  /*! Changed atomically, as is the other count. */
  uint32_t weak_ref_count;
  uint64_t strong_ref_count;
#else
  /*! Strong count in the low 32 bits, weak count in the high 32; changed atomically. */
  uint64_t combined_ref_count;
  /*! The object's TVMFFITypeIndex, static or assigned at run time. */
  int32_t type_index;
  /*! Zero. */
  uint32_t __padding;
#endif
  union {
    /*! Called with the handle and TVMFFIObjectDeleterFlagBitMask; NULL: nothing is to be done. */
    void (*deleter)(void *self, int flags);
    /*! Keeps the header at 24 bytes where pointers have 4. */
    int64_t __ensure_align;
  };
} TVMFFIObject;

/*!
 * A value of any type, in 16 bytes.
 *
 * Values are compared and hashed by all their bytes: what a type does not use must be zero.
 */
typedef struct {
  /*! A TVMFFITypeIndex. */
  int32_t type_index;
  union {
    /*! Zero, unless the value is a small string or small bytes. */
    uint32_t zero_padding;
    /*! Length of a small string or small bytes, 0 to 7. */
    uint32_t small_str_len;
  };
  union {
    int64_t v_int64;
    double v_float64;
    void *v_ptr;
    const char *v_c_str;
    TVMFFIObject *v_obj;
    DLDataType v_dtype;
    DLDevice v_device;
    char v_bytes[8];
    uint64_t v_uint64;
  };
} TVMFFIAny;

/*! A run of bytes: text or data, any byte allowed. {NULL, 0} is a valid empty run. */
typedef struct {
  const char *data;
  /*! In bytes, a trailing NUL not counted. */
  size_t size;
} TVMFFIByteArray;

/*! Body of a Shape. */
typedef struct {
  const int64_t *data;
  /*! Number of dimensions. */
  size_t size;
} TVMFFIShapeCell;

/*! Body of an Array or List: `size` owned TVMFFIAny at `data`. */
typedef struct TVMFFISeqCell {
  void *data;
  /*! Elements in use. */
  int64_t size;
  /*! Elements that fit. */
  int64_t capacity;
  /*! Frees `data`; NULL where the elements are part of the object. */
  void (*data_deleter)(void *);
} TVMFFISeqCell;

/*! What TVMFFIErrorCell::update_backtrace does with the text that it is given. */
typedef enum TVMFFIBacktraceUpdateMode TVM_FFI_INT32_ {
  kTVMFFIBacktraceUpdateModeReplace = 0,
  kTVMFFIBacktraceUpdateModeAppend = 1
} TVMFFIBacktraceUpdateMode;

/*! Body of an Error. The texts belong to the error and each is followed by a NUL. */
typedef struct {
  /*! As in Python: "ValueError", "TypeError", ... */
  TVMFFIByteArray kind;
  TVMFFIByteArray message;
#ifdef TVM_FFI_GENERATION_2025_09
  /*! One line a frame. */
  TVMFFIByteArray traceback;
  /*! Replaces `traceback` by a copy of the text given. `self` is the error's handle. */
  void (*update_traceback)(TVMFFIObjectHandle self, const TVMFFIByteArray *traceback);
#else
  /*! One line a frame, the most recent call first, so that outer frames are appended. */
  TVMFFIByteArray backtrace;
  /*!
   * Replaces or extends `backtrace` by a copy of the text given.
   *
   * `self` is the error's handle, `update_mode` a TVMFFIBacktraceUpdateMode. Afterwards read
   * `backtrace` anew: it may have moved. Not to be called by two threads at once on one error.
   */
  void (*update_backtrace)(TVMFFIObjectHandle self, const TVMFFIByteArray *backtrace,
                           int32_t update_mode);
  /*! The error that led to this one, owned by this one; or NULL. Since 0.1.8. */
  TVMFFIObjectHandle cause_chain;
  /*! Any object that says more, owned by this error; or NULL. Since 0.1.8. */
  TVMFFIObjectHandle extra_context;
#endif
} TVMFFIErrorCell;

/*!
 * The signature of every function that crosses the ABI.
 *
 * @param handle See `self` in TVMFFIFunctionCreate; NULL for a symbol that a module exports.
 * @param args Borrowed views, `num_args` of them; may be NULL if there are none.
 * @param num_args Number of arguments.
 * @param result The caller sets type_index to kTVMFFINone (any index below kTVMFFIStaticObjectBegin
 * will do). A callee that succeeds leaves an owned value there, which the caller owns.
 * @return 0; or -1 with an error in the thread's slot; any other value is a failure too.
 */
typedef int (*TVMFFISafeCallType)(void *handle, const TVMFFIAny *args, int32_t num_args,
                                  TVMFFIAny *result);

/*! Body of a Function. */
typedef struct {
  /*! Called with the Function's own handle first. */
  TVMFFISafeCallType safe_call;
#ifndef TVM_FFI_GENERATION_2025_09
  /*! Private to C++ code that shares one exception ABI; NULL for a function that C code made. */
  void *cpp_call;
#endif
} TVMFFIFunctionCell;

/*! Body of an opaque object. */
typedef struct {
  /*! What TVMFFIObjectCreateOpaque was given. */
  void *handle;
} TVMFFIOpaqueObjectCell;

//--------------------------------------------------------------------------------------------------
// Version
//--------------------------------------------------------------------------------------------------

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Tells the runtime's version. Every version of the ABI has this function, unchanged.
 * @param out_version Written. NULL is ignored by the runtime of this project.
 */
TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion *out_version);
#endif

//--------------------------------------------------------------------------------------------------
// Objects
//--------------------------------------------------------------------------------------------------

/*!
 * Adds one strong reference, which the caller owns. Safe from any thread.
 * @param obj An object that somebody holds a strong reference to. NULL: nothing happens here;
 * elsewhere it may crash.
 * @return 0.
 */
TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj);

/*!
 * Gives up one strong reference that the caller owns. Safe from any thread.
 *
 * With the last strong reference the deleter runs in this call: once with flags 3 if no weak
 * reference remains, else with 1 (and with 2 when the last weak one goes).
 *
 * @param obj The object; NULL does nothing (since 0.1.11).
 * @return 0.
 */
TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj);

/*!
 * Puts a foreign resource into the custody of a counted object.
 * @param handle Kept in TVMFFIOpaqueObjectCell::handle. May be NULL.
 * @param type_index kTVMFFIOpaquePyObject; others fail with RuntimeError.
 * @param deleter Called once with `handle` when the last strong reference goes; NULL for none. Not
 * called if this function fails.
 * @param out Own: the object, with one strong and one weak reference.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIObjectCreateOpaque(void *handle, int32_t type_index,
                                         void (*deleter)(void *handle), TVMFFIObjectHandle *out);

/*! Stands right before an object that came from a TVMFFICustomAllocator. */
typedef struct {
  /*!
   * Frees the allocation, called by the object's deleter once the last weak reference is gone.
   *
   * `ptr` is the object, whose fields must no longer be read. NULL if the deleter frees it itself.
   */
  void (*delete_space)(void *ptr);
} TVMFFIObjectAllocHeader;

/*! Supplies the memory of objects, so that a frontend can keep words of its own before them. */
typedef struct {
  /*!
   * Returns `size` uninitialised bytes aligned to `alignment`, with a filled
   * TVMFFIObjectAllocHeader right before them; or NULL after having raised an error. May be called
   * by several threads at once.
   */
  void *(*allocate)(size_t size, size_t alignment, int32_t type_index, void *context);
  /*! Handed to `allocate`; neither read nor owned by the runtime. */
  void *context;
} TVMFFICustomAllocator;

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Returns the allocator in force, never NULL. Not synchronised with the setter. Since 0.1.13.
 * @return Borrow: for the rest of the process.
 */
TVM_FFI_DLL TVMFFICustomAllocator *TVMFFIGetCustomAllocator(void);

/*!
 * Installs an allocator for the whole process, once, before threads start. Since 0.1.13.
 * @param allocator Borrowed for the rest of the process; NULL brings back the built-in one.
 * @return 0.
 */
TVM_FFI_DLL int TVMFFISetCustomAllocator(TVMFFICustomAllocator *allocator);
#endif

/*!
 * Finds a type's index by its key, such as "ffi.String".
 * @param type_key The key.
 * @param out_tindex Written on success.
 * @return 0; -1 if no type has this key.
 */
TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray *type_key, int32_t *out_tindex);

//--------------------------------------------------------------------------------------------------
// Functions
//--------------------------------------------------------------------------------------------------

/*!
 * Makes a Function of a C callback.
 *
 * With a `self` or a `deleter`, the callback is given `self` as its handle. With neither, the
 * Function's cell holds the callback itself, which is then given the Function's own handle.
 *
 * @param self Closure; may be NULL.
 * @param safe_call The callback.
 * @param deleter Called once with `self` when the last strong reference goes; NULL for none. Not
 * called if this function fails.
 * @param out Own: the Function, with one strong and one weak reference.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIFunctionCreate(void *self, TVMFFISafeCallType safe_call,
                                     void (*deleter)(void *self), TVMFFIObjectHandle *out);

/*!
 * Looks a name up in the global table. Safe from any thread.
 * @param name All its bytes count; it may hold NULs or be empty.
 * @param out Own: the Function. NULL if the name is unknown, which is no failure.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle *out);

/*!
 * Makes an owned value of a view.
 *
 * A raw string becomes a string, a byte array becomes bytes (both copied, small up to 7 bytes). An
 * object gains one strong reference. An rvalue reference gives up its object: the reference moves,
 * the slot is left NULL, and a slot that is already NULL fails. Everything else is copied.
 *
 * @param any_view Borrowed for the call; may be the same as `out`.
 * @param out Own. Overwritten; what it held before is not released.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny *any_view, TVMFFIAny *out);

/*!
 * Calls a Function, handing everything on as it is: see TVMFFISafeCallType.
 * @param func Borrowed for the call.
 * @param args Borrowed views; NULL if there are none.
 * @param num_args Number of arguments.
 * @param result The caller sets type_index to kTVMFFINone; own on success.
 * @return What the callee returned.
 */
TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny *args, int32_t num_args,
                                   TVMFFIAny *result);

//--------------------------------------------------------------------------------------------------
// Errors. Each thread has one slot for at most one error; a successful call leaves it alone.
//--------------------------------------------------------------------------------------------------

/*!
 * Takes the error out of this thread's slot and leaves the slot empty.
 * @param result Own: the error, or NULL if there was none.
 */
TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle *result);

/*!
 * Puts an error into this thread's slot, releasing the one that was there.
 * @param error Borrow: the slot adds a reference of its own. NULL empties the slot.
 */
TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error);

/*!
 * Creates an error and puts it into this thread's slot.
 * @param kind NUL-terminated, copied.
 * @param message NUL-terminated, copied.
 */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char *kind, const char *message);

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * The same with a message in parts, so that compiled code can share what messages have in common.
 * @param kind NUL-terminated, copied.
 * @param message_parts NUL-terminated each, joined without separator; a part that is NULL is left
 * out. May be NULL if there are none.
 * @param num_parts Number of parts; zero or less makes the message empty.
 */
TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStrParts(const char *kind, const char **message_parts,
                                                   int32_t num_parts);
#endif

#ifdef TVM_FFI_GENERATION_2025_09
/*! Creates an error of three texts, which are copied. Returns own; NULL on failure. */
TVM_FFI_DLL TVMFFIObjectHandle TVMFFIErrorCreate(const TVMFFIByteArray *kind,
                                                 const TVMFFIByteArray *message,
                                                 const TVMFFIByteArray *traceback);
#else
/*!
 * Creates an error, without raising it.
 *
 * As the slot may be needed to report on this very call, a failure for want of memory need not
 * leave an error in it.
 *
 * @param kind Copied.
 * @param message Copied.
 * @param backtrace Copied.
 * @param out Own: the error, with one strong and one weak reference.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray *kind, const TVMFFIByteArray *message,
                                  const TVMFFIByteArray *backtrace, TVMFFIObjectHandle *out);

/*!
 * Creates an error that remembers its cause and more. Since 0.1.8.
 * @param kind Copied.
 * @param message Copied.
 * @param backtrace Copied.
 * @param cause_chain Borrow: the error adds a reference of its own, released with it. May be NULL.
 * @param extra_context Likewise.
 * @param out Own: the error, with one strong and one weak reference.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIErrorCreateWithCauseAndExtraContext(
    const TVMFFIByteArray *kind, const TVMFFIByteArray *message, const TVMFFIByteArray *backtrace,
    TVMFFIObjectHandle cause_chain, TVMFFIObjectHandle extra_context, TVMFFIObjectHandle *out);
#endif

//--------------------------------------------------------------------------------------------------
// Tensors
//--------------------------------------------------------------------------------------------------

/*!
 * Makes a Tensor that takes over a DLPack tensor.
 *
 * Missing strides are filled in (row-major) in memory of the Tensor's own.
 *
 * @param from Own on success: its deleter runs once, with the Tensor's last strong reference. A
 * failure leaves it with the caller.
 * @param require_alignment Bytes that data plus byte_offset must be a multiple of; 0 for no demand.
 * @param require_contiguous Non-zero refuses a tensor that is not contiguous.
 * @param out Own: the Tensor.
 * @return 0, or -1 with RuntimeError.
 */
TVM_FFI_DLL int TVMFFITensorFromDLPack(DLManagedTensor *from, int32_t require_alignment,
                                       int32_t require_contiguous, TVMFFIObjectHandle *out);

/*!
 * Exports a Tensor to DLPack.
 * @param from Borrow: the export adds a reference of its own.
 * @param out Own: shares the Tensor's memory; given up by calling its deleter.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFITensorToDLPack(TVMFFIObjectHandle from, DLManagedTensor **out);

/*! TVMFFITensorFromDLPack for the versioned struct; one that pads sub-byte types is refused. */
TVM_FFI_DLL int TVMFFITensorFromDLPackVersioned(DLManagedTensorVersioned *from,
                                                int32_t require_alignment,
                                                int32_t require_contiguous,
                                                TVMFFIObjectHandle *out);

/*! TVMFFITensorToDLPack for the versioned struct. */
TVM_FFI_DLL int TVMFFITensorToDLPackVersioned(TVMFFIObjectHandle from,
                                              DLManagedTensorVersioned **out);

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Makes a Tensor that looks at another one's memory in a way of its own. Since 0.1.6.
 * @param source Borrow: the view adds a reference of its own, released with it.
 * @param prototype Every field is taken as it is and nothing is checked; shape and strides are
 * copied. Strides are due.
 * @param out Own: the view.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFITensorCreateUnsafeView(TVMFFIObjectHandle source, const DLTensor *prototype,
                                             TVMFFIObjectHandle *out);
#endif

//--------------------------------------------------------------------------------------------------
// Strings, bytes, wide integers, data types
//--------------------------------------------------------------------------------------------------

/*!
 * Copies text into an owned string: small up to 7 bytes, else a new object.
 * @param input Any bytes; {NULL, 0} is the empty string.
 * @param out Own. Overwritten; what it held before is not released.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out);

/*! TVMFFIStringFromByteArray for bytes. */
TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out);

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Copies an integer of any width. Since 0.1.15.
 * @param input Whole 64-bit words as in kTVMFFIBigInt, with any sign words; empty means zero.
 * @param out Own: a kTVMFFIInt where the value fits, else a kTVMFFIBigInt.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIBigIntFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out);

/*!
 * Returns the words of a kTVMFFIInt or kTVMFFIBigInt. Since 0.1.15.
 * @param value The integer.
 * @return Borrow: valid while `value` and its object stay alive and unchanged.
 */
TVM_FFI_DLL TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny *value);
#endif

/*!
 * Reads a data type such as "float16x4".
 * @param str The text.
 * @param out Written on success.
 * @return 0, or -1 with ValueError.
 */
TVM_FFI_DLL int TVMFFIDataTypeFromString(const TVMFFIByteArray *str, DLDataType *out);

/*!
 * Writes a data type as text.
 * @param dtype The data type.
 * @param out Own: a string object, whatever its length.
 * @return 0, or -1 with ValueError.
 */
TVM_FFI_DLL int TVMFFIDataTypeToString(const DLDataType *dtype, TVMFFIAny *out);

//--------------------------------------------------------------------------------------------------
// Reflection. Registration is meant for start-up, before threads read the tables.
//--------------------------------------------------------------------------------------------------

/*! Reads the field at an address (object plus offset) into an owned value. 0, or -1. */
typedef int (*TVMFFIFieldGetter)(void *field, TVMFFIAny *result);

/*! Writes a view's value into the field at an address. 0, or -1 with TypeError. */
typedef int (*TVMFFIFieldSetter)(void *field, const TVMFFIAny *value);

/*! Creates an empty object of a type, owned by the caller. 0, or -1. */
typedef int (*TVMFFIObjectCreator)(TVMFFIObjectHandle *result);

/*! Bits of TVMFFIFieldInfo::flags. Renamed bits keep all their names, with equal values. */
typedef enum TVMFFIFieldFlagBitMask TVM_FFI_INT32_ {
  kTVMFFIFieldFlagBitMaskWritable = 1 << 0,
  kTVMFFIFieldFlagBitMaskHasDefault = 1 << 1,
  kTVMFFIFieldFlagBitMaskIsStaticMethod = 1 << 2,
  /*! Structural equality and hash pass the field over. */
  kTVMFFIFieldFlagBitMaskSEqHashIgnore = 1 << 3,
  /*! The field opens a region that defines what its type names too (name since 0.1.15). */
  kTVMFFIFieldFlagBitMaskSEqHashDefPattern = 1 << 4,
  /*! The same bit, as 0.1.12 spells it. */
  kTVMFFIFieldFlagBitMaskSEqHashDefRecursive = 1 << 4,
  /*! The same bit, as releases before 0.1.12 spell it. */
  kTVMFFIFieldFlagBitMaskSEqHashDef = 1 << 4,
  /*! The default is a Function without arguments that makes it. */
  kTVMFFIFieldFlagBitMaskDefaultFromFactory = 1 << 5,
  /*! Left out of the printed form. */
  kTVMFFIFieldFlagBitMaskReprOff = 1 << 6,
  /*! Left out of recursive comparison. */
  kTVMFFIFieldFlagBitMaskCompareOff = 1 << 7,
  /*! Left out of recursive hashing. */
  kTVMFFIFieldFlagBitMaskHashOff = 1 << 8,
  /*! No parameter of the generated constructor. */
  kTVMFFIFieldFlagBitMaskInitOff = 1 << 9,
  /*! A keyword-only parameter of the generated constructor. */
  kTVMFFIFieldFlagBitMaskKwOnly = 1 << 10,
  /*! TVMFFIFieldInfo::setter is a Function, called with (field address, value). */
  kTVMFFIFieldFlagBitSetterIsFunctionObj = 1 << 11,
  /*! The field opens a region that defines the variable alone (name since 0.1.15). */
  kTVMFFIFieldFlagBitMaskSEqHashDefSimple = 1 << 12,
  /*! The same bit, as 0.1.12 spells it. */
  kTVMFFIFieldFlagBitMaskSEqHashDefNonRecursive = 1 << 12
} TVMFFIFieldFlagBitMask;

/*! How structural equality and hash treat objects of a type. */
typedef enum TVMFFISEqHashKind TVM_FFI_INT32_ {
  /*! They refuse. */
  kTVMFFISEqHashKindUnsupported = 0,
  /*! By content; shared parts and copies are the same. */
  kTVMFFISEqHashKindTreeNode = 1,
  /*! A variable, which may stand for another one where it is defined. */
  kTVMFFISEqHashKindFreeVar = 2,
  /*! By content; sharing counts. */
  kTVMFFISEqHashKindDAGNode = 3,
  /*! By content without variables, so that equal addresses decide at once. */
  kTVMFFISEqHashKindConstTreeNode = 4,
  /*! By address. */
  kTVMFFISEqHashKindUniqueInstance = 5
} TVMFFISEqHashKind;

/*! The region of definitions in which a structural visit finds itself. */
typedef enum TVMFFIDefRegionKind TVM_FFI_INT32_ {
  /*! In none: variables are uses. */
  kTVMFFIDefRegionKindNone = 0,
  /*! Variables of the value and of its type are defined (name since 0.1.15). */
  kTVMFFIDefRegionKindPattern = 1,
  /*! The same, as 0.1.12 spells it. */
  kTVMFFIDefRegionKindRecursive = 1,
  /*! The variable alone is defined (name since 0.1.15). */
  kTVMFFIDefRegionKindSimple = 2,
  /*! The same, as 0.1.12 spells it. */
  kTVMFFIDefRegionKindNonRecursive = 2
} TVMFFIDefRegionKind;

/*! One field of a type. */
typedef struct {
  TVMFFIByteArray name;
  TVMFFIByteArray doc;
  /*! JSON. */
  TVMFFIByteArray metadata;
  /*! TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /*! In bytes, as are the next two. */
  int64_t size;
  int64_t alignment;
  /*! From the object's handle. */
  int64_t offset;
  TVMFFIFieldGetter getter;
  /*! A TVMFFIFieldSetter, or a Function where kTVMFFIFieldFlagBitSetterIsFunctionObj is set. */
  void *setter;
  /*! A view; meaningful with kTVMFFIFieldFlagBitMaskHasDefault. */
  TVMFFIAny default_value_or_factory;
  /*! The declared type, kTVMFFIAny if unknown; the value has the last word. */
  int32_t field_static_type_index;
} TVMFFIFieldInfo;

/*! One method of a type, or a function for the global table. */
typedef struct {
  TVMFFIByteArray name;
  TVMFFIByteArray doc;
  /*! JSON. */
  TVMFFIByteArray metadata;
  /*! TVMFFIFieldFlagBitMask. */
  int64_t flags;
  /*! A view of a Function, whose first argument is the object unless the method is static. */
  TVMFFIAny method;
} TVMFFIMethodInfo;

/*! What else is known of a type. */
typedef struct {
  TVMFFIByteArray doc;
  /*! Makes an empty object, whose fields the caller then sets; NULL for none. */
  TVMFFIObjectCreator creator;
  /*! Bytes of an object, 0 if unknown. */
  int32_t total_size;
  TVMFFISEqHashKind structural_eq_hash_kind;
} TVMFFITypeMetadata;

/*! One attribute of many types: that of type t is data[t - begin_index], None outside. */
typedef struct {
  const TVMFFIAny *data;
  /*! Entries at `data`. */
  int32_t size;
  /*! The type index of data[0]. */
  int32_t begin_index;
} TVMFFITypeAttrColumn;

/*! What the type table holds of a type. */
typedef struct TVMFFITypeInfo {
  int32_t type_index;
  /*! Number of ancestors. */
  int32_t type_depth;
  TVMFFIByteArray type_key;
  /*! `type_depth` ancestors, the root first; NULL if there are none. */
  const struct TVMFFITypeInfo **type_ancestors;
  /*! A hash of the key, the runtime's choice. */
  uint64_t type_key_hash;
  int32_t num_fields;
  int32_t num_methods;
  /*! May move when a field is registered, as `methods` may. */
  const TVMFFIFieldInfo *fields;
  const TVMFFIMethodInfo *methods;
  /*! NULL if none was registered. */
  const TVMFFITypeMetadata *metadata;
} TVMFFITypeInfo;

/*!
 * Enters a Function into the global table.
 * @param name Copied; all its bytes count.
 * @param f Borrow: the table adds a reference of its own. NULL: the name leads to no function.
 * @param allow_override Non-zero replaces an entry, releasing the old function.
 * @return 0; -1 with RuntimeError if the name is taken and must not be replaced.
 */
TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray *name, TVMFFIObjectHandle f,
                                        int allow_override);

/*!
 * TVMFFIFunctionSetGlobal with documentation and metadata, all of it copied.
 * @param method_info `method` must hold a Function or None; anything else fails with TypeError.
 * @param allow_override As above.
 * @return 0, or -1.
 */
TVM_FFI_DLL int TVMFFIFunctionSetGlobalFromMethodInfo(const TVMFFIMethodInfo *method_info,
                                                      int allow_override);

/*! Adds a field to a type; everything is copied. A second one of that name fails (since 0.1.11). */
TVM_FFI_DLL int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo *info);

/*! Adds a method to a type; everything is copied. */
TVM_FFI_DLL int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo *info);

/*! Sets what else is known of a type, once; a second time fails. */
TVM_FFI_DLL int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata *metadata);

/*!
 * Sets an attribute of a type, once.
 * @param type_index The type; kTVMFFINone only makes sure that the column exists.
 * @param attr_name Copied.
 * @param attr_value A view, of which the table keeps an owned value.
 * @return 0; -1 with RuntimeError if the type has this attribute.
 */
TVM_FFI_DLL int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray *attr_name,
                                       const TVMFFIAny *attr_value);

/*! Finds an attribute's column, NULL if there is none. Borrow: stays, but its fields change. */
TVM_FFI_DLL const TVMFFITypeAttrColumn *TVMFFIGetTypeAttrColumn(const TVMFFIByteArray *attr_name);

/*!
 * Tells where the program is, one line a frame, the most recent call first.
 * @param filename The caller's file, NULL if unknown.
 * @param lineno The caller's line.
 * @param func The caller's function, NULL if unknown. With both names, they make the first line.
 * @param cross_ffi_boundary Non-zero to look beyond the call that entered through the ABI.
 * @return Borrow: never NULL, NUL-terminated, perhaps empty; overwritten by the thread's next call
 * and by errors that it raises.
 */
TVM_FFI_DLL const TVMFFIByteArray *TVMFFIBacktrace(const char *filename, int lineno,
                                                   const char *func, int cross_ffi_boundary);

/*!
 * Finds or creates a type.
 * @param type_key A known key returns its index, whatever the other arguments.
 * @param static_type_index The index to take, or -1 for one that the runtime picks.
 * @param type_depth Number of ancestors.
 * @param num_child_slots Indices to keep free right after, for children.
 * @param child_slots_can_overflow Non-zero lets further children have indices elsewhere.
 * @param parent_type_index The parent; -1 for none; -2 to ask only (since 0.1.13).
 * @return The index; -2 if only asked and unknown.
 */
TVM_FFI_DLL int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray *type_key,
                                              int32_t static_type_index, int32_t type_depth,
                                              int32_t num_child_slots,
                                              int32_t child_slots_can_overflow,
                                              int32_t parent_type_index);

/*! Returns what the table holds of a registered type. Borrow: lives as long as the process. */
TVM_FFI_DLL TVM_FFI_ATTRIBUTE_PURE const TVMFFITypeInfo *TVMFFIGetTypeInfo(int32_t type_index);

//--------------------------------------------------------------------------------------------------
// Initialisation at first use, for code that has no static constructors
//--------------------------------------------------------------------------------------------------

#ifndef TVM_FFI_GENERATION_2025_09
/*!
 * Fills an empty slot, once, however many threads ask; all return when it is full. Since 0.1.5.
 * @param handle_addr The slot: NULL until filled. A full one returns 0 at once.
 * @param init_func Stores the value in *result (NULL before) and returns 0. Any other code is
 * returned to the caller as it is, leaves the slot empty, and the next call tries again.
 * @return 0; -1 with RuntimeError if init_func succeeded without a value; or init_func's code.
 */
TVM_FFI_DLL int TVMFFIHandleInitOnce(void **handle_addr, int (*init_func)(void **result));

/*!
 * Empties a slot, once, however many threads ask. Since 0.1.5.
 * @param handle_addr The slot. An empty one returns 0 at once.
 * @param deinit_func Given the old value after the slot is empty. Its code is returned as it is.
 * @return 0, or deinit_func's code.
 */
TVM_FFI_DLL int TVMFFIHandleDeinitOnce(void **handle_addr, int (*deinit_func)(void *handle));
#endif

#ifdef __cplusplus
}  // extern "C"

//--------------------------------------------------------------------------------------------------
// Short cuts for C++. A cell stands right behind the header; nothing is checked.
//--------------------------------------------------------------------------------------------------

/*! Returns an object's type index. */
inline int32_t TVMFFIObjectGetTypeIndex(TVMFFIObjectHandle obj)
{
  return static_cast<const TVMFFIObject *>(obj)->type_index;
}

/*! Returns the content of a small string or small bytes. Borrow: it lies within `value`. */
inline TVMFFIByteArray TVMFFISmallBytesGetContentByteArray(const TVMFFIAny *value)
{
  TVMFFIByteArray content = {value->v_bytes, value->small_str_len};
  return content;
}

/*! Returns the content of a string or bytes object. */
inline TVMFFIByteArray *TVMFFIBytesGetByteArrayPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<TVMFFIByteArray *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Returns the body of an Error. */
inline TVMFFIErrorCell *TVMFFIErrorGetCellPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<TVMFFIErrorCell *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Returns the body of a Function. */
inline TVMFFIFunctionCell *TVMFFIFunctionGetCellPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<TVMFFIFunctionCell *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Returns the body of an opaque object. */
inline TVMFFIOpaqueObjectCell *TVMFFIOpaqueObjectGetCellPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<TVMFFIOpaqueObjectCell *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Returns the body of a Shape. */
inline TVMFFIShapeCell *TVMFFIShapeGetCellPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<TVMFFIShapeCell *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Returns the body of a Tensor. */
inline DLTensor *TVMFFITensorGetDLTensorPtr(TVMFFIObjectHandle obj)
{
  return reinterpret_cast<DLTensor *>(static_cast<TVMFFIObject *>(obj) + 1);
}

/*! Makes a device of its two numbers. */
inline DLDevice TVMFFIDLDeviceFromIntPair(int32_t device_type, int32_t device_id)
{
  DLDevice device = {static_cast<DLDeviceType>(device_type), device_id};
  return device;
}
#endif  // __cplusplus

#undef TVM_FFI_INT32_

#endif  // TVM_FFI_C_API_H_
