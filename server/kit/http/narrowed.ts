import { isDeepStrictEqual } from 'node:util'

/** Fields of a changed row that its author always gets. */
const marks: ReadonlySet<string> = new Set(['id', '_id', 'version', 'workflowId', 'workflowIds'])

/**
 * The answer to people who may change a resource and not read it. Of each stored row, recognised by its version, they
 * get the marks, and what they sent and was stored so. Otherwise an empty change would read the row (decision 76).
 */
export function narrowed(answer: unknown, sent: Record<string, unknown>): unknown {
  if (Array.isArray(answer)) return answer.map((one) => narrowed(one, sent))
  if (typeof answer !== 'object' || answer === null) return answer
  const fields = Object.entries(answer)
  return Object.fromEntries(
    'version' in answer
      ? fields.filter(([key, value]) => marks.has(key) || (key in sent && isDeepStrictEqual(value, sent[key])))
      : fields.map(([key, value]) => [key, narrowed(value, sent)]),
  )
}
