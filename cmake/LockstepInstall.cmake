# Installs headers, programs, man pages and the package for find_package(Lockstep).

include(CMakePackageConfigHelpers)

set(lockstep_exported lockstep_schedules lockstep_formats lockstep_executor lockstep_insight)
install(TARGETS ${lockstep_exported} EXPORT LockstepTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(component schedules formats executor)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${component}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/executor/insight DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lockstep
        FILES_MATCHING PATTERN "*.hpp" PATTERN measure EXCLUDE)
# Contains the generated walks.hpp.
install(DIRECTORY ${PROJECT_BINARY_DIR}/executor/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT LockstepTargets NAMESPACE lockstep:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Lockstep)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/LockstepConfig.cmake.in
  ${CMAKE_BINARY_DIR}/LockstepConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Lockstep)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/LockstepConfig.cmake ${CMAKE_BINARY_DIR}/LockstepConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Lockstep)

include(LockstepManPages)
set(programs)
foreach(folder executor preprocess tools)
  get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      list(APPEND programs ${target})
    endif()
  endforeach()
endforeach()
lockstep_man_pages(${programs})

# Bash loads a completion file by the name of the program; one file contains the completions of all programs.
foreach(program ${programs})
  install(FILES ${PROJECT_SOURCE_DIR}/tools/completion.bash
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
endforeach()

# Settings of cpack -G DEB, which tools/wheel.sh runs.
set(CPACK_PACKAGE_CONTACT "Lockstep")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
