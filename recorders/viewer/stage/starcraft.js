export function createStarcraftStage() { throw new Error('soon'); }
