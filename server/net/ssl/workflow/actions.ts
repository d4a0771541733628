import { connect } from 'node:tls'
import { operations } from '@innkeeper/contract/agent/operations'
import { domain, servedName } from '@innkeeper/contract/kit/values'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { lookPatiently } from '../../../kit/agents/patiently.ts'
import { action, type Work } from '../../../kit/work/action.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { distrustOfEdges } from '../certificates/edgeTrust.ts'
import { giveBack, release, take, takeBack } from '../certificates/take.ts'
import { readKept } from '../certificates/view.ts'
import { orderCertificate } from '../orders/order.ts'
import { bringCertificate } from './bring.ts'

const words = (names: readonly string[]) =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')

/** Name of the secret with the new private key; the name also identifies the order. */
const keyName = z.string().regex(/^certificate:\d+:[0-9a-f]{12}$/)

export const acmeAnswer = action('acme-answer.ensure', operations['acme-answer.ensure'], {
  title: 'Challenges',
  what: () => 'its web server answers the challenges of the certificate authority',
})
export const tlsSiteEnsure = action('tls-site.ensure', operations['tls-site.ensure'], {
  title: 'Install certificate',
  what: ({ domain, redirect, hsts }) =>
    [
      `${domain} on port 443`,
      ...(redirect ? ['http leads there'] : []),
      ...(hsts ? [`HSTS ${hsts / 86_400} days`] : []),
    ].join(', '),
})
export const tlsSiteRemove = action('tls-site.remove', operations['tls-site.remove'], {
  title: 'Certificate',
  what: ({ domain }) => `${domain} is served over http only`,
})
export const edgeTlsEnsure = action('edge-tls.ensure', operations['edge-tls.ensure'], {
  title: 'Certificate on the edge',
  what: ({ domain, redirect }) => [`${domain} on port 443`, ...(redirect ? ['http leads there'] : [])].join(', '),
})
export const edgeTlsRemove = action('edge-tls.remove', operations['edge-tls.remove'], {
  title: 'Certificate on the edge',
  what: ({ domain }) => `${domain} is served over http only`,
})

export const order = action(
  'certificate.order',
  z.object({
    certificateId: z.int(),
    keyName,
    serverId: z.int(),
    required: z.array(servedName),
    others: z.array(servedName),
    served: z.array(servedName),
    force: z.boolean(),
  }),
  {
    title: 'Order certificate',
    lane: 'long',
    what: ({ required, others }) => `for ${words([...required, ...others])}`,
    run: async (input, work) => trusted(input, await orderCertificate(input, work), work),
  },
)

/** Takes a certificate and its key from the settings of a backup. */
export const bring = action(
  'certificate.bring',
  z.object({ certificateId: z.int(), keyName, from: z.string(), served: z.array(servedName) }),
  {
    title: 'Bring back certificate',
    what: () => 'as the backup has it',
    run: async (input, work) => trusted(input, await bringCertificate(input, work), work),
  },
)

/** Throws before anything is installed if edges would answer 502 with the certificate. */
async function trusted<A extends { chain: string }>(
  { certificateId }: { certificateId: number },
  answer: A,
  { app }: Work,
): Promise<A> {
  const { websiteId } = await readKept(app.db, certificateId)
  const wrong = await distrustOfEdges(app, websiteId, answer.chain)
  if (wrong) throw new Error(wrong)
  return answer
}

/**
 * Last step of an installation: connects over TLS, from this node, and checks the fingerprint that the server presents.
 */
export const probe = action(
  'certificate.probe',
  z.object({
    serverId: z.int(),
    domain,
    fingerprint: z.string(),
    /** Name of an edge. */
    edge: z.string().optional(),
  }),
  {
    title: 'Probe certificate',
    what: ({ domain, edge }) => `https://${domain}/ shows it${edge ? `, asked of ${edge}` : ''}`,
    async run({ serverId, domain, fingerprint }, work) {
      const [server] = await work.app.db.select().from(servers).where(eq(servers.id, serverId))
      if (!server?.address) throw new Error(`${server?.name ?? 'The server'} has no address to ask`)
      const { address } = server
      const look = async (silenceMs: number) => {
        const now = await shown(address, domain, silenceMs)
        work.say(`https://${domain}/ at ${address}: ${now}`)
        return now
      }
      const last = await lookPatiently(work, serverId, look, (now) => now === fingerprint)
      if (last === fingerprint) return { fingerprint }
      throw new Error(
        `https://${domain}/ should show the certificate ${fingerprint}, and ${server.address} shows ${last}`,
      )
    },
  },
)

/** The fingerprint that a host presents for a name, or why it presents none. */
function shown(host: string, servername: string, silenceMs: number): Promise<string> {
  return new Promise((resolve) => {
    const end = (text: string) => {
      socket.destroy()
      resolve(text)
    }
    const socket = connect({ host, port: 443, servername, rejectUnauthorized: false })
    socket.setTimeout(silenceMs, () => end(`no answer in ${silenceMs / 1000} s`))
    socket.on('error', (error) => end(error.message))
    socket.on('secureConnect', () =>
      end(socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase() ?? 'no certificate'),
    )
  })
}

const settings = z.object({ certificateId: z.int(), redirect: z.boolean(), hstsDays: z.int() })
export type SiteSettings = z.output<typeof settings>

/** Saves in our tables which certificate the website now serves. */
export const taken = action(
  'certificate.take',
  settings.extend({ websiteId: z.int(), keyName: keyName.nullable(), before: settings.nullable() }),
  {
    title: 'Record certificate',
    what: () => 'Innkeeper records the certificate of the website',
    run: (input, { app }: Work) => take(app.db, input),
    undo: (input, { app }: Work) => takeBack(app.db, input),
  },
)

export const released = action('certificate.release', z.object({ websiteId: z.int(), before: settings }), {
  title: 'Record certificate',
  what: () => 'Innkeeper records that the website has no certificate',
  run: ({ websiteId }, { app }: Work) => release(app.db, websiteId),
  undo: ({ websiteId, before }, { app }: Work) => giveBack(app.db, websiteId, before),
})

export const edgeCacheClear = action('edge-cache.clear', operations['edge-cache.clear'], {
  title: 'Cached pages',
  what({ urls, prefixes }) {
    const named = [...(urls ?? []), ...(prefixes ?? []).map((prefix) => `${prefix}…`)]
    return named.length
      ? `${named.slice(0, 3).join(', ')}${named.length > 3 ? ' …' : ''} are deleted from the cache`
      : 'all pages are deleted from the cache'
  },
})
