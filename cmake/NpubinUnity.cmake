# Files of one folder are compiled several at a time: most of what a small file costs is reading the same headers and
# instantiating the same templates again, so that a cold build takes about half the time. Each file still includes
# what it uses and keeps its names to itself: the lint preset compiles every file alone (`-DNPUBIN_UNITY=OFF`).
#
# CMake's own unity builds name their files by absolute paths, which no compiler cache shares between two clones.
option(NPUBIN_UNITY "Compile several files of a folder at once" ON)

# npubin_compile_together(OUT ROOT COUNT SOURCES...): what to compile instead of the sources, at most COUNT files of a
# folder together. ROOT is a folder of the include path above them. Left alone are files that are written for
# instruction sets, most of them compiled once for each, and those with definitions of their own.
function(npubin_compile_together out root count)
  set(${out} ${ARGN} PARENT_SCOPE)
  if(NOT NPUBIN_UNITY)
    return()
  endif()
  set(result "")
  set(batches "")
  foreach(source ${ARGN})
    file(STRINGS ${source} alone REGEX "foreach_target\\.h|immintrin\\.h|vnni-inl\\.h|NPUBIN_VERSION" LIMIT_COUNT 1)
    if(alone)
      list(APPEND result ${source})
      continue()
    endif()
    file(RELATIVE_PATH path ${root} ${source})
    get_filename_component(folder ${path} DIRECTORY)
    string(REPLACE "/" "_" folder ${folder})
    if(NOT folder IN_LIST batches)
      list(APPEND batches ${folder})
    endif()
    list(APPEND files_${folder} ${path})
  endforeach()
  get_filename_component(place ${root} NAME)
  foreach(folder ${batches})
    set(batch 0)
    while(files_${folder})
      list(SUBLIST files_${folder} 0 ${count} together)
      list(REMOVE_ITEM files_${folder} ${together})
      list(TRANSFORM together PREPEND "#include \"")
      list(TRANSFORM together APPEND "\"\n")
      list(JOIN together "" text)
      math(EXPR batch "${batch} + 1")
      set(file ${PROJECT_BINARY_DIR}/together/${place}/${folder}_${batch}.cpp)
      file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
      list(APPEND result ${file})
    endwhile()
  endforeach()
  set(${out} ${result} PARENT_SCOPE)
endfunction()
