// SPDX-License-Identifier: Apache-2.0
// The form of a recording, as the layer writes it and files have it. RECORDINGS.md describes it.
// Numbers are little-endian; nothing is aligned.
#ifndef TVMFFI_CONFORMANCE_RECORD_FORMAT_H_
#define TVMFFI_CONFORMANCE_RECORD_FORMAT_H_

#include <stdint.h>

// Environment variables whose names begin so are recorded: runtimes read them.
#define RECORD_VARIABLE_PREFIX "TVM_"
#define RECORD_MAGIC "tvmffirc"  // the first 8 bytes of a file; its version is in the next 4

enum {
  RECORD_VERSION = 1,
  RECORD_FILE_HEADER = 16,   // magic, version, and 4 bytes of 0
  RECORD_EVENT_HEADER = 24,  // size 4, kind 2, what 2, process 4, thread 4, serial number 8
  RECORD_TEXT_MAX = 1 << 20,
  RECORD_DATA_MAX = 1 << 20,  // bytes of a tensor that are kept
  RECORD_DIMS_MAX = 64,
  RECORD_ITEMS_MAX = 4096,  // of an event
  // An event's process has the number of the runtime that it is about from this bit on.
  RECORD_RUNTIME_SHIFT = 16,
  RECORD_RUNTIMES_MAX = 16,
};

// What happened. Events of one thread are in order; CALL and BACK stay open until their END.
typedef enum RecordKind {
  RECORD_CALL = 1,  // the program calls a function object: the function, then arguments
  RECORD_BACK = 2,  // a function of the program is called: the same
  RECORD_END = 3,   // what that came to: code, result, error or none, then argument tensors
  RECORD_LEAF = 4,  // another function of the C API was called, by the program; `what` is it
  RECORD_DEAD = 5,  // an object died: its number
  RECORD_TYPE = 6,  // a type: its index, its key
  RECORD_METHOD =
      7,  // a function that a type has: type key, name, function; `what` 1: an attribute
  RECORD_MODULE = 8,     // a module's function was called: an address or a name, code, arguments
  RECORD_CHILD = 9,      // the process was forked from another that is traced, and executed nothing
  RECORD_VARIABLE = 10,  // an environment variable: its name, its value or none
  RECORD_FIELD = 11,  // a field of an object was read, or written if `what` is 1: the object, its
                      // name, code, value
  RECORD_KINDS
} RecordKind;

// Functions of the C API that a LEAF is of. The numbers stay what they are.
typedef enum RecordLeaf {
  LEAF_FunctionGetGlobal = 1,       // name, code, function
  LEAF_FunctionSetGlobal = 2,       // name, override, code, function
  LEAF_FunctionCreate = 3,          // code, function
  LEAF_AnyViewToOwnedAny = 4,       // code, view
  LEAF_StringFromByteArray = 5,     // text, code, value
  LEAF_BytesFromByteArray = 6,      // bytes as a text, code, value
  LEAF_ErrorCreate = 7,             // kind, message, code, error
  LEAF_ErrorSetRaised = 8,          // error
  LEAF_ErrorSetRaisedFromCStr = 9,  // kind, message
  LEAF_ErrorMoveFromRaised = 10,    // error, or none
  LEAF_TypeKeyToIndex = 11,         // key, code
  LEAF_TypeGetOrAllocIndex =
      12,                        // key, parent's key, index asked for, depth, slots, overflow, code
  LEAF_DataTypeFromString = 13,  // text, code, type
  LEAF_DataTypeToString = 14,    // code, text, type
  LEAF_TensorFromDLPack = 15,    // alignment, contiguous, code, tensor
  LEAF_TensorFromDLPackVersioned = 16,  // alignment, contiguous, code, tensor
  LEAF_ObjectCreateOpaque = 19,         // index, code, object
  LEAF_TypeRegisterAttr = 20,           // type key, name, code, value
  LEAF_TypeRegisterMethod = 21,         // type key, name, flags, code, function, doc, metadata
  LEAF_TypeRegisterField = 22,          // type key, name, code
  LEAF_FunctionSetGlobalFromMethodInfo = 23,  // name, override, code, function, doc, metadata
  RECORD_LEAVES
} RecordLeaf;

// What an item of an event is. Its first byte is one of these, and RECORD_MOVED may be added: it was
// handed over as a reference that the callee may take.
typedef enum RecordTag {
  RECORD_NONE = 0,
  RECORD_INT = 1,      // 8
  RECORD_BOOL = 2,     // 8
  RECORD_FLOAT = 3,    // 8, the bits
  RECORD_DTYPE = 4,    // code 1, bits 1, lanes 2
  RECORD_DEVICE = 5,   // type 4, number 4
  RECORD_POINTER = 6,  // 8
  RECORD_TEXT = 7,     // form 1, object's number 8, size 4, bytes
  RECORD_BYTES = 8,    // the same
  RECORD_TENSOR = 9,   // see record_tensor in record.h
  RECORD_ERROR = 10,   // object's number 8, size of kind 4, size of message 4, both
  RECORD_OBJECT = 11,  // object's number 8, type index 4, flags 4
  RECORD_SHAPE = 12,   // object's number 8, count 4, numbers of 8
  RECORD_OTHER = 13,   // type index 4: a value that a recording does not keep
  RECORD_TAGS
} RecordTag;

enum { RECORD_MOVED = 0x80 };

// How a text was handed over.
typedef enum RecordForm {
  FORM_SMALL,       // within the value
  FORM_RAW,         // a C string
  FORM_OBJECT,      // an object, which has a number
  FORM_BYTE_ARRAY,  // a struct that points to it
  RECORD_FORMS
} RecordForm;

enum {
  OBJECT_OF_PROGRAM = 1,  // a function whose code is the program's
  TENSOR_IS_VIEW = 1,     // a DLTensor, no object
  TENSOR_HAS_DATA = 2,    // its bytes follow
  TENSOR_HAS_DIGEST = 4,  // its bytes could be read and are one piece
};

// FNV-1a, over 8 bytes at a time and then the rest.
static inline uint64_t record_digest(const unsigned char *bytes, uint64_t size)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, 8);
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    hash ^= hash >> 29;
  }
  for (; size; ++bytes, --size) hash = (hash ^ *bytes) * UINT64_C(0x100000001b3);
  return hash;
}

#endif  // TVMFFI_CONFORMANCE_RECORD_FORMAT_H_
