import { sliceName } from '../../../bin/slice.ts'

/**
 * Each run uses a new seed and prints it. SEED=… repeats a run, and FUZZ_RUNS=1000 sets the cases per call.
 * bin/slice.ts explains SLICE.
 */
export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)
export const full = process.env.FUZZ_RUNS !== undefined
export const runs = Number(process.env.FUZZ_RUNS ?? 20)

export const saySeed = (what: string) => console.log(`${what}: SEED=${seed} FUZZ_RUNS=${runs} SLICE=${sliceName}`)
