# chancel_embed(TARGET FILE.cpp FILES... ROOT dir HEADER h NAMESPACE n TYPE t FUNCTION f): puts the files into the target as text
# (ChancelTexts.cmake says what the options mean).
function(chancel_embed target out)
  cmake_parse_arguments(EMBED "" "ROOT;HEADER;NAMESPACE;TYPE;FUNCTION" "FILES" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/cmake/ChancelTexts.cmake)
  set(cpp ${CMAKE_CURRENT_BINARY_DIR}/${out})
  string(REPLACE ";" "|" files "${EMBED_FILES}")
  add_custom_command(
    OUTPUT ${cpp}
    COMMAND ${CMAKE_COMMAND} -DOUT=${cpp} -DROOT=${EMBED_ROOT} "-DFILES=${files}" -DHEADER=${EMBED_HEADER}
            -DNAMESPACE=${EMBED_NAMESPACE} -DTYPE=${EMBED_TYPE} -DFUNCTION=${EMBED_FUNCTION} -P ${script}
    DEPENDS ${EMBED_FILES} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${cpp})
endfunction()
