# Language, warnings and the flags that exact results rest on.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(NPUBIN_CCACHE ccache)
if(NPUBIN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${NPUBIN_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${NPUBIN_CCACHE})
endif()
# mold, where it is there, links the test programs in a fraction of the time.
find_program(NPUBIN_MOLD mold)
if(NPUBIN_MOLD AND NOT NPUBIN_FUZZ AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

add_library(npubin_flags INTERFACE)
target_compile_options(npubin_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror
  # A product and a sum are two roundings everywhere: the references' bits depend on it.
  -ffp-contract=off
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<COMPILE_LANGUAGE:CXX>>:-Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds -Wno-restrict -Wno-dangling-pointer>
  $<$<AND:$<CXX_COMPILER_ID:Clang>,$<COMPILE_LANGUAGE:CXX>>:-Wno-missing-field-initializers>)

if(NPUBIN_SANITIZE)
  add_compile_options(-fsanitize=${NPUBIN_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${NPUBIN_SANITIZE})
  if(NPUBIN_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
if(NPUBIN_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
