# Writes OUT: a header with one std::string_view per file in FILES, in namespace larder::SPACE, named after the
# file's NAME_PART (NAME: docs.html -> docs_html, NAME_WE: post_entry.lua -> post_entry). A first line
# "-- include other.lua" puts the other file, of the same folder, in its place.
set(text "#pragma once\n\n#include <string_view>\n\nnamespace larder::${SPACE} {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} ${NAME_PART})
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} content)
  if(content MATCHES "^-- include ([a-z_]+\\.lua)\n")
    set(line ${CMAKE_MATCH_0})
    get_filename_component(folder ${file} DIRECTORY)
    file(READ ${folder}/${CMAKE_MATCH_1} included)
    string(REPLACE "${line}" "${included}" content "${content}")
  endif()
  string(APPEND text "inline constexpr std::string_view ${name} = R\"larder(${content})larder\";\n")
endforeach()
string(APPEND text "}  // namespace larder::${SPACE}\n")
file(WRITE ${OUT} "${text}")
