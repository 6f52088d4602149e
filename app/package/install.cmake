# What `cmake --install` puts where, and the Debian package that `cpack -G DEB` makes of it. The
# program finds its assets relative to itself.
include(GNUInstallDirs)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(PACKAGE_FILES ${CMAKE_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${PACKAGE_FILES})
add_custom_command(OUTPUT ${PACKAGE_FILES}/cellscope.1
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/manual.py $<TARGET_FILE:cellscope> > ${PACKAGE_FILES}/cellscope.1
  DEPENDS cellscope ${CMAKE_CURRENT_LIST_DIR}/manual.py VERBATIM)
add_custom_target(package_files ALL DEPENDS ${PACKAGE_FILES}/cellscope.1)

install(TARGETS cellscope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Beside the program's folder, where it looks for them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/scenarios ${PROJECT_SOURCE_DIR}/assets/reference
  ${PROJECT_SOURCE_DIR}/assets/help ${PROJECT_SOURCE_DIR}/assets/lessons
  DESTINATION share/cellscope PATTERN draw_pictures EXCLUDE)
install(FILES ${PACKAGE_FILES}/cellscope.1 DESTINATION share/man/man1)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/cellscope.desktop DESTINATION share/applications)
install(FILES ${PROJECT_SOURCE_DIR}/assets/icon/cellscope.svg DESTINATION share/icons/hicolor/scalable/apps)
install(FILES ${PROJECT_SOURCE_DIR}/assets/icon/cellscope.png DESTINATION share/icons/hicolor/256x256/apps)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/completion.bash RENAME cellscope
  DESTINATION share/bash-completion/completions)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION share/doc/cellscope)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cellscope)
set(CPACK_PACKAGE_CONTACT "The cellscope authors <cellscope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulator and visual debugger of particle simulations")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, which dpkg-shlibdeps cannot see.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1, libegl1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono, libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")
include(CPack)
