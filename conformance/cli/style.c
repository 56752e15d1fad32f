// SPDX-License-Identifier: Apache-2.0
#include "cli/style.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

TextStyle style_for(FILE *out, const Options *options)
{
  TextStyle style = {
      .verbosity = options->verbosity, .only_failed = options->only_failed, .columns = 100};
  const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
  struct winsize size;
  bool dumb = !terminal || strcmp(terminal, "dumb") == 0;
  style.tty = isatty(fileno(out)) && !dumb;
  style.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) style.columns = size.ws_col;
  style.color = options->color == COLOR_ALWAYS ||
                (options->color == COLOR_AUTO && style.tty && !(no_color && *no_color));
  return style;
}
