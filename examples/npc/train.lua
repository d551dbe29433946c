-- A train calls at two stations of a line and stops at the third.
-- tickreel npc build train.lua -o recordings --set stop=15

local stop = settings.stop or 12
local train = actor{ name="train", model=538, at={0, 0, 10}, heading=0, speed=kmh(90) }

local stations = {
  { {0, 120, 10}, {20, 300, 10}, {90, 480, 11}, {130, 620, 12} },
  { {150, 760, 12}, {240, 930, 14}, {420, 1030, 15}, {600, 1050, 15} },
  { {780, 1060, 15}, {930, 1000, 14}, {1010, 860, 13}, {1030, 700, 12} },
}

train:wait(3)
for number, line in ipairs(stations) do
  train:through(line):horn(1)
  if number < #stations then train:wait(stop) end
end
