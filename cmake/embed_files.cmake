# Writes OUT.hpp and OUT.cpp: every file below FOLDER becomes an http::EmbeddedFile, and larder::files::NAME()
# returns all of them. If gzip makes a file much smaller, its compressed content is there, too. A file that a build
# step has packed with brotli, "a.js.br" next to "a.js", becomes the brotli form of the other and gets no name of its
# own. The bytes are written as hexadecimal escapes, so that any content is safe and the compiler cache sees it.
# DEPFILE tells the build which files were read.
file(WRITE ${OUT}.hpp "#pragma once

#include \"edges/http/static_files.hpp\"

namespace larder::files {
std::span<http::EmbeddedFile const> ${NAME}();
}  // namespace larder::files
")

function(append_bytes text file)
  file(READ ${file} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  set(${text} "${${text}}std::string_view(\"${bytes}\", ${size})" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
if(NOT files)
  message(FATAL_ERROR "there is nothing to embed in ${FOLDER}")
endif()
set(packed "")
foreach(name IN LISTS files)
  if(EXISTS ${FOLDER}/${name}.br)
    list(APPEND packed ${name}.br)
  endif()
endforeach()
list(REMOVE_ITEM files ${packed})
set(table "")
set(read "")
foreach(name IN LISTS files)
  set(file ${FOLDER}/${name})
  list(APPEND read ${file})
  file(SHA256 ${file} hash)
  string(SUBSTRING ${hash} 0 32 hash)
  string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" quoted "${name}")
  string(APPEND table "    {.name = \"${quoted}\",\n     .hash = \"${hash}\",\n     .content = ")
  append_bytes(table ${file})
  execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${OUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SIZE ${file} plain_size)
  file(SIZE ${OUT}.gz packed_size)
  math(EXPR worth "${plain_size} * 9 / 10")
  if(packed_size LESS worth)
    string(APPEND table ",\n     .gzip = ")
    append_bytes(table ${OUT}.gz)
  endif()
  if(EXISTS ${file}.br)
    list(APPEND read ${file}.br)
    string(APPEND table ",\n     .brotli = ")
    append_bytes(table ${file}.br)
  endif()
  string(APPEND table "},\n")
endforeach()
file(REMOVE ${OUT}.gz)

file(WRITE ${OUT}.cpp "#include \"${NAME}_files.hpp\"

#pragma clang diagnostic ignored \"-Woverlength-strings\"

namespace larder::files {
std::span<http::EmbeddedFile const> ${NAME}() {
  static constexpr http::EmbeddedFile all[] = {
${table}  };
  return all;
}
}  // namespace larder::files
")
list(JOIN read "\n" read)
string(REPLACE " " "\\ " read "${OUT}.cpp:\n${read}")
string(REPLACE "\n" " " read "${read}")
file(WRITE ${DEPFILE} "${read}\n")
