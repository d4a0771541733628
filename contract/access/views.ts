import * as z from 'zod'
import { del, get, line, post } from '../kit/endpoint.ts'

/** Name of a list in the screens: `websites`. */
const list = z.string().regex(/^[a-z][a-zA-Z-]{0,39}$/, 'The name of a list')

/** A saved view: filters and sort order of a list under a name. */
export const View = z.object({
  id: z.int(),
  list,
  name: z.string(),
  filters: z.record(z.string(), z.array(z.string())),
  sort: z.string().nullable(),
  direction: z.enum(['ASC', 'DESC']).nullable(),
})
export type View = z.output<typeof View>

const word = z.string().max(64)
const few = (n: number) => (held: object) => Object.keys(held).length <= n

export const views = {
  list: get('/views', 'signedIn', {
    summary: 'The caller’s saved views, optionally of one list',
    query: { list: list.optional() },
    returns: z.object({ items: z.array(View), total: z.int() }),
  }),
  save: post('/views', 'signedIn', {
    summary: 'Save a view, replacing one of the same name',
    body: {
      list,
      name: line(40),
      filters: z.record(word, z.array(z.string().max(253)).max(50)).refine(few(20), 'At most 20 filters'),
      sort: word.optional(),
      direction: z.enum(['ASC', 'DESC']).optional(),
    },
    returns: View,
  }),
  remove: del('/views/:id', 'signedIn', { summary: 'Delete a view' }),
}
