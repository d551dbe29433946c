export function createPathStage() { throw new Error('soon'); }
