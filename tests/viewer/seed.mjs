// The seed of random tests, the same in every run. TICKREEL_TEST_SEED=N chooses another one, =new a random one.
export function testSeed() {
  const given = process.env.TICKREEL_TEST_SEED ?? '1';
  const seed = given === 'new' ? Date.now() % 1e6 : Number(given);
  console.log(`TICKREEL_TEST_SEED=${seed}`);
  return seed;
}

// Numbers from 0 to 1 that a seed decides.
export function randomOf(start) {
  let s = start >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), s | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
