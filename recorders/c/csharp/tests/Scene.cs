// The part of Unity that the sample uses, and a scene that plays at 60 Hz.
namespace UnityEngine
{
    public struct Vector3 { public float x, y, z; }
    public struct Quaternion { public float x, y, z, w; }
    public class Transform { public Vector3 position; public Quaternion rotation; }
    public class MonoBehaviour { }
    public static class Time { public const float fixedDeltaTime = 1f / 60; }
}

public static class Scene
{
    public static void Main(string[] arguments)
    {
        var target = new UnityEngine.Transform();
        var script = new RecordScene { target = target, path = arguments[0] };
        System.Action<string> call = name => typeof(RecordScene)
            .GetMethod(name, System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic).Invoke(script, null);
        call("OnEnable");
        for (int tick = 0; tick < 60; ++tick)
        {
            target.position.x = tick;
            call("FixedUpdate");
        }
        call("OnDisable");
    }
}
