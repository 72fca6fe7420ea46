# npubin_component(core): an object library from every .cpp below src/core. All components together are the static
# npubin_internal (command line, tests) and the shared npubin (what users link). Components that compute are built as
# the build type says (-O3), those that read and write (npubin_component(core MODEST)) with -O2.
function(npubin_component name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  npubin_compile_together(compiled ${CMAKE_CURRENT_SOURCE_DIR} 8 ${sources})
  add_library(npubin_${name} OBJECT ${compiled})
  target_link_libraries(npubin_${name} PUBLIC npubin_flags npubin_dependencies npubin_schema_headers)
  target_include_directories(npubin_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
  if("MODEST" IN_LIST ARGN)
    if(CMAKE_BUILD_TYPE STREQUAL Release)
      target_compile_options(npubin_${name} PRIVATE -O2)
    endif()
    npubin_precompile(modest npubin_${name})
  else()
    npubin_precompile(fast npubin_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY NPUBIN_COMPONENTS npubin_${name})
endfunction()

# npubin_test(core): one GoogleTest program from every .cpp in tests/core.
function(npubin_test name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  npubin_compile_together(compiled ${CMAKE_CURRENT_SOURCE_DIR} 6 ${sources})
  add_executable(test_${name} ${compiled})
  target_link_libraries(test_${name} PRIVATE npubin_internal npubin_test_support)
  npubin_precompile(tests test_${name})
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900)
endfunction()

# npubin_fuzz(hef): one libFuzzer target from fuzz/hef.cpp.
function(npubin_fuzz name)
  add_executable(fuzz_${name} ${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE npubin_internal)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
endfunction()
