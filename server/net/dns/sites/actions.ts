import { servedName } from '@innkeeper/contract/kit/values'
import { TTL } from '@innkeeper/contract/net/dns/records'
import * as z from 'zod'
import { action, type Work } from '../../../kit/work/action.ts'
import { addressTypes, ensureRecords, type NameRecords } from './ensure.ts'

const names = z
  .array(
    z.object({
      name: servedName,
      records: z
        .array(
          z.object({
            type: z.enum(addressTypes),
            content: z.string().max(300),
            ttl: z.int().min(TTL.min).max(TTL.max),
          }),
        )
        .max(50),
    }),
  )
  .max(1000)
/** `was`: the records at the time of planning, which undo restores. */
const schema = z.object({ names, was: names })

const WHO = { id: null, name: 'Innkeeper' }

async function put(wanted: readonly NameRecords[], { app, say, fence }: Work) {
  fence()
  const { workflowIds, foreign } = await app.db.transaction((tx) => ensureRecords(tx, app, wanted, WHO))
  for (const { name, records } of wanted)
    if (!foreign.includes(name))
      say(
        records.length
          ? records.map(({ type, content, ttl }) => `${name} ${ttl} ${type} ${content}`).join('\n')
          : `${name} is gone`,
      )
  if (foreign.length) say(`no longer in a zone of Innkeeper: ${foreign.join(', ')}`)
  return { names: wanted.length - foreign.length, foreign, workflowIds }
}

const listed = (all: readonly NameRecords[]) => all.map(({ name }) => name).join(', ')

/** Points the names of a website to its server. A repeated run changes nothing. */
export const websiteDns = action('website.dns', schema, {
  title: 'DNS',
  what({ names: wanted }) {
    const leads = new Set(wanted.flatMap(({ records }) => records.map(({ content }) => content)))
    return leads.size ? `${listed(wanted)} to ${[...leads].join(', ')}` : `${listed(wanted)} removed`
  },
  run: ({ names: wanted }, work) => put(wanted, work),
  undo: ({ was }, work) => put(was, work),
})

/** Sets the TTL of a website's records: how long resolvers may cache them. */
export const websiteTtl = action('website.dns-ttl', schema, {
  title: 'DNS',
  what({ names: wanted }) {
    const seconds = new Set(wanted.flatMap(({ records }) => records.map(({ ttl }) => ttl)))
    return `${listed(wanted)} for ${[...seconds].join(', ')} seconds`
  },
  run: ({ names: wanted }, work) => put(wanted, work),
  undo: ({ was }, work) => put(was, work),
})
