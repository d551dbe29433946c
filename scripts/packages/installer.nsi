; The installer for Windows: for one user, without administrator's rights. scripts/windows compiles it.
;   makensis -DVERSION=0.3.0 -DFOLDER=what/to/install -DOUT=tickreel-setup.exe installer.nsi
;   tickreel-setup.exe /S [/D=C:\folder]      installs without a window; uninstall.exe /S removes it
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma
!include MUI2.nsh
!include FileFunc.nsh

Name "Tickreel ${VERSION}"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Tickreel"
InstallDirRegKey HKCU "Software\Tickreel" "folder"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Tickreel"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileDescription "Installs Tickreel"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT License"

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Tickreel"
!define CLASSES "Software\Classes"

!insertmacro MUI_PAGE_LICENSE "${FOLDER}/LICENSE.txt"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; "Open with" offers Tickreel. Only a type that no program has opened so far is opened by it on a double click.
!macro FileType ENDING
  WriteRegStr HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "Tickreel.Recording" ""
  ReadRegStr $0 HKCR "${ENDING}" ""
  ${If} $0 == ""
    WriteRegStr HKCU "${CLASSES}\${ENDING}" "" "Tickreel.Recording"
  ${EndIf}
!macroend

!macro un.FileType ENDING
  DeleteRegValue HKCU "${CLASSES}\${ENDING}\OpenWithProgids" "Tickreel.Recording"
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}\OpenWithProgids"
  ReadRegStr $0 HKCU "${CLASSES}\${ENDING}" ""
  ${If} $0 == "Tickreel.Recording"
    DeleteRegValue HKCU "${CLASSES}\${ENDING}" ""
  ${EndIf}
  DeleteRegKey /ifempty HKCU "${CLASSES}\${ENDING}"
!macroend

!macro AllFileTypes MACRO
  !insertmacro ${MACRO} ".butter"
  !insertmacro ${MACRO} ".echoreplay"
  !insertmacro ${MACRO} ".icrep"
  !insertmacro ${MACRO} ".reel"
!macroend

Function TellExplorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
FunctionEnd
Function un.TellExplorer
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
FunctionEnd

Section
  SetOutPath "$INSTDIR"
  File "${FOLDER}/tickreel.exe"
  File "${FOLDER}/LICENSE.txt"
  File "${FOLDER}/README.txt"
  SetOutPath "$INSTDIR\licenses"
  File "${FOLDER}/licenses/*.txt"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Tickreel.lnk" "$INSTDIR\tickreel.exe" "--window"

  WriteRegStr HKCU "Software\Tickreel" "folder" "$INSTDIR"
  ; Win+R and "start" find it.
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\tickreel.exe" "" "$INSTDIR\tickreel.exe"
  WriteRegStr HKCU "${CLASSES}\Tickreel.Recording" "" "Tickreel recording"
  WriteRegStr HKCU "${CLASSES}\Tickreel.Recording\DefaultIcon" "" "$INSTDIR\tickreel.exe,0"
  WriteRegStr HKCU "${CLASSES}\Tickreel.Recording\shell\open\command" "" '"$INSTDIR\tickreel.exe" --window "%1"'
  !insertmacro AllFileTypes FileType

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "Tickreel"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\tickreel.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "Tickreel"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" $0
  Call TellExplorer
SectionEnd

; Recordings, the library's index and any file that the installer did not write stay.
Section "Uninstall"
  Delete "$INSTDIR\tickreel.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\README.txt"
  Delete "$INSTDIR\licenses\*.txt"
  RMDir "$INSTDIR\licenses"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Tickreel.lnk"
  !insertmacro AllFileTypes un.FileType
  DeleteRegKey HKCU "${CLASSES}\Tickreel.Recording"
  DeleteRegKey HKCU "Software\Microsoft\Windows\CurrentVersion\App Paths\tickreel.exe"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegKey HKCU "Software\Tickreel"
  Call un.TellExplorer
SectionEnd
