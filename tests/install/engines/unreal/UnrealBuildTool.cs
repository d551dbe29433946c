// The part of Unreal Build Tool that Tickreel.Build.cs uses.
namespace UnrealBuildTool
{
    public class ReadOnlyTargetRules { }
    public enum CppStandardVersion { Cpp17, Cpp20 }
    public class ModuleRules
    {
        public enum PCHUsageMode { NoPCHs, UseExplicitOrSharedPCHs }
        public PCHUsageMode PCHUsage;
        public CppStandardVersion CppStandard;
        public bool bUseUnity;
        public readonly System.Collections.Generic.List<string> PublicDependencyModuleNames = new System.Collections.Generic.List<string>();
        public ModuleRules(ReadOnlyTargetRules Target) { }
    }
}
