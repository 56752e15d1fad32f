// SPDX-License-Identifier: Apache-2.0
// Mutants of the modules that a library carries, library_bin.
#include "mutants/loading.h"
#include "mutants/wrapped.h"

static bool refuse(LibraryBin *tree, LibraryBinProblem *problem)
{
  library_bin_free(tree);
  *problem = (LibraryBinProblem){.rule = kLibraryBinNoRows};
  return false;
}

MUTANT_REGISTERED(BIN_1, library_is_root, "ffi.Module.load_from_file.so",
                  "a load gives the library where the first entry imports it")
{
  int status = ORIGINAL(args, num_args, result);

  const TVMFFISeqCell *imports = status == 0 ? imports_in(result->v_obj) : NULL;
  if (!imports) return status;
  void *import = import_in(imports, 0), *root = result->v_obj;
  TVMFFIObjectIncRef(import);
  *result = value_of_object(import);
  TVMFFIObjectDecRef(root);
  return 0;
}

MUTANT_REGISTERED(BIN_2, functions_lost, "ffi.ModuleGetFunction",
                  "a library that imports modules has no functions of its own")
{
  if (num_args == 3 && is_object(args) && !args[2].v_int64 && imports_in(args->v_obj)) {
    *result = none_value();
    return 0;
  }
  return ORIGINAL(args, num_args, result);
}

MUTANT_WRAP(BIN_3, library_has_to_be_first, library_bin_read,
            "a tree in which the library is not the first entry is refused")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  return tree->entries[0].is_library || refuse(tree, problem);
}

MUTANT_WRAP(BIN_4, called_twice, module_load_from_bytes, "the loader of a kind is called twice")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status != 0) return status;
  TVMFFIObjectDecRef(*out);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}

MUTANT_WRAP(BIN_5, value_up_to_a_nul, module_load_from_bytes, "a value ends at its first NUL")
{
  TVMFFIByteArray cut = {value->data, value->size ? strnlen(value->data, value->size) : 0};
  return REAL(module_load_from_bytes)(name, place, kind, &cut, out);
}

MUTANT_WRAP(BIN_6, empty_value_refused, module_load_from_bytes, "an empty value is refused")
{
  if (value->size == 0) return fail("InternalError", "the value can not be read");
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}

MUTANT_WRAP(BIN_7, kind_up_to_a_nul, module_load_from_bytes, "a kind ends at its first NUL")
{
  TVMFFIByteArray cut = {kind->data, kind->size ? strnlen(kind->data, kind->size) : 0};
  return REAL(module_load_from_bytes)(name, place, &cut, value, out);
}

// Turns the entries behind the first around, with all that speaks of them.
static void turn(LibraryBin *tree)
{
  size_t count = tree->num_modules, at = 0;
  LibraryBinEntry *entries = malloc(count * sizeof *entries);
  uint64_t *rows = malloc((count + 1) * sizeof *rows);
  uint64_t *children = malloc((tree->num_children + 1) * sizeof *children);
  rows[0] = 0;
  for (size_t i = 0; i < count; ++i) {
    size_t old = i ? count - i : 0;
    entries[i] = tree->entries[old];
    for (uint64_t row = tree->rows[old]; row < tree->rows[old + 1]; ++row)
      children[at++] = tree->children[row] ? count - tree->children[row] : 0;
    rows[i + 1] = at;
  }
  memcpy((LibraryBinEntry *)tree->entries, entries, count * sizeof *entries);
  memcpy((uint64_t *)tree->rows, rows, (count + 1) * sizeof *rows);
  memcpy((uint64_t *)tree->children, children, at * sizeof *children);
  free(entries);
  free(rows);
  free(children);
}

MUTANT_WRAP(BIN_8, last_entry_before_the_others, library_bin_read,
            "behind the first entry the loaders run from the last to the second")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  turn(tree);
  return true;
}

MUTANT_WRAP(BIN_9, first_child_only, library_bin_read,
            "a module imports its first child in the place of each")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  uint64_t *children = (uint64_t *)tree->children;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (uint64_t row = tree->rows[i]; row < tree->rows[i + 1]; ++row)
      children[row] = children[tree->rows[i]];
  return true;
}

MUTANT_WRAP(BIN_45, children_from_the_last, library_bin_read,
            "a module imports its children from the last to the first")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  uint64_t *children = (uint64_t *)tree->children;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (uint64_t first = tree->rows[i], last = tree->rows[i + 1]; first + 1 < last;
         ++first, --last) {
      uint64_t child = children[first];
      children[first] = children[last - 1];
      children[last - 1] = child;
    }
  return true;
}

// The tree in which the child at `place` is another module than before, with the same entry and the
// same children. What it borrowed is not given back.
static void divide(LibraryBin *tree, size_t place)
{
  size_t count = tree->num_modules, old = tree->children[place];
  size_t first = tree->rows[old], more = tree->rows[old + 1] - first;
  LibraryBinEntry *entries = malloc((count + 1) * sizeof *entries);
  uint64_t *rows = malloc((count + 2) * sizeof *rows);
  uint64_t *children = malloc((tree->num_children + more) * sizeof *children);
  memcpy(entries, tree->entries, count * sizeof *entries);
  memcpy(rows, tree->rows, (count + 1) * sizeof *rows);
  memcpy(children, tree->children, tree->num_children * sizeof *children);
  memcpy(children + tree->num_children, tree->children + first, more * sizeof *children);
  children[place] = count;
  entries[count] = entries[old];
  rows[count + 1] = rows[count] + more;
  *tree = (LibraryBin){count + 1, tree->num_children + more, rows, children, entries};
}

MUTANT_WRAP(BIN_10, made_for_each_importer, library_bin_read,
            "a module that stands twice among the children is made twice")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  for (size_t place = 1; place < tree->num_children; ++place)
    for (size_t before = 0; before < place; ++before)
      if (tree->children[before] == tree->children[place] &&
          !tree->entries[tree->children[place]].is_library) {
        divide(tree, place);
        return true;
      }
  return true;
}

MUTANT_WRAP(BIN_11, parents_come_first, library_bin_read,
            "a tree is refused in which a module stands before one that imports it")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  for (size_t i = 0; i < tree->num_modules; ++i)
    for (uint64_t row = tree->rows[i]; row < tree->rows[i + 1]; ++row)
      if (tree->children[row] < i) return refuse(tree, problem);
  return true;
}

MUTANT_WRAP(BIN_12, every_module_is_imported, library_bin_read,
            "a tree is refused with a module that nobody imports")
{
  if (!REAL(library_bin_read)(bytes, size, tree, problem)) return false;
  for (size_t i = 1; i < tree->num_modules; ++i) {
    bool imported = false;
    for (size_t child = 0; child < tree->num_children; ++child)
      imported = imported || tree->children[child] == i;
    if (!imported) return refuse(tree, problem);
  }
  return true;
}

MUTANT_REGISTERED(BIN_13, context_of_the_root, "ffi.Module.load_from_file.so",
                  "the context of a library is the module that the load gives")
{
  int status = ORIGINAL(args, num_args, result);

  void *handle = status == 0 ? dlopen(c_text_in(args), RTLD_LAZY | RTLD_LOCAL) : NULL;
  void **context = handle ? dlsym(handle, "__tvm_ffi__library_ctx") : NULL;
  if (context) *context = (char *)result->v_obj - sizeof(void *);
  if (handle) dlclose(handle);
  return status;
}

static void *waiting;

MUTANT_WRAP(BIN_14, context_comes_late, module_context_set,
            "the context is set when all embedded modules are there")
{
  waiting = library;
}

ALSO_REGISTERED(BIN_14, context_comes_late, "ffi.Module.load_from_file.so")
{
  waiting = NULL;
  int status = ORIGINAL(args, num_args, result);
  if (status == 0 && waiting) REAL(module_context_set)(waiting);
  waiting = NULL;
  return status;
}

MUTANT_REGISTERED(BIN_15, not_within_a_load, "ffi.Module.load_from_file.so",
                  "a load within a load is refused")
{
  static _Thread_local int depth;
  if (depth > 0) return fail("RuntimeError", "a load is going on");
  ++depth;
  int status = ORIGINAL(args, num_args, result);
  --depth;
  return status;
}

MUTANT_REGISTERED(BIN_15, failure_spreads, "ffi.Module.load_from_file.so",
                  "a load fails if one within it has failed")
{
  static _Thread_local int depth, failed;
  if (depth == 0) failed = 0;
  ++depth;
  int status = ORIGINAL(args, num_args, result);
  --depth;
  if (status != 0) failed = 1;
  if (depth > 0 || status != 0 || !failed) return status;
  TVMFFIObjectDecRef(result->v_obj);
  *result = (TVMFFIAny){0};
  return fail("RuntimeError", "a load within this one failed");
}

static int opening;

MUTANT_WRAP(BIN_44, constructors_unheard, dlopen,
            "what constructors register while a library is opened is lost")
{
  ++opening;
  void *handle = REAL(dlopen)(file, mode);
  --opening;
  return handle;
}

ALSO(BIN_44, constructors_unheard, FunctionSetGlobal)
{
  return opening ? 0 : REFERENCE(FunctionSetGlobal)(name, f, allow_override);
}

MUTANT_WRAP(BIN_16, library_instead, module_load_from_bytes,
            "in the place of a module of a kind without a loader comes the system library")
{
  TVMFFIAny nothing = none_value();
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status == 0 || !is_raised("RuntimeError")) return status;
  forget_error();
  status = registered_call_by_name("ffi.SystemLib", &nothing, 0, &nothing);
  *out = nothing.v_obj;
  return status;
}

MUTANT_WRAP(BIN_41, key_error, module_load_from_bytes, "a kind without a loader is a KeyError")
{
  TVMFFIObjectHandle loader = NULL;
  char text[1024] = "ffi.Module.load_from_bytes.";
  size_t size = strlen(text);
  if (kind->size < sizeof text - size) memcpy(text + size, kind->data, kind->size);
  TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){text, size + kind->size}, &loader);
  if (!loader) return fail("KeyError", "there is no such loader");
  TVMFFIObjectDecRef(loader);
  return REAL(module_load_from_bytes)(name, place, kind, value, out);
}

MUTANT_WRAP(BIN_18, error_replaced, module_load_from_bytes,
            "whatever the loader of a kind raises becomes a RuntimeError")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status == 0 || is_raised("TypeError")) return status;
  return fail("RuntimeError", "an embedded module can not be loaded");
}

MUTANT_WRAP(BIN_19, value_error, module_load_from_bytes,
            "a loader that gives no module is a ValueError")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  if (status == 0 || !is_raised("TypeError")) return status;
  return fail("ValueError", "the loader gave no module");
}

static TVMFFIObjectHandle held[64];

MUTANT_WRAP(BIN_42, released_later, module_load_from_bytes,
            "embedded modules are released by the next load")
{
  int status = REAL(module_load_from_bytes)(name, place, kind, value, out);
  for (int i = 0; i < 64 && status == 0; ++i) {
    if (held[i]) continue;
    TVMFFIObjectIncRef(held[i] = *out);
    break;
  }
  return status;
}

ALSO_WRAP(BIN_42, released_later, module_tree_load)
{
  for (int i = 0; i < 64; ++i) {
    TVMFFIObjectDecRef(held[i]);
    held[i] = NULL;
  }
  return REAL(module_tree_load)(library, name, bytes, out);
}

static TVMFFIObjectHandle first_failure;

MUTANT_WRAP(BIN_43, loads_on, module_load_from_bytes,
            "the other loaders are called although one has failed")
{
  TVMFFIAny nothing = none_value();
  TVMFFIObjectHandle error = NULL;
  if (REAL(module_load_from_bytes)(name, place, kind, value, out) == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  if (first_failure)
    TVMFFIObjectDecRef(error);
  else
    first_failure = error;
  int status = registered_call_by_name("ffi.SystemLib", &nothing, 0, &nothing);
  *out = nothing.v_obj;
  return status;
}

ALSO_WRAP(BIN_43, loads_on, module_tree_load)
{
  first_failure = NULL;
  int status = REAL(module_tree_load)(library, name, bytes, out);
  if (!first_failure) return status;
  if (status == 0) TVMFFIObjectDecRef(*out);
  TVMFFIErrorSetRaised(first_failure);
  TVMFFIObjectDecRef(first_failure);
  return -1;
}

MUTANT_WRAP(BIN_21, one_byte_more, library_bin_read, "the byte behind a payload is looked at")
{
  uint64_t nbytes;
  memcpy(&nbytes, bytes, sizeof nbytes);
  (void)((const volatile char *)bytes)[8 + nbytes];
  return REAL(library_bin_read)(bytes, size, tree, problem);
}

MUTANT_WRAP(BIN_21, large_value_read_on, library_bin_read,
            "a value that is cut is read on behind a payload of 256 bytes and more")
{
  uint64_t nbytes;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  memcpy(&nbytes, bytes, sizeof nbytes);
  if (nbytes >= 256 && problem->rule == kLibraryBinValueTooLarge)
    (void)((const volatile char *)bytes)[8 + nbytes];
  return false;
}

MUTANT_WRAP(BIN_22, filled_up_with_zeros, library_bin_read,
            "up to eight bytes that are missing at the end of a payload are taken for zeros")
{
  uint64_t given;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  memcpy(&given, bytes, sizeof given);
  for (uint64_t more = 1; more <= 8; ++more) {
    uint64_t filled = given + more;
    char *longer = calloc(1, sizeof filled + filled);  // the tree borrows it
    if (!longer) return false;
    memcpy(longer, bytes, sizeof given + given);
    memcpy(longer, &filled, sizeof filled);
    if (REAL(library_bin_read)(longer, sizeof filled + filled, tree, problem)) return true;
  }
  return false;
}

MUTANT_WRAP(BIN_22, empty_value_completed, library_bin_read,
            "of the length of an empty value at the end of a payload one byte is enough")
{
  uint64_t given;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  memcpy(&given, bytes, sizeof given);
  for (uint64_t more = 1; more < 8; ++more) {
    uint64_t filled = given + more;
    char *longer = calloc(1, sizeof filled + filled);  // the tree borrows it
    if (!longer) return false;
    memcpy(longer, bytes, sizeof given + given);
    memcpy(longer, &filled, sizeof filled);
    if (REAL(library_bin_read)(longer, sizeof filled + filled, tree, problem) &&
        tree->entries[tree->num_modules - 1].value.size == 0)
      return true;
  }
  return false;
}

static uint64_t number_in(const char *bytes, uint64_t place)
{
  uint64_t number;
  memcpy(&number, bytes + 8 * place, sizeof number);
  return number;
}

// A copy of the payload, which the tree borrows; NULL for want of memory.
static char *copy_payload(const void *bytes)
{
  uint64_t size = 8 + number_in(bytes, 0);
  char *copy = malloc(size);
  if (copy) memcpy(copy, bytes, size);
  return copy;
}

MUTANT_WRAP(BIN_23, product_wraps, library_bin_read,
            "a number of children is multiplied by 8 before it is compared with what is there")
{
  const uint64_t low = UINT64_MAX >> 3;
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinCountTooLarge) return false;
  uint64_t nbytes = number_in(bytes, 0), rows = number_in(bytes, 1);
  if (nbytes < 16 || rows == 0 || rows > nbytes / 8 - 2) return false;
  uint64_t children = number_in(bytes, 2 + rows);
  char *copy = children == number_in(bytes, 1 + rows) ? copy_payload(bytes) : NULL;
  if (!copy) return false;
  children &= low;
  memcpy(copy + 8 * (2 + rows), &children, sizeof children);
  memcpy(copy + 8 * (1 + rows), &children, sizeof children);
  return REAL(library_bin_read)(copy, size, tree, problem);
}

// Whether a module imports one that does not stand behind it.
static bool leads_back(const char *bytes, uint64_t rows)
{
  for (uint64_t module = 0; module + 1 < rows; ++module)
    for (uint64_t row = number_in(bytes, 2 + module); row < number_in(bytes, 3 + module); ++row)
      if (number_in(bytes, 3 + rows + row) <= module) return true;
  return false;
}

MUTANT_WRAP(BIN_27, falling_row_taken, library_bin_read,
            "a module whose row falls imports nothing, if all else is right")
{
  if (REAL(library_bin_read)(bytes, size, tree, problem)) return true;
  if (problem->rule != kLibraryBinRowFalls) return false;
  uint64_t rows = number_in(bytes, 1), children = number_in(bytes, 2 + rows);
  for (uint64_t row = 1; row < rows; ++row)
    if (number_in(bytes, 2 + row) > children) return false;
  char *copy = leads_back(bytes, rows) ? NULL : copy_payload(bytes);
  if (!copy) return false;
  for (uint64_t row = 1; row < rows; ++row) {
    uint64_t before = number_in(copy, 1 + row);
    if (number_in(copy, 2 + row) < before) memcpy(copy + 8 * (2 + row), &before, sizeof before);
  }
  return REAL(library_bin_read)(copy, size, tree, problem);
}
