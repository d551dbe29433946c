// Records one object of a scene at the rate of FixedUpdate. Not run in Unity; the tests compile the same calls with Mono.
using Tickreel;
using UnityEngine;

public sealed class RecordScene : MonoBehaviour
{
    private struct State
    {
        [Field(Unit = "m", Decimals = 3)] public float X, Y, Z;
        public float RotationX, RotationY, RotationZ, RotationW;
    }

    public Transform target;
    public string path = "scene.reel";
    private Recorder<State> recorder;

    private void OnEnable()
    {
        recorder = new Recorder<State>(path, new RecordOptions { TicksPerSecond = 1 / Time.fixedDeltaTime });
    }

    private void FixedUpdate()
    {
        Vector3 at = target.position;
        Quaternion turned = target.rotation;
        var state = new State {
            X = at.x, Y = at.y, Z = at.z, RotationX = turned.x, RotationY = turned.y, RotationZ = turned.z, RotationW = turned.w
        };
        recorder.Push(ref state);
    }

    private void OnDisable()
    {
        recorder.Dispose();
    }
}
