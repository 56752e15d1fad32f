// SPDX-License-Identifier: Apache-2.0
// The points at which two calls within one signature may differ: which size, which data type, None
// or a value. Each has options; option 0 is that of the example.
#ifndef TVMFFI_CONFORMANCE_PLAN_KERNEL_SITE_H_
#define TVMFFI_CONFORMANCE_PLAN_KERNEL_SITE_H_

#include "plan/kernel_choice.h"

typedef enum KernelSiteKind {
  KERNEL_SITE_SIZE,            // of a name in shapes
  KERNEL_SITE_DTYPE_VARIABLE,  // `of`: the variable
  KERNEL_SITE_DEVICE_VARIABLE,
  KERNEL_SITE_NAMED_RANK,  // of "*batch"
  KERNEL_SITE_COUNT,       // of the arguments behind the parameters
  KERNEL_SITE_GIVEN,       // `of`: the type, here and below; 1: None
  KERNEL_SITE_VARIANT,
  KERNEL_SITE_DTYPE,
  KERNEL_SITE_DEVICE,
  KERNEL_SITE_RANK,       // of "..."
  KERNEL_SITE_BROADCAST,  // `of`: the extent; 1: it is 1
  KERNEL_SITE_VALUE,
  KERNEL_SITE_LENGTH,
} KernelSiteKind;

typedef struct KernelSite {
  KernelSiteKind kind;
  uint32_t of;
  char name[KERNEL_SYMBOL_MAX];  // KERNEL_SITE_SIZE, KERNEL_SITE_NAMED_RANK
  uint32_t order;                // KERNEL_SITE_SIZE: how many are before it of those listed, or not
  uint8_t promised, options;     // the first ones are promised
  int parent;                    // a site that has to be at `parent_option`, or -1
  uint8_t parent_option;
} KernelSite;

typedef struct KernelSites {
  KernelSite items[KERNEL_SITES_MAX];
  int count;
} KernelSites;

// Those of a form. Points beyond KERNEL_SITES_MAX stay as in the example.
void kernel_sites_of(const Signature *signature, uint32_t form, KernelSites *sites);

// The site of this kind, or -1. `name` NULL: any.
int kernel_site_find(const KernelSites *sites, KernelSiteKind kind, uint32_t of, const char *name);

// More than functions do in one thread where they have several. No option, but the one behind them; behind that
// is a large prime.
enum { KERNEL_MANY = 300007 };

// The size that an option of a KERNEL_SITE_SIZE stands for.
int64_t kernel_site_size(const Signature *signature, const SignatureForm *form,
                         const KernelSite *site, unsigned option);

// How many dimensions an option of KERNEL_SITE_RANK and KERNEL_SITE_NAMED_RANK stands for, and how
// many elements one of KERNEL_SITE_LENGTH and KERNEL_SITE_COUNT.
int32_t kernel_site_rank(unsigned option);
int64_t kernel_site_length(const Signature *signature, const SignatureType *type, bool rest,
                           unsigned option);

// The example's place among the values of a type, which option 0 stands for.
uint32_t kernel_site_example(const Signature *signature, const SignatureType *type);

// The numbers that are tried besides those of the signature; their options follow its own.
enum { KERNEL_INTS_TRIED = 6, KERNEL_FLOATS_TRIED = 5, KERNEL_TEXTS_TRIED = 3 };
extern const int64_t kernel_ints_tried[KERNEL_INTS_TRIED];
extern const double kernel_floats_tried[KERNEL_FLOATS_TRIED];
extern const char *const kernel_texts_tried[KERNEL_TEXTS_TRIED];

#endif  // TVMFFI_CONFORMANCE_PLAN_KERNEL_SITE_H_
