# SPDX-License-Identifier: BSD-3-Clause
# The reference: man pages in share/man of the build tree and HTML in docs/reference, of the calls by doxygen and
# generate.py, of the commands by help2man. What needs a program that is not there is left out.

set(TOFUKIT_MAN ${CMAKE_BINARY_DIR}/share/man)

function(tofukit_call_pages)
    find_program(DOXYGEN doxygen)
    # The distribution's Python, whose jinja2 scripts/setup installs; another one in PATH may lack it.
    find_program(TOFUKIT_DOCS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
    if(DOXYGEN AND TOFUKIT_DOCS_PYTHON)
        execute_process(COMMAND ${TOFUKIT_DOCS_PYTHON} -c "import jinja2" RESULT_VARIABLE status ERROR_QUIET)
    endif()
    if(NOT DOXYGEN OR NOT "${status}" STREQUAL 0)
        message(STATUS "Without pages of the calls: doxygen or Python's jinja2 is missing (scripts/setup docs)")
        return()
    endif()
    set(html ${CMAKE_CURRENT_BINARY_DIR}/reference)
    configure_file(${CMAKE_CURRENT_SOURCE_DIR}/reference/Doxyfile.in Doxyfile @ONLY)
    file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/*.h)
    file(GLOB generator CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/reference/*.py
         ${CMAKE_CURRENT_SOURCE_DIR}/reference/templates/*)
    add_custom_command(OUTPUT ${html}/index.html
        COMMAND ${CMAKE_COMMAND} -E rm -rf doxygen
        COMMAND ${DOXYGEN} Doxyfile
        COMMAND ${TOFUKIT_DOCS_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/reference/generate.py
                doxygen/xml ${TOFUKIT_MAN} ${html} ${PROJECT_VERSION}
        DEPENDS ${headers} ${generator} ${CMAKE_CURRENT_SOURCE_DIR}/reference/undeclared.h
                ${CMAKE_CURRENT_BINARY_DIR}/Doxyfile
        WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
        COMMENT "Writing the reference of the calls"
        VERBATIM)
    add_custom_target(docs_calls ALL DEPENDS ${html}/index.html)
    install(DIRECTORY ${TOFUKIT_MAN}/man3 ${TOFUKIT_MAN}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${html}/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference FILES_MATCHING PATTERN "*.html")
endfunction()

# tofukit_command_page(command what depends...): COMMAND.1 from what "COMMAND --help" prints.
function(tofukit_command_page command what)
    set(page ${TOFUKIT_MAN}/man1/${command}.1)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${TOFUKIT_MAN}/man1
        COMMAND ${HELP2MAN} --no-info --section=1 --name=${what} --version-string=${PROJECT_VERSION}
                --source=tofukit --manual=tofukit --output=${page} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${command}
        DEPENDS ${ARGN}
        COMMENT "Writing ${command}.1"
        VERBATIM)
    set_property(GLOBAL APPEND PROPERTY TOFUKIT_COMMAND_PAGES ${page})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

function(tofukit_command_pages)
    find_program(HELP2MAN help2man)
    # The commands are run to be asked; pages are the same in every build.
    if(CMAKE_CROSSCOMPILING OR TOFUKIT_SANITIZE)
        return()
    endif()
    if(NOT HELP2MAN)
        message(STATUS "Without pages of the commands: help2man is missing (scripts/setup docs)")
        return()
    endif()
    if(TARGET tofu-run)
        tofukit_command_page(tofu-run "start a job on a software Tofu-D" tofu-run)
        tofukit_command_page(tofu-info "show network interfaces, jobs and what their links carry" tofu-info)
    endif()
    if(TARGET tofu-bench-native)
        tofukit_command_page(tofu-bench "measure put and get with many threads, next to peers"
                             ${PROJECT_SOURCE_DIR}/bench/tofu_bench/cli.py)
    endif()
    get_property(pages GLOBAL PROPERTY TOFUKIT_COMMAND_PAGES)
    add_custom_target(docs_commands ALL DEPENDS ${pages})
endfunction()

tofukit_call_pages()
tofukit_command_pages()
