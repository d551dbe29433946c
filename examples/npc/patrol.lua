-- A guard walks his round at a pier, looks out over the water at two posts, and telephones at the gate.
-- tickreel npc build patrol.lua -o recordings --set rounds=2

local rounds = settings.rounds or 2

local guard = actor{ name="guard", on_foot=true, skin=71, at={1540, -1675, 13.55}, heading=0 }:weapon("nightstick")

for round = 1, rounds do
  guard:walk_to(1540, -1650):walk_to(1552, -1640):wait(3)          -- the first post
  guard:face(270):wait(2):face(180):wait(1.5)                      -- looks over the water
  guard:walk_to(1576, -1640):walk_to(1580, -1655)
  guard:wait(1):phone(8)                                           -- calls in
  guard:walk_to(1572, -1672):run_to(1556, -1678)                   -- something moved there
  guard:wait(2):turn(90):wait(1):turn(-90):wait(0.5)
  guard:back_to_start()                                            -- the server may loop this
end
