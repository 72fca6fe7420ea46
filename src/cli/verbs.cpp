// The verbs, in the order in which --help lists them: one line declares, one line lists.
#include "cli/verb.h"

namespace npubin::cli {

// clang-format off
extern const Verb kInspect;
extern const Verb kCheck;
extern const Verb kMap;
extern const Verb kDisasm;
extern const Verb kRun;
extern const Verb kConvert;
extern const Verb kEdit;
extern const Verb kStrip;
extern const Verb kDiff;
extern const Verb kCompare;
extern const Verb kAipp;
extern const Verb kAsm;
extern const Verb kPack;
extern const Verb kUnpack;
extern const Verb kEmitC;
extern const Verb kBench;
extern const Verb kExplain;

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> kVerbs{
      kInspect,
      kCheck,
      kMap,
      kDisasm,
      kRun,
      kConvert,
      kEdit,
      kStrip,
      kDiff,
      kCompare,
      kAipp,
      kAsm,
      kPack,
      kUnpack,
      kEmitC,
      kBench,
      kExplain,
  };
  return kVerbs;
}
// clang-format on

}  // namespace npubin::cli
