# Which libraries are built. TICKREEL_COMPONENTS names those that are wanted: they and what they link are
# configured, and nothing else has to be on the system. Empty: everything of TICKREEL_BUILD_ENCODERS and
# TICKREEL_BUILD_RECORDERS.

include_guard(GLOBAL)

# What each links of ours. tickreel_library() refuses a library that does not say the same.
set(tickreel_links_sdk "")
set(tickreel_links_text sdk)
set(tickreel_links_echo text)
set(tickreel_links_echoreplay echo)
set(tickreel_links_butter echo)
set(tickreel_links_analysis text)
set(tickreel_links_icrep analysis)
set(tickreel_links_mpq sdk)
set(tickreel_links_sc2replay analysis mpq)
set(tickreel_links_samp_rec sdk)
set(tickreel_links_gta_world sdk)
set(tickreel_links_gamecache text)
set(tickreel_links_workers sdk)
set(tickreel_links_game icrep sdk)
set(tickreel_links_files butter echoreplay echo gamecache samp_rec sdk game icrep sc2replay)
set(tickreel_links_echo_simulator echo)
set(tickreel_links_echo_vr files echo_simulator echo sdk butter echoreplay workers)
set(tickreel_links_npc samp_rec gta_world text sdk)
set(tickreel_links_library files sdk gamecache echo workers)
set(tickreel_links_viewer_reader files text)
# The program.
set(tickreel_links_cli npc echo_vr echo_simulator game library files workers)

set(tickreel_encoders text echo echoreplay butter analysis icrep mpq sc2replay samp_rec gta_world gamecache)
set(tickreel_recorders workers files echo_simulator echo_vr game npc library viewer_reader cli)
# Where there are no files and threads, recordings are read from memory.
if(NOT TICKREEL_WITH_THREADS_AND_FILES)
  set(tickreel_recorders files game viewer_reader)
endif()

# Those, and what they link, and so on.
function(tickreel_with_links out)
  set(all "")
  set(left sdk ${ARGN})
  while(left)
    list(POP_FRONT left name)
    if(NOT name STREQUAL sdk AND NOT name IN_LIST tickreel_encoders AND NOT name IN_LIST tickreel_recorders)
      message(FATAL_ERROR "tickreel has no component ${name}; there are sdk ${tickreel_encoders} ${tickreel_recorders}")
    endif()
    if(NOT name IN_LIST all)
      list(APPEND all ${name})
      list(APPEND left ${tickreel_links_${name}})
    endif()
  endwhile()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

if(TICKREEL_COMPONENTS)
  tickreel_with_links(tickreel_wanted ${TICKREEL_COMPONENTS})
else()
  set(tickreel_wanted sdk)
  if(TICKREEL_BUILD_ENCODERS)
    list(APPEND tickreel_wanted ${tickreel_encoders})
  endif()
  if(TICKREEL_BUILD_RECORDERS)
    list(APPEND tickreel_wanted ${tickreel_recorders})
  endif()
endif()

# The folders of those that are wanted.
macro(tickreel_add_wanted)
  foreach(tickreel_folder ${ARGN})
    if(tickreel_folder IN_LIST tickreel_wanted)
      add_subdirectory(${tickreel_folder})
    endif()
  endforeach()
endmacro()
