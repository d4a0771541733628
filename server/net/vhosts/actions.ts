import { operations } from '@innkeeper/contract/agent/operations'
import { domain } from '@innkeeper/contract/kit/values'
import * as z from 'zod'
import { askUntil } from '../../hosting/websites/probe.ts'
import { action } from '../../kit/work/action.ts'

export const edgeSiteEnsure = action('edge-site.ensure', operations['edge-site.ensure'], {
  title: 'Edge',
  what: ({ names, origin, cache, keepMinutes }) =>
    cache ? `${names[0]} from ${origin}, cached ${keepMinutes} min` : `${names[0]} forwarded to ${origin}, not cached`,
})
export const edgeSiteRemove = action('edge-site.remove', operations['edge-site.remove'], {
  title: 'Edge',
  what: () => 'no longer serves the website',
})

const fits = (status: number) => status < 400 || status === 401 || status === 403
/** Status if the website did not answer. */
const NONE = 0

/** Before a change: saves the present status of the website, so that the probe does not expect a better one. */
export const vhostLook = action('vhost.look', z.object({ serverId: z.int(), domain }), {
  title: 'Look',
  what: ({ domain }) => `what http://${domain}/ answers now`,
  run: ({ serverId, domain }, work) =>
    askUntil(work, { serverId, host: domain, path: '/' }, 'reached', () => true).then(({ status = NONE }) => ({
      status,
    })),
})

/** After a change: the website must answer with a good status, or with the same status as before. */
export const vhostProbe = action('vhost.probe', z.object({ serverId: z.int(), domain, was: z.int().min(0) }), {
  title: 'Probe',
  what: ({ domain }) => `GET http://${domain}/ answers as well as before`,
  run: ({ serverId, domain, was }, work) =>
    askUntil(
      work,
      { serverId, host: domain, path: '/' },
      was === NONE ? 'served' : `served, or ${was} as before`,
      ({ status = NONE }) => status === was || (status !== NONE && fits(status)),
    ),
})

/** Requests the website through an edge, whose answer shows whether the cache was used. */
export const edgeProbe = action(
  'vhost.edge-probe',
  z.object({
    serverId: z.int(),
    domain,
    /** Absent: not checked, because the edge may refuse or redirect the request itself. */
    cache: z.boolean().optional(),
    /** True: the website has a certificate, so that http may answer with a redirect to https. */
    https: z.boolean().optional(),
  }),
  {
    title: 'Probe',
    what: ({ domain, cache, https }) =>
      `http${https ? 's' : ''}://${domain}/ answers through its edge${cache ? ', from the cache' : ''}`,
    run: ({ serverId, domain, cache, https }, work) =>
      askUntil(
        work,
        { serverId, host: domain, path: '/', https },
        cache ? 'answered by the cache of its edge' : 'forwarded by its edge',
        ({ status = NONE, cached }) =>
          status !== NONE &&
          status !== 502 &&
          status !== 504 &&
          (cache === undefined || (cached !== undefined) === cache),
      ),
  },
)
