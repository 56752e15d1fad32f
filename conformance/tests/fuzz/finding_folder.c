// SPDX-License-Identifier: Apache-2.0
#include "finding_folder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char finding_folder[FINDING_FOLDER_SIZE];

void finding_folder_make(void)
{
  snprintf(finding_folder, sizeof finding_folder, "%s/XXXXXX", FINDINGS_FOLDER);
  ck_assert_ptr_nonnull(mkdtemp(finding_folder));
}

void finding_folder_remove(void)
{
  char command[FINDING_FOLDER_SIZE + 16];
  snprintf(command, sizeof command, "rm -rf '%s'", finding_folder);
  ck_assert_int_eq(system(command), 0);
}

void finding_folder_find(const char *begin, char path[FINDING_PATH_SIZE])
{
  char command[FINDING_FOLDER_SIZE + 304];
  snprintf(command, sizeof command, "ls -d '%s/%s'*", finding_folder, begin);
  FILE *list = popen(command, "r");
  ck_assert_ptr_nonnull(list);
  ck_assert_msg(fgets(path, FINDING_PATH_SIZE, list) != NULL, "no finding %s", begin);
  pclose(list);
  path[strcspn(path, "\n")] = '\0';
}
