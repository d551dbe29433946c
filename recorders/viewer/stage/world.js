export function createWorldStage() { throw new Error('soon'); }
