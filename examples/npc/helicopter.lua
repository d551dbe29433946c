-- A helicopter comes in from the sea, turns into the wind and lands on a roof.
-- tickreel npc build helicopter.lua -o recordings

local roof = { x=1765, y=-2285, z=26.9 }

local maverick = actor{ name="maverick", model=487, at={1480, -2540, 22}, heading=300, speed=32 }

maverick:wait(2)
maverick:fly_to(1480, -2540, 34, { speed=3 })                       -- straight up
maverick:through({ {1560, -2490, 55}, {1650, -2400, 62}, {1735, -2330, 52} })
maverick:through({ {roof.x - 8, roof.y - 8, 40}, {roof.x, roof.y, 36} }, { speed=9, brake=1.5 })
maverick:face(0):wait(1)                                            -- into the wind
maverick:fly_to(roof.x, roof.y, roof.z + 3, { speed=2.5 })
maverick:fly_to(roof.x, roof.y, roof.z, { speed=0.8 })
maverick:wait(4)
