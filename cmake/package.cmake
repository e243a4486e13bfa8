# The Debian package; tools/package makes it. The pages and completions come from the built larder itself, so they are made
# after it, in the folder `pages` of the build.
set(pages ${PROJECT_BINARY_DIR}/pages)
set(deploy ${PROJECT_SOURCE_DIR}/deploy)
install(TARGETS larder COMPONENT deb EXCLUDE_FROM_ALL RUNTIME DESTINATION usr/bin)
install(FILES ${deploy}/larder.toml COMPONENT deb EXCLUDE_FROM_ALL DESTINATION etc/larder)
install(FILES ${deploy}/larder.service COMPONENT deb EXCLUDE_FROM_ALL DESTINATION lib/systemd/system)
install(FILES ${pages}/larder.1.gz COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/man/man1)
install(FILES ${pages}/larder.toml.5.gz COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/man/man5)
install(FILES ${pages}/larder.bash COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/bash-completion/completions RENAME larder)
install(FILES ${pages}/larder.zsh COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/zsh/vendor-completions RENAME _larder)
install(FILES ${pages}/larder.fish COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/fish/vendor_completions.d)
install(DIRECTORY ${deploy}/grafana COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/larder FILES_MATCHING PATTERN "*.json")
install(FILES ${deploy}/prometheus/larder.rules.yml COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/larder/prometheus)
install(FILES ${deploy}/debian/copyright ${pages}/NEWS.gz ${pages}/changelog.gz COMPONENT deb EXCLUDE_FROM_ALL DESTINATION usr/share/doc/larder)

set(CPACK_GENERATOR DEB)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};larder;deb;/")
set(CPACK_PACKAGING_INSTALL_PREFIX /)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_NAME larder)
set(CPACK_PACKAGE_CONTACT "The authors of Larder <larder@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "backend of community games and Discord bots")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Larder keeps points, items, game states, messages and what Discord says, in
Redis and with a SQL journal. It is correct under concurrency and crashes.
The server starts its own Redis and uses SQLite; it can also use your own
Redis or Redis Cluster, and PostgreSQL or MariaDB.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "adduser, redis-server (>= 5:7.0)")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${deploy}/debian/conffiles ${deploy}/debian/postinst ${deploy}/debian/postrm ${deploy}/debian/prerm)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_OUTPUT_CONFIG_FILE ${PROJECT_BINARY_DIR}/package.cmake)
set(CPACK_SOURCE_OUTPUT_CONFIG_FILE ${PROJECT_BINARY_DIR}/source_package.cmake)
include(CPack)
