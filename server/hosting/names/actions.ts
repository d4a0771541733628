import { servedName } from '@innkeeper/contract/kit/values'
import * as z from 'zod'
import { action } from '../../kit/work/action.ts'
import { askUntil } from '../websites/probe.ts'

/** Requests a redirected name and expects 301 to the website's own name, with path and query unchanged. */
export const redirectProbe = action(
  'website.redirect-probe',
  z.object({
    serverId: z.int(),
    name: servedName,
    to: servedName,
    /** Former names only: days of the redirect. */
    keepDays: z.int().min(0).max(3650).optional(),
  }),
  {
    title: 'Probe of the redirect',
    what: ({ name, to, keepDays }) =>
      `GET http://${name}/ answers 301 to http://${to}/${keepDays ? `, for ${keepDays} ${keepDays === 1 ? 'day' : 'days'}` : ''}`,
    async run({ serverId, name, to }, work) {
      const wanted = `http://${to}/a/path?and=query`
      const host = name.replace(/^\*/, 'any-name')
      return askUntil(
        work,
        { serverId, host, path: '/a/path?and=query' },
        `301 to http://${to}`,
        (answer) => answer.status === 301 && answer.location === wanted,
      )
    },
  },
)

/** Requests an alias and expects the website. */
export const aliasProbe = action('website.alias-probe', z.object({ serverId: z.int(), name: servedName }), {
  title: 'Probe',
  what: ({ name }) => `GET http://${name}/ answers`,
  run: ({ serverId, name }, work) =>
    askUntil(work, { serverId, host: name.replace(/^\*/, 'any-name'), path: '/' }, 'served', isServed),
})
/** Redirects count as served, because many applications redirect all names to their own. */
const isServed = ({ status }: { status?: number | undefined }) =>
  status !== undefined && (status < 400 || status === 401 || status === 403)
