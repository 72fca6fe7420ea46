# Installs the build into a fresh prefix, then builds and runs the stranger's project twice: with find_package and
# with pkg-config.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nfailed with ${code}:\n${out}")
  endif()
endfunction()

set(prefix ${BUILD}/install-test/prefix)
file(REMOVE_RECURSE ${BUILD}/install-test)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
set(flags "")
if(SANITIZE)
  set(flags "-fsanitize=${SANITIZE}")
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${BUILD}/install-test/cmake -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${flags})
run(${CMAKE_COMMAND} --build ${BUILD}/install-test/cmake)
run(${BUILD}/install-test/cmake/stranger)

file(GLOB_RECURSE pc ${prefix}/*/npubin.pc)
get_filename_component(pc_folder ${pc} DIRECTORY)
get_filename_component(library_folder ${pc_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
execute_process(COMMAND pkg-config --define-variable=prefix=${prefix} --cflags --libs npubin
  OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "pkg-config does not know npubin")
endif()
separate_arguments(options UNIX_COMMAND "${options}")
run(${CXX} ${flags} ${SOURCE}/main.cpp -o ${BUILD}/install-test/stranger ${options} -Wl,-rpath,${library_folder})
run(${BUILD}/install-test/stranger)
message(STATUS "a stranger's project builds and runs against the installed tree")
