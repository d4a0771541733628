/** Parts of a list with at most `size` items each, in order; `inTurns` lets other calls run between them. */
export const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size))
