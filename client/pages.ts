/** An object of an answer, whose fields are not known here. */
export type Row = Record<string, unknown>

/** The rows in the answer of a list: its only array. Some older calls do not name it `items`. */
export function rowsIn(answer: unknown): unknown[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).find((value): value is unknown[] => Array.isArray(value)) ?? []
}

/** Reads page after page, by the key of the next page where the list has one. */
export async function* pagesOf(
  read: (page: { page?: number; after?: string }) => Promise<unknown>,
  rowsOf: (answer: unknown) => unknown[],
): AsyncGenerator<unknown> {
  let after: string | undefined
  do {
    const answer = await read(after === undefined ? {} : { after })
    yield* rowsOf(answer)
    after = nextOf(answer)
  } while (after !== undefined)
}

const nextOf = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && 'next' in answer && typeof answer.next === 'string'
    ? answer.next
    : undefined
