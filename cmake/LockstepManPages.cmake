# Builds man pages from --help-all if help2man is found:
#     lockstep_man_pages(<programs…>)
# Run as a script, this file writes the page of one PROGRAM to OUTPUT.

if(CMAKE_SCRIPT_MODE_FILE)
  # The second paragraph of the help describes the purpose of the program; its first sentence becomes the
  # title of the page.
  execute_process(COMMAND ${PROGRAM} --help-all OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "^[^\n]*\n\n([^.:]*[^.: \n]).*" "\\1" title "${help}")
  string(REGEX REPLACE "[ \n]+" " " title "${title}")
  execute_process(COMMAND ${HELP2MAN} --no-info --help-option=--help-all --section=1 --name=${title} --version-string=${VERSION}
                          --source=Lockstep --manual=Lockstep --locale=C.UTF-8 --output=${OUTPUT} ${PROGRAM}
                  COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

find_program(HELP2MAN help2man)
mark_as_advanced(HELP2MAN)

function(lockstep_man_pages)
  if(NOT HELP2MAN OR CMAKE_CROSSCOMPILING)
    message(STATUS "Lockstep: no man pages (help2man was not found)")
    return()
  endif()
  set(pages)
  foreach(program ${ARGN})
    set(page ${CMAKE_BINARY_DIR}/man/${program}.1)
    add_custom_command(OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -DHELP2MAN=${HELP2MAN} -DPROGRAM=$<TARGET_FILE:${program}> -DOUTPUT=${page} -DVERSION=${PROJECT_VERSION}
              -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      DEPENDS ${program} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
      COMMENT "Man page of ${program}"
      VERBATIM)
    list(APPEND pages ${page})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/man)
  add_custom_target(lockstep_man ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
