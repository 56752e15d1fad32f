// SPDX-License-Identifier: Apache-2.0
#include "signature/type_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// --- Vocabulary ----------------------------------------------------------------------------------

typedef struct TypeName {
  const char *name;
  KernelKind kind;
  unsigned spellings;  // where those that C++ converts are not all, or all and nothing else
} TypeName;

static const TypeName names[] = {
    {"None", KERNEL_NONE, 0},
    {"void", KERNEL_NONE, 0},
    {"int", KERNEL_INT, 0},
    {"int8", KERNEL_INT, 0},
    {"int16", KERNEL_INT, 0},
    {"int32", KERNEL_INT, 0},
    {"int64", KERNEL_INT, 0},
    {"uint8", KERNEL_INT, 0},
    {"uint16", KERNEL_INT, 0},
    {"uint32", KERNEL_INT, 0},
    {"uint64", KERNEL_INT, 0},
    {"BigInt", KERNEL_INT, 0},
    {"ffi.BigInt", KERNEL_INT, 0},
    {"bool", KERNEL_BOOL, 0},
    {"float", KERNEL_FLOAT, 0},
    {"double", KERNEL_FLOAT, 0},
    {"float16", KERNEL_FLOAT, 0},
    {"float32", KERNEL_FLOAT, 0},
    {"float64", KERNEL_FLOAT, 0},
    {"void*", KERNEL_POINTER, 0},
    {"handle", KERNEL_POINTER, 0},
    {"DataType", KERNEL_DTYPE, 0},
    {"dtype", KERNEL_DTYPE, 0},
    {"Device", KERNEL_DEVICE, 0},
    {"DLTensor*", KERNEL_TENSOR, 0},
    {"Tensor", KERNEL_TENSOR, 0},
    {"ffi.Tensor", KERNEL_TENSOR, KERNEL_SPELLED_OBJECT},
    {"ffi.String", KERNEL_STRING, KERNEL_SPELLED_AS_STRING},
    {"const char*", KERNEL_STRING, KERNEL_SPELLED_RAW},
    {"str", KERNEL_STRING, 0},
    {"std::string", KERNEL_STRING, 0},
    {"ffi.Bytes", KERNEL_BYTES, 0},
    {"bytes", KERNEL_BYTES, 0},
    {"TVMFFIByteArray*", KERNEL_BYTES, KERNEL_SPELLED_BYTE_ARRAY},
    {"ffi.Shape", KERNEL_SHAPE, 0},
    {"Shape", KERNEL_SHAPE, 0},
    {"ffi.Function", KERNEL_FUNCTION, 0},
    {"std::function", KERNEL_FUNCTION, 0},
    {"Array", KERNEL_ARRAY, 0},
    {"ffi.Array", KERNEL_ARRAY, 0},
    {"List", KERNEL_ARRAY, 0},
    {"ffi.List", KERNEL_ARRAY, 0},
    {"list", KERNEL_ARRAY, 0},
    {"std::vector", KERNEL_ARRAY, 0},
    {"std::array", KERNEL_ARRAY, 0},
    {"Map", KERNEL_MAP, 0},
    {"ffi.Map", KERNEL_MAP, 0},
    {"Dict", KERNEL_MAP, 0},
    {"ffi.Dict", KERNEL_MAP, 0},
    {"dict", KERNEL_MAP, 0},
    {"std::map", KERNEL_MAP, 0},
    {"std::unordered_map", KERNEL_MAP, 0},
    {"Tuple", KERNEL_TUPLE, 0},
    {"tuple", KERNEL_TUPLE, 0},
    {"std::tuple", KERNEL_TUPLE, 0},
    {"Variant", KERNEL_VARIANT, 0},
    {"Union", KERNEL_VARIANT, 0},
    {"std::variant", KERNEL_VARIANT, 0},
    {"ffi.Object", KERNEL_OBJECT, 0},
};

static bool is_name(const char *name, size_t size, const char *word)
{
  return strlen(word) == size && memcmp(name, word, size) == 0;
}

static bool is_one_of(const char *name, size_t size, const char *const *words)
{
  for (; *words; ++words)
    if (is_name(name, size, *words)) return true;
  return false;
}

SignatureType type_name_blank(SignatureOrigin origin)
{
  return (SignatureType){
      .origin = origin, .example = SIGNATURE_NONE, .returns = SIGNATURE_NONE, .alignment = 1};
}

// A type that says something of the type in its brackets. False if it is none of these.
static bool make_wrapper(const char *name, size_t size, const SignatureType *arguments,
                         size_t count, SignatureType *type)
{
  static const char *const optionals[] = {"Optional", "std::optional", NULL};
  static const char *const passed[] = {"RValueRef", "ObjectRValueRef", "Expected", NULL};
  bool optional = is_one_of(name, size, optionals);
  if (!optional && !is_one_of(name, size, passed)) return false;
  if (count == 0) return true;
  *type = arguments[0];
  type->optional |= optional;
  return true;
}

static void take_arguments(SignatureBuild *build, const SignatureType *arguments, size_t count,
                           SignatureType *type)
{
  if (type->kind == KERNEL_FUNCTION && count > 0) {
    type->returns = signature_add_types(build, arguments, 1).first;
    ++arguments;
    --count;
  }
  // "std::array<float, 3>": the number is read as a type of no kind.
  if (type->kind == KERNEL_ARRAY && count > 1) count = 1;
  if (type->kind == KERNEL_MAP && count != 2) count = 0;
  bool has_any = type->kind == KERNEL_FUNCTION || type->kind == KERNEL_ARRAY ||
                 type->kind == KERNEL_MAP || type->kind == KERNEL_TUPLE ||
                 type->kind == KERNEL_VARIANT;
  if (has_any && count > 0) type->children = signature_add_types(build, arguments, count);
}

SignatureType type_name_make(SignatureBuild *build, SignatureOrigin origin, const char *name,
                             size_t size, const SignatureType *arguments, size_t count)
{
  SignatureType type = type_name_blank(origin);
  if (make_wrapper(name, size, arguments, count, &type)) return type;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (is_name(name, size, names[i].name)) {
      type.kind = names[i].kind;
      type.spellings = names[i].spellings;
      take_arguments(build, arguments, count, &type);
      return type;
    }
  if (memchr(name, '.', size)) {
    type.kind = KERNEL_OBJECT;
    type.type_key = signature_add_text(build, name, size);
  }
  return type;
}

// --- Text ----------------------------------------------------------------------------------------

typedef struct Reader {
  SignatureBuild *build;
  SignatureOrigin origin;
  const char *at;
  bool shaped;  // a tensor with type and shape was read
} Reader;

static void skip_blanks(Reader *reader)
{
  while (isspace((unsigned char)*reader->at)) ++reader->at;
}

static bool accept(Reader *reader, const char *word)
{
  skip_blanks(reader);
  if (strncmp(reader->at, word, strlen(word)) != 0) return false;
  reader->at += strlen(word);
  return true;
}

// To the bracket that closes what is open here, which is one.
static bool skip_brackets(Reader *reader)
{
  for (int depth = 1; *reader->at; ++reader->at) {
    char c = *reader->at;
    bool arrow = c == '>' && reader->at[-1] == '-';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if ((c == '>' && !arrow) || c == ')' || c == ']') --depth;
    if (depth == 0) {
      ++reader->at;
      return true;
    }
  }
  return false;
}

// The characters of a name: "ffi.Tensor", "const char*", "std::vector", "3".
static size_t name_length(const char *text)
{
  size_t length = strcspn(text, "<>()[],`\n\"");
  while (length && (isspace((unsigned char)text[length - 1]) || text[length - 1] == '&')) --length;
  return length;
}

// What stands before a parameter: "0: ", "x: ".
static size_t label_length(const char *text)
{
  size_t length = 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_') ++length;
  return length && text[length] == ':' && text[length + 1] != ':' ? length : 0;
}

static bool read_type(Reader *reader, unsigned depth, SignatureType *type);

// Types up to the closing bracket, with labels before them or not. The number of them, those that
// have no room included; -1 if the text is another.
static int read_types(Reader *reader, unsigned depth, char closing, SignatureType *types)
{
  const char end[2] = {closing, '\0'};
  int count = 0;
  if (accept(reader, end)) return 0;
  do {
    SignatureType type;
    skip_blanks(reader);
    const char *label = reader->at;
    size_t size = label_length(label);
    if (size) reader->at += size + 1;
    if (!read_type(reader, depth + 1, &type)) return -1;
    if (size && !isdigit((unsigned char)*label))
      type.name = signature_add_text(reader->build, label, size);
    if (count < TYPE_NAME_ARGUMENTS_MAX) types[count] = type;
    ++count;
  } while (accept(reader, ","));
  return accept(reader, end) ? count : -1;
}

static const char name_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// One of "[m, n * 2, 4]".
static SignatureExtent read_extent(Reader *reader)
{
  SignatureExtent extent = {SIGNATURE_EXTENT_ANY, 0, 0};
  size_t size = strcspn(reader->at, ",]\n`");
  const char *text = reader->at;
  reader->at += size;
  while (size && isspace((unsigned char)text[size - 1])) --size;
  if (size == strspn(text, "0123456789") && size > 0 && size < 18) {
    extent.form = SIGNATURE_EXTENT_NUMBER;
    for (size_t i = 0; i < size; ++i) extent.number = extent.number * 10 + (text[i] - '0');
  } else if (size > 0 && !isdigit((unsigned char)*text) && strspn(text, name_characters) >= size) {
    // Only names: what else is written there is no expression of ours.
    extent.form = SIGNATURE_EXTENT_EXPRESSION;
    extent.text = signature_add_text(reader->build, text, size);
  }
  return extent;
}

// "Tensor([m, n], float32)", behind the first parenthesis.
static bool read_shaped(Reader *reader, SignatureType *type)
{
  enum { RANK_MAX = 8 };
  SignatureExtent extents[RANK_MAX];
  size_t rank = 0;
  *type = type_name_blank(reader->origin);
  type->kind = KERNEL_TENSOR;
  if (!accept(reader, "[")) return false;
  while (!accept(reader, "]")) {
    if (rank == RANK_MAX || !*reader->at) return false;
    extents[rank++] = read_extent(reader);
    if (!accept(reader, ",") && *reader->at != ']') return false;
  }
  if (!accept(reader, ",")) return false;
  skip_blanks(reader);
  size_t size = strcspn(reader->at, ",) \n`");
  if (size == 0) return false;
  SignatureValue dtype = {.kind = KERNEL_STRING, .text_size = (uint32_t)size};
  dtype.text = signature_add_text(reader->build, reader->at, size);
  reader->at += size;
  if (!skip_brackets(reader)) return false;
  type->tensor_origin = SIGNATURE_FROM_MESSAGE;
  type->dtypes = signature_add_values(reader->build, &dtype, 1);
  type->has_shape = true;
  type->shape = signature_add_extents(reader->build, extents, rank);
  reader->shaped = true;
  return true;
}

// "(0: int, 1: str) -> None", behind the first parenthesis.
static bool read_function(Reader *reader, unsigned depth, SignatureType *type)
{
  SignatureType types[TYPE_NAME_ARGUMENTS_MAX + 1];
  int count = read_types(reader, depth, ')', types + 1);
  if (count < 0 || !accept(reader, "->") || !read_type(reader, depth + 1, types)) return false;
  *type = type_name_blank(reader->origin);
  type->kind = KERNEL_FUNCTION;
  if (count <= TYPE_NAME_ARGUMENTS_MAX)
    take_arguments(reader->build, types, (size_t)count + 1, type);
  return true;
}

static bool read_named(Reader *reader, unsigned depth, SignatureType *type)
{
  SignatureType types[TYPE_NAME_ARGUMENTS_MAX];
  if (strncmp(reader->at, "const ", 6) == 0 && strncmp(reader->at, "const char*", 11) != 0)
    reader->at += 6;
  const char *name = reader->at;
  size_t size = name_length(name);
  int count = 0;
  if (size == 0) return false;
  reader->at += size;
  while (*reader->at == ' ' || *reader->at == '&') ++reader->at;
  if (is_name(name, size, "Tensor") && accept(reader, "(")) return read_shaped(reader, type);
  bool opens = accept(reader, "<");
  // "std::function<float(int)>"
  if (opens && is_name(name, size, "std::function")) {
    if (!skip_brackets(reader)) return false;
  } else if (opens) {
    count = read_types(reader, depth, '>', types);
    if (count < 0) return false;
  }
  *type = type_name_blank(reader->origin);
  if (count <= TYPE_NAME_ARGUMENTS_MAX)
    *type = type_name_make(reader->build, reader->origin, name, size, types, (size_t)count);
  return true;
}

// Goes as deep as `depth` lets it, whatever the text is.
static bool read_type(Reader *reader, unsigned depth, SignatureType *type)
{
  skip_blanks(reader);
  if (depth < SIGNATURE_DEPTH_MAX)
    return accept(reader, "(") ? read_function(reader, depth, type)
                               : read_named(reader, depth, type);
  *type = type_name_blank(reader->origin);
  if (*reader->at == '(') return false;
  reader->at += name_length(reader->at);
  if (accept(reader, "<")) return skip_brackets(reader);
  return true;
}

size_t type_name_read(SignatureBuild *build, SignatureOrigin origin, const char *text,
                      SignatureType *type)
{
  Reader reader = {.build = build, .origin = origin, .at = text};
  return read_type(&reader, 0, type) ? (size_t)(reader.at - text) : 0;
}

// --- Messages ------------------------------------------------------------------------------------

// Reads what is behind the first parenthesis of "f(0: Tensor, 1: int) -> None".
static Signature *read_signature(const char *text)
{
  SignatureType types[TYPE_NAME_ARGUMENTS_MAX], result;
  SignatureBuild *build = signature_build_begin(SIGNATURE_FROM_ARITY_ERROR, true);
  if (!build) return NULL;
  Reader reader = {.build = build, .origin = SIGNATURE_FROM_ARITY_ERROR, .at = text};
  SignatureForm form = {.rest = SIGNATURE_NONE, .result = SIGNATURE_NONE};
  int count = read_types(&reader, 0, ')', types);
  bool returns = count >= 0 && accept(&reader, "->") && read_type(&reader, 0, &result);
  // Without a result, only what gives shapes is more than words in parentheses.
  bool good = count >= 0 && count <= TYPE_NAME_ARGUMENTS_MAX && (returns || reader.shaped);
  if (good) {
    form.parameters = signature_add_types(build, types, (size_t)count);
    if (returns) form.result = signature_add_types(build, &result, 1).first;
    signature_add_form(build, &form);
  }
  Signature *signature = signature_build_end(build);
  if (good) return signature;
  free(signature);
  return NULL;
}

Signature *type_name_signature(const char *message)
{
  enum { TRIED_MAX = 16 };
  unsigned tried = 0;
  for (const char *at = strchr(message, '('); at && tried < TRIED_MAX; at = strchr(at + 1, '(')) {
    bool names_function =
        at > message && (isalnum((unsigned char)at[-1]) || at[-1] == '_' || at[-1] == '`');
    bool labelled = label_length(at + 1) > 0 || at[1] == ')';
    if (!names_function || !labelled) continue;
    Signature *signature = read_signature(at + 1);
    if (signature) return signature;
    ++tried;
  }
  return NULL;
}
