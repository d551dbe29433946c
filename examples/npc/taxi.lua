-- A taxi goes round the blocks of downtown for ever: the recording ends exactly as it begins, rolling.
-- tickreel npc build taxi.lua -o recordings

local speed = settings.speed or kmh(50)

local taxi = actor{ name="taxi", model=420, speed=speed, lateral=4 }

-- Straight along the streets, with rounded corners; a curve through these points would leave the lanes.
taxi:loop({
  {1479.0, -1720, 13.38}, {1479.0, -1594.5, 13.38}, {1362, -1590, 13.4}, {1343.5, -1570, 13.4},
  {1343.5, -1465, 13.4},  {1365, -1435, 13.4},      {1440, -1441, 13.4}, {1458, -1500, 13.4},
  {1470.0, -1568, 13.4},  {1520, -1594, 13.4},      {1567, -1610, 13.4}, {1567, -1690, 13.4},
  {1545.0, -1730, 13.4},
}, { rolling=true, straight=true, corner=14, speed=speed })
