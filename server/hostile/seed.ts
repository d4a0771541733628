/**
 * Each run tries other values and says which: FUZZ_SEED=… repeats one, FUZZ_RUNS=1000 makes it a full one (cases per
 * call).
 */
export const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_007)
export const full = process.env.FUZZ_RUNS !== undefined
export const runs = Number(process.env.FUZZ_RUNS ?? 20)

export const saySeed = (what: string) => console.log(`${what}: FUZZ_SEED=${seed} FUZZ_RUNS=${runs}`)
