// Writes the disc and the score of an Echo VR recording as CSV: ButterToCsv.exe match.butter match.csv
using System.Globalization;
using System.IO;
using System.Linq;
using Tickreel;

public static class ButterToCsv
{
    private static readonly string[] Paths = {
        "session.game_clock", "session.blue_points", "session.orange_points", "session.disc.position[0]",
        "session.disc.position[1]", "session.disc.position[2]"
    };

    public static void Main(string[] arguments)
    {
        using (var recording = Recording.Open(arguments[0]))
        using (var columns = recording.Columns(Paths))
        using (var output = new StreamWriter(arguments[1]))
        {
            output.WriteLine(string.Join(",", columns.All.Select(each => each.Name)));
            for (int tick = 0; tick < columns["tick"].Count; ++tick)
            {
                output.WriteLine(string.Join(",", columns.All.Select(each => System.Convert.ToString(each[tick], CultureInfo.InvariantCulture))));
            }
        }
    }
}
