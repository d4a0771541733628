import * as z from 'zod'
import { get } from './kit/endpoint.ts'

/** Secrets of one kind that were lost with Innkeeper's key and that the caller can enter again. */
export const LostKind = z.object({
  what: z.string(),
  /** What to do. */
  again: z.string(),
  /** Path of the screen. */
  at: z.string(),
  count: z.int(),
  /** The first objects, by name, and the path of the page of each. */
  objects: z.array(z.object({ name: z.string(), page: z.string().nullable() })),
})
export type LostKind = z.output<typeof LostKind>

export const lostSecrets = {
  list: get('/lost-secrets', 'signedIn', {
    summary: 'Secrets that were lost with the key and that the caller can enter again',
    returns: z.object({ items: z.array(LostKind) }),
  }),
}
