# Prints what is at a path in a file of JSON, or the length of an array: cmake -DFILE=f -DPATH="stages 0 status" [-DLENGTH=1] -P gpu.cmake
file(READ ${FILE} text)
separate_arguments(PATH)
if(LENGTH)
    string(JSON value LENGTH "${text}" ${PATH})
else()
    string(JSON value GET "${text}" ${PATH})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${value}")
