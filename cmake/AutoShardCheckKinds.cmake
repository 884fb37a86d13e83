# cmake -DTARGET=<target> "-DFOLDERS=<folder>|<folder>…" -P AutoShardCheckKinds.cmake
#
# Fails if two classes of one kind are among the generated headers in these include folders of <target>: records of the
# two would be mixed. Folders that autoshard_generate did not make are left out.
string(REPLACE "|" ";" folders "${FOLDERS}")
list(FILTER folders INCLUDE REGEX "/autoshard/[^/]+/include$")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  file(GLOB_RECURSE headers ${folder}/*)
  foreach(header IN LISTS headers)
    file(STRINGS ${header} lines REGEX "^struct autoshard::Traits<::|^  static constexpr std::string_view kKind = ")
    foreach(line IN LISTS lines)
      if(line MATCHES "^struct autoshard::Traits<::(.*)> {")
        set(class "${CMAKE_MATCH_1}")
        continue()
      endif()
      string(REGEX REPLACE "^.*kKind = \"(.*)\";$" "\\1" kind "${line}")
      string(HEX "${kind}" name)
      if(NOT DEFINED class_of_${name})
        set(class_of_${name} "${class}")
        set(header_of_${name} ${header})
      elseif(NOT class_of_${name} STREQUAL class)
        message(FATAL_ERROR "autoshard_generate: ${TARGET} has two classes of the kind '${kind}': '${class}', of "
                            "${header}, and '${class_of_${name}}', of ${header_of_${name}}; tell them apart, as in "
                            "[[autoshard::entity(\"Other${kind}\")]]")
      endif()
    endforeach()
  endforeach()
endforeach()
