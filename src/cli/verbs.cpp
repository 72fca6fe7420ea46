// The verbs, in the order in which --help lists them.
#include "cli/verb.h"

namespace npubin::cli {

extern const Verb kInspect, kCheck, kMap, kDisasm, kRun, kExplain;

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      kInspect, kCheck, kMap, kDisasm, kRun,
  };
  return kVerbs;
}

}  // namespace npubin::cli
