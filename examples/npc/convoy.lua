-- Three cars leave when the guard at the gate has opened it: one path, twelve metres from car to car.
-- tickreel npc build convoy.lua -o recordings

local gatekeeper = actor{ name="gatekeeper", on_foot=true, skin=287, at={2, 18, 3}, heading=90 }
gatekeeper:wait(2):walk_to(-4, 18):face(0):action("hands_up", 2)

local lead  = actor{ name="lead",  model=596 }
local truck = actor{ name="truck", model=428 }
local rear  = actor{ name="rear",  model=596 }

for _, car in ipairs{ lead, truck, rear } do
  car:after(gatekeeper:arrives())
end
lead:siren(true)

convoy{ lead, truck, rear, spacing=12, speed=kmh(60), accelerate=2, lateral=3,
  through={ {0, -30, 3}, {0, 10, 3}, {0, 60, 3}, {18, 105, 3.5}, {70, 130, 5}, {130, 132, 6},
            {190, 110, 5}, {215, 60, 4}, {210, 0, 3}, {240, -50, 3}, {300, -70, 3}, {380, -70, 3} } }

rear:wait(1):horn(0.8)
