# cmake --install BUILD --component library --prefix PREFIX: the ledger, the economy and the Discord cache as libraries, for find_package(larder).
# cmake --install BUILD --component server --prefix PREFIX: the server.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(library larder_pch larder_base larder_redis larder_sql larder_boards larder_embedded larder_events larder_presence
            larder_privacy larder_schedule larder_cache larder_economy larder_ledger)
foreach(target ${library})
  string(REPLACE larder_ "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_23)
endforeach()
install(TARGETS ${library} EXPORT larder COMPONENT library
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/larder
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/larder)
install(EXPORT larder COMPONENT library NAMESPACE larder:: FILE larder-targets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/larder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/larder-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/larder-config.cmake ${PROJECT_BINARY_DIR}/larder-config-version.cmake
        COMPONENT library DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/larder)
install(FILES ${PROJECT_SOURCE_DIR}/include/larder/cache.hpp ${PROJECT_SOURCE_DIR}/include/larder/economy.hpp
              ${PROJECT_SOURCE_DIR}/include/larder/ledger.hpp
        COMPONENT library DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/larder)
foreach(folder base stores/redis stores/sql kit/boards kit/events kit/presence kit/schedule systems/cache
               systems/economy systems/ledger)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/${folder}/ COMPONENT library
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/larder/${folder}
          FILES_MATCHING PATTERN "*.hpp" PATTERN "*_test.hpp" EXCLUDE PATTERN "pch.hpp" EXCLUDE)
endforeach()

install(TARGETS larder COMPONENT server)
