// The seed of random tests, the same in every run. TICKREEL_TEST_SEED=N chooses another one, =new a random one.
export function testSeed() {
  const given = process.env.TICKREEL_TEST_SEED ?? '1';
  const seed = given === 'new' ? Date.now() % 1e6 : Number(given);
  console.log(`TICKREEL_TEST_SEED=${seed}`);
  return seed;
}
