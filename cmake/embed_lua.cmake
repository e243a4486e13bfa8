# Writes OUT: a header with one std::string_view per Lua file in FILES, named after the file.
set(text "#pragma once\n\n#include <string_view>\n\nnamespace larder::lua {\n")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} script)
  string(APPEND text "inline constexpr std::string_view ${name} = R\"lua(${script})lua\";\n")
endforeach()
string(APPEND text "}  // namespace larder::lua\n")
file(WRITE ${OUT} "${text}")
