# cmake -DTARGET=<target> "-DFOLDERS=<folder>|<folder>…" -P AutoShardCheckKinds.cmake
#
# Fails if <target> has two classes of one kind: records of the two would be mixed. FOLDERS are its include folders. Beside
# each one that autoshard_generate made, kinds.json lists the kinds in the headers that were generated last.
string(REPLACE "|" ";" folders "${FOLDERS}")
list(FILTER folders INCLUDE REGEX "/autoshard/[^/]+/include$")
list(REMOVE_DUPLICATES folders)
foreach(folder IN LISTS folders)
  if(NOT EXISTS ${folder}/../kinds.json)
    continue()
  endif()
  file(READ ${folder}/../kinds.json kinds)
  string(JSON count LENGTH "${kinds}")
  set(at 0)
  while(at LESS count)
    foreach(name IN ITEMS kind class header)
      string(JSON ${name} GET "${kinds}" ${at} ${name})
    endforeach()
    math(EXPR at "${at} + 1")
    string(HEX "${kind}" name)
    if(NOT DEFINED class_of_${name})
      set(class_of_${name} "${class}")
      set(header_of_${name} "${header}")
    elseif(NOT class_of_${name} STREQUAL class)
      message(FATAL_ERROR "autoshard_generate: ${TARGET} has two classes of the kind '${kind}': '${class}', of "
                          "${header}, and '${class_of_${name}}', of ${header_of_${name}}; tell them apart, as in "
                          "[[autoshard::entity(\"Other${kind}\")]]")
    endif()
  endwhile()
endforeach()
