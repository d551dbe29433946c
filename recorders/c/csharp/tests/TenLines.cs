using System;
using Tickreel;

public static class TenLines
{
    struct World { [Field(Unit = "m")] public float X; }
    struct Goal { public int Player; }

    public static void Main(string[] arguments)
    {
        using (var recorder = new Recorder<World>(arguments[0], new RecordOptions { TicksPerSecond = 60 }))
        {
            var world = new World();
            for (int tick = 0; tick < 10; ++tick, world.X += 0.25f) recorder.Push(ref world);
            recorder.Event(new Goal { Player = 3 });
        }
        using (var recording = Recording.Open(arguments[0]))
            foreach (string line in recording.Lines()) Console.WriteLine(line);
    }
}
