#include "npubin/session.h"

#include "exec/admission.h"
#include "exec/reference/session.h"

namespace npubin {

Result<std::unique_ptr<Session>> Session::compile(graph::Graph graph, const SessionOptions&) {
  NPUBIN_TRY(auto kernels, exec::admit(graph));
  return exec::compile_reference(std::move(graph), std::move(kernels));
}

}  // namespace npubin
