import * as z from 'zod'
import { del, get, line, post } from './kit.ts'

/** The name of a list as the screens know it: `websites`. */
const list = z.string().regex(/^[a-z][a-zA-Z-]{0,39}$/, 'The name of a list')

/** A question that a person asks of a list again and again: its filters and its order, under a name. */
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
    summary: 'The caller’s saved views of one list, or of all',
    query: { list: list.optional() },
    returns: z.object({ items: z.array(View), total: z.int() }),
  }),
  save: post('/views', 'signedIn', {
    summary: 'Save a view; one of the same name is replaced',
    body: {
      list,
      name: line(40),
      filters: z.record(word, z.array(z.string().max(253)).max(50)).refine(few(20), 'At most 20 filters'),
      sort: word.optional(),
      direction: z.enum(['ASC', 'DESC']).optional(),
    },
    returns: View,
  }),
  remove: del('/views/:id', 'signedIn', { summary: 'Forget a view' }),
}
