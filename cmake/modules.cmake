# larder_module(NAME DEPENDS ... SOURCES ... [SCRIPTS ...])
# Makes one static library per module. All modules share one precompiled header. SCRIPTS are Lua files: each becomes a
# redis::Script with the name of the file, in "<module>_scripts.hpp", namespace larder::lua.
function(larder_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;SCRIPTS" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_link_libraries(${name} PUBLIC ${arg_DEPENDS})
  target_precompile_headers(${name} REUSE_FROM larder_pch)
  target_link_libraries(${name} PUBLIC larder_pch)
  if(arg_SCRIPTS)
    embed_lua(${name} ${arg_SCRIPTS})
  endif()
endfunction()

# larder_add_folders(PARENT): adds every folder below PARENT that has its own CMakeLists.txt. The global property
# larder_<parent> collects their modules, and the application links them.
function(larder_add_folders parent)
  string(MAKE_C_IDENTIFIER larder_${parent} property)
  file(GLOB files CONFIGURE_DEPENDS ${parent}/*/CMakeLists.txt)
  foreach(file ${files})
    get_filename_component(folder ${file} DIRECTORY)
    add_subdirectory(${folder})
    get_property(modules DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER modules INCLUDE REGEX "^larder_")
    list(FILTER modules EXCLUDE REGEX "_generated$")
    set_property(GLOBAL APPEND PROPERTY ${property} ${modules})
  endforeach()
endfunction()

# larder_test(NAME [FLAVOURS ...] [COST seconds] SOURCES ... [SCRIPTS ...] DEPENDS ...): one executable, one ctest entry.
# FLAVOURS names the builds that have the test: no other build compiles it. `asan`, the default, has the address and
# undefined-behaviour sanitizers, `tsan` has the thread sanitizer. A build with LARDER_TESTS=all has every test.
# The tests with the highest COST start first, so that none of them runs alone at the end.
# The tested code is optimised, the test itself is not: that compiles in a third of the time, and tests wait for Redis
# anyway.
# Each test writes to the folder watched_scripts which scripts it ran. The test scripts_watched reads that afterwards.
set(test_options -O0)
set(watched_scripts ${PROJECT_BINARY_DIR}/watched_scripts)
add_custom_target(tests)
function(larder_test name)
  cmake_parse_arguments(arg "" "COST" "FLAVOURS;SOURCES;SCRIPTS;DEPENDS" ${ARGN})
  larder_has_flavour(here ${arg_FLAVOURS})
  if(NOT here)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} larder_test_support GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${test_options})
  target_compile_definitions(${name} PRIVATE LARDER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM larder_test_support)
  if(arg_SCRIPTS)
    embed_lua(${name} ${arg_SCRIPTS})
  endif()
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set(environment TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp LARDER_WATCHED_SCRIPTS=${watched_scripts})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${environment}" FIXTURES_SETUP watched_scripts)
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
  add_dependencies(tests ${name})
  larder_needs(${name} ${name})
endfunction()

# larder_check(NAME FLAVOUR [BINARY target] [COST seconds] COMMAND ... [TARGETS ...]): a ctest entry that runs a command. It
# needs TARGETS, and it finds BINARY in the environment variable LARDER_BINARY.
function(larder_check name flavour)
  cmake_parse_arguments(arg "" "BINARY;COST" "COMMAND;TARGETS" ${ARGN})
  larder_has_flavour(here ${flavour})
  if(NOT here)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 SKIP_REGULAR_EXPRESSION "skipped 'only with LARDER_LONG=1'")
  if(arg_BINARY)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "LARDER_BINARY=$<TARGET_FILE:${arg_BINARY}>")
  endif()
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
  foreach(target ${arg_BINARY} ${arg_TARGETS})
    if(NOT target STREQUAL tests)
      add_dependencies(tests ${target})
    endif()
  endforeach()
  larder_needs(${name} ${arg_BINARY} ${arg_TARGETS})
endfunction()

function(larder_has_flavour result)
  set(flavours ${ARGN})
  if(NOT flavours)
    set(flavours asan)
  endif()
  set(${result} FALSE PARENT_SCOPE)
  if(LARDER_TESTS STREQUAL all OR LARDER_TESTS IN_LIST flavours)
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()

# `./test NAME` builds only these targets: the file test_targets has a line for each test, "test target...".
function(larder_needs test)
  list(JOIN ARGN " " targets)
  set_property(GLOBAL APPEND_STRING PROPERTY larder_test_targets "${test} ${targets}\n")
endfunction()
function(larder_write_test_targets)
  get_property(lines GLOBAL PROPERTY larder_test_targets)
  file(WRITE ${PROJECT_BINARY_DIR}/test_targets "${lines}")
endfunction()

# Make files part of the binary, as constants in "<target>_<kind>.hpp".
#   embed_lua(TARGET a.lua ...)    "<target>_scripts.hpp": redis::Script larder::lua::a
#   embed_text(TARGET a.html ...)  "<target>_files.hpp": std::string_view larder::files::a_html
function(embed_lua target)
  larder_embed(${target} scripts lua NAME_WE ${ARGN})
endfunction()
function(embed_text target)
  larder_embed(${target} files files NAME ${ARGN})
endfunction()
function(larder_embed target kind space name_part)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/generated/${target}_${kind}.hpp)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  add_custom_command(
    OUTPUT ${header}
    COMMAND ${CMAKE_COMMAND} -DOUT=${header} "-DFILES=${files}" -DSPACE=${space} -DNAME_PART=${name_part}
            -DSOURCES=${PROJECT_SOURCE_DIR}/src -DDEPFILE=${header}.d -P ${script}
    DEPENDS ${files} ${script}
    DEPFILE ${header}.d
    VERBATIM)
  larder_generated(${target} ${target}_${kind} ${header})
endfunction()

# What clang-tidy needs before it can read the sources.
add_custom_target(tidy)
function(larder_generated target name)
  target_sources(${target} PRIVATE ${ARGN})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated>)
  add_custom_target(${name}_generated DEPENDS ${ARGN})
  add_dependencies(tidy ${name}_generated)
endfunction()

# embed_files(TARGET FOLDER [NAME ...] [DEPENDS ...]): makes every file below FOLDER part of the binary, whatever it contains.
# The function larder::files::<name of the folder>() in "<name of the folder>_files.hpp" returns them for an
# http::StaticFiles. NAME replaces the name of the folder. FOLDER is relative to the current source directory. If a
# build step writes FOLDER, DEPENDS names the file that shows that the step is done.
function(embed_files target folder)
  cmake_parse_arguments(arg "" "NAME" "DEPENDS" ${ARGN})
  get_filename_component(folder ${folder} ABSOLUTE)
  get_filename_component(name ${folder} NAME)
  if(arg_NAME)
    set(name ${arg_NAME})
  endif()
  string(MAKE_C_IDENTIFIER ${name} name)
  if(NOT arg_DEPENDS)
    file(GLOB_RECURSE arg_DEPENDS LIST_DIRECTORIES false CONFIGURE_DEPENDS ${folder}/*)
  endif()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/generated/${name}_files)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  add_custom_command(
    OUTPUT ${out}.hpp ${out}.cpp
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DFOLDER=${folder} -DNAME=${name} -DDEPFILE=${out}.d -P ${script}
    DEPENDS ${arg_DEPENDS} ${script}
    DEPFILE ${out}.d
    VERBATIM)
  larder_generated(${target} ${target}_${name} ${out}.hpp ${out}.cpp)
endfunction()
