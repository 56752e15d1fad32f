// SPDX-License-Identifier: Apache-2.0
// Loads of a tree without the memory that they need.
#include "cases/runtime/library_bin_tree.h"
#include "cases/runtime/memory_scarce.h"

CHAPTER(library_bin);

static const char node_loader[] = "ffi.Module.load_from_bytes.conform_node";

// Two modules that live on, and the library between them.
typedef struct Tree {
  Iut *iut;
  TVMFFIObjectHandle nodes[2];  // own: of the values "1" and "2"
  Carrier carrier;              // open: what maps the library is no part of a load
} Tree;

static const char text[] = "1:12 L:2 2";

static int give_node(void *self, const TVMFFIAny *args, int32_t num_args, TVMFFIAny *result)
{
  const Tree *tree = self;
  const TVMFFIByteArray value = num_args == 1 ? bytes_in(tree->iut, args) : bytes_of("");
  TVMFFIObjectHandle node = tree->nodes[value.size == 1 && *value.data == '2'];
  tree->iut->ObjectIncRef(node);
  *result = view_of_object(tree->iut, node);
  return 0;
}

static void prepare_tree(Scene *scene)
{
  static Tree tree;
  const Payload payload = payload_of(text);
  tree = (Tree){.iut = scene->iut};
  for (int i = 0; i < 2; ++i) tree.nodes[i] = load_node(scene->iut, i + 1);
  enter_function(scene->iut, node_loader, &tree, give_node);
  tree.carrier = carrier_open(payload.bytes, payload.size);
  scene->own = &tree;
  scene->function = registered(scene->iut, load_from_file);
  scene->args[0] = view_of_raw_string(tree.carrier.path);
  scene->num_args = 1;
}

static int load_tree(Scene *scene)
{
  return scene->iut->FunctionCall(scene->function, scene->args, scene->num_args, &scene->out.any);
}

// The root lives on, with what it imports.
static void look_at_tree(Scene *scene)
{
  const Tree *tree = scene->own;
  TVMFFIAny root = view_of_object(scene->iut, tree->nodes[0]), result = any_none();
  expect_int("imports of the root", number_of_imports(scene->iut, tree->nodes[0]), 2);
  require(expect_ok(scene->iut,
                    call_registered(scene->iut, &result, "ffi.ModuleClearImports", &root, 1)));
}

static const char *tree_remains(Scene *scene)
{
  const Tree *tree = scene->own;
  for (int i = 0; i < 2; ++i)
    if (object_strong(scene->iut, tree->nodes[i]) != 1)
      return "a module that a loader gave is held, or was released too often";
  return NULL;
}

static const ScarceCall loading[] = {{"tree", load_tree, .output = OUTPUT_ANY,
                                      .prepare = prepare_tree, .undo = look_at_tree,
                                      .remains = tree_remains}};

CASE_ROWS(want_of_memory_for_a_load_is_reported, loading, .clauses = {MEM_1, MEM_8},
          .title = "a load that is refused memory once returns, and is whole if it succeeds")
{
  expect_failures_are_reported(iut, row);
}

CASE_ROWS(load_without_memory_leaves_nothing, loading, .clauses = {MEM_2, MEM_4, MEM_5},
          .title = "a load that fails for want of memory leaves nothing, and succeeds later")
{
  expect_nothing_made(iut, row);
}
