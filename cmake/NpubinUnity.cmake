# Files of one folder are compiled several at a time: most of what a small file costs is reading the same headers and
# instantiating the same templates again, so that a cold build takes about half the time. Each file still includes
# what it uses and keeps its names to itself: the lint preset compiles every file alone (`-DNPUBIN_UNITY=OFF`).
option(NPUBIN_UNITY "Compile several files of a folder at once" ON)

# npubin_compile_together(TARGET COUNT SOURCES...): at most COUNT files of a folder together. Left alone are files that
# are written for instruction sets, most of them compiled once for each.
function(npubin_compile_together target count)
  if(NOT NPUBIN_UNITY)
    return()
  endif()
  set(group "")
  set(members 0)
  foreach(source ${ARGN})
    file(STRINGS ${source} alone REGEX "foreach_target\\.h|immintrin\\.h|vnni-inl\\.h" LIMIT_COUNT 1)
    if(alone)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" folder ${folder})
    if(NOT folder STREQUAL group OR members EQUAL count)
      set(members 0)
      math(EXPR batch "0${batch_${folder}} + 1")
      set(batch_${folder} ${batch})
      set(group ${folder})
    endif()
    math(EXPR members "${members} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch_${folder}})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
