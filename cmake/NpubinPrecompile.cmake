# Headers of the standard library and of the libraries that nearly every file includes, compiled once: a cold build
# takes about half the time. Only headers that are not the project's own, so that changing one of ours does not
# rebuild everything. `cmake -DNPUBIN_PRECOMPILE=OFF` builds without: every file includes what it uses.
option(NPUBIN_PRECOMPILE "Precompile the headers of libraries" ON)

# How ccache wants it: g++ notes which header was used, clang leaves the time out.
if(NPUBIN_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
elseif(NPUBIN_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

set(NPUBIN_STANDARD_HEADERS
  <algorithm> <array> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring> <functional> <map> <memory> <numeric>
  <optional> <set> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> <tl/expected.hpp>)

# npubin_precompile(GROUP TARGET HEADERS...): targets of one group are compiled with the same options and share what
# the first one compiled.
function(npubin_precompile group target)
  if(NOT NPUBIN_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY NPUBIN_PRECOMPILED_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${NPUBIN_STANDARD_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY NPUBIN_PRECOMPILED_${group} ${target})
  endif()
endfunction()
