# larder_module(NAME DEPENDS ... SOURCES ... [SCRIPTS ...])
# One static library per module; every module shares one precompiled header. SCRIPTS are Lua files: each becomes
# a redis::Script of its name in "<module>_scripts.hpp", namespace larder::lua.
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

# larder_add_folders(PARENT): every folder below PARENT that has a CMakeLists.txt of its own. Their modules are collected in
# the global property larder_<parent>, which the application links.
function(larder_add_folders parent)
  string(MAKE_C_IDENTIFIER larder_${parent} property)
  file(GLOB files CONFIGURE_DEPENDS ${parent}/*/CMakeLists.txt)
  foreach(file ${files})
    get_filename_component(folder ${file} DIRECTORY)
    add_subdirectory(${folder})
    get_property(modules DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    list(FILTER modules INCLUDE REGEX "^larder_")
    set_property(GLOBAL APPEND PROPERTY ${property} ${modules})
  endforeach()
endfunction()

# larder_test(NAME [SANITIZED] [THREADED] [COST seconds] SOURCES ... DEPENDS ...): one executable, one ctest entry.
# SANITIZED: ./test runs it under the address sanitizer, too; THREADED: under the thread sanitizer. The tests with the
# highest COST start first, so that none of them runs alone at the end.
# What is tested is optimised, the test itself is not: it is compiled in a third of the time and waits for Redis anyway.
# Each test writes to the folder watched_scripts which scripts it ran; the test scripts_watched reads that afterwards.
set(test_options -O0)
set(watched_scripts ${PROJECT_BINARY_DIR}/watched_scripts)
add_custom_target(sanitized_tests)
add_custom_target(threaded_tests)
function(larder_test name)
  if(NOT LARDER_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "SANITIZED;THREADED" "COST" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS} larder_test_support GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${test_options})
  target_precompile_headers(${name} REUSE_FROM larder_test_support)
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set(environment TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp LARDER_WATCHED_SCRIPTS=${watched_scripts})
  set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${environment}" FIXTURES_SETUP watched_scripts)
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
  foreach(label sanitized threaded)
    string(TOUPPER ${label} option)
    if(arg_${option})
      set_property(TEST ${name} APPEND PROPERTY LABELS ${label})
      add_dependencies(${label}_tests ${name})
    endif()
  endforeach()
endfunction()

# Files become part of the binary, as constants in "<target>_<kind>.hpp".
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
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated>)
endfunction()

# embed_files(TARGET FOLDER [DEPENDS ...]): every file below FOLDER becomes part of the binary, whatever it contains.
# larder::files::<name of the folder>() in "<name of the folder>_files.hpp" gives them to an http::StaticFiles. FOLDER is
# named from here; if something else writes it during the build, DEPENDS names what shows that it is written.
function(embed_files target folder)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  get_filename_component(folder ${folder} ABSOLUTE)
  get_filename_component(name ${folder} NAME)
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
  target_sources(${target} PRIVATE ${out}.hpp ${out}.cpp)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}/generated>)
endfunction()
