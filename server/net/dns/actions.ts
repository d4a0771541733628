import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@innkeeper/contract/agent/operations'
import { address, domain } from '@innkeeper/contract/kit/values'
import { isLater } from '@innkeeper/contract/net/dns/records'
import { objectionTo, type Sample } from '@innkeeper/contract/net/dns/validate'
import * as z from 'zod'
import { action } from '../../kit/work/action.ts'
import { askAt } from './signing/ask.ts'
import { samplesOf } from './signing/samples.ts'

export const zoneEnsure = action('dns-zone.ensure', operations['dns-zone.ensure'], {
  title: 'Primary',
  what: ({ serial, sets, whole, signed }) =>
    `serial ${serial}, ${whole ? 'the whole zone' : `${sets.length} ${sets.length === 1 ? 'set' : 'sets'} of records`}${signed ? ', signed' : ''}`,
})
export const zoneFetch = action('dns-zone.fetch', operations['dns-zone.fetch'], {
  title: 'Secondary',
  what: ({ serial, primary }) => `serial ${serial} from ${primary}`,
})
export const zoneRemove = action('dns-zone.remove', operations['dns-zone.remove'], {
  title: 'Name server',
  what: ({ domain }) => `${domain} is removed`,
})
export const zonesCompare = action('dns-zones.compare', operations['dns-zones.compare'], {
  title: 'Compare',
  lane: 'long',
  what: ({ zones }) => `${zones.length} ${zones.length === 1 ? 'zone' : 'zones'} by serial and content`,
})

/** Tries of 1.5 s, each twice as long as the one before: a busy name server may answer after half a minute. */
export const LATE = 5
/** What a busy name server may take for one answer over TCP. */
const LATE_MS = 30_000
/** What is still wrong after minutes is a fault. */
const WAIT_MS = 180_000

/** Last step of a publication: asks each name server over port 53, from this node, which serial it answers. */
export const zoneProbe = action(
  'zone.probe',
  z.object({
    domain,
    serial: z.int(),
    /** The newest change that this publication contains. */
    change: z.int(),
    servers: z.array(z.object({ id: z.int(), name: z.string(), address })),
    /** DNSKEY records of a signed zone: the keys must validate the answers. */
    dnskeys: z.array(z.string()).optional(),
  }),
  {
    title: 'Probe',
    what: ({ domain, serial, servers, dnskeys }) =>
      `SOA of ${domain} is ${serial}${dnskeys ? ' and validly signed' : ''} at ${servers.map(({ name }) => name).join(', ')}`,
    async run({ domain, serial, servers, dnskeys }, { app, say, signal }) {
      const samples = dnskeys ? await samplesOf(app.db, domain) : []
      const answers = await Promise.all(
        servers.map(async ({ id, name, address }) => {
          let last = ''
          const end = performance.now() + WAIT_MS
          for (let tries = 0; tries < 40 && performance.now() < end && !signal.aborted; tries++) {
            const answer = await askSerial(address, domain, { tries: LATE, signal })
            if (typeof answer === 'string') say(`waits for ${name} at ${address}: ${answer}`)
            const isThere = typeof answer === 'number' && !isLater(serial, answer)
            const why = isThere && dnskeys ? await objectionAt(address, domain, dnskeys, samples, LATE_MS) : undefined
            if (isThere && !why) {
              say(`${name} at ${address} answers serial ${answer}${dnskeys ? ', validly signed' : ''}`)
              return { id, serial: answer }
            }
            last = why ?? (typeof answer === 'number' ? `serial ${answer}` : answer)
            await sleep(250, undefined, { signal }).catch(() => {}) // aborted: the loop condition ends the loop
          }
          throw new Error(`${name} at ${address} should answer serial ${serial} for ${domain}, and answers ${last}`)
        }),
      )
      return { servers: answers }
    },
  },
)

/** Why a validating resolver would refuse a zone at one name server; undefined if it would not. */
export const objectionAt = (
  address: string,
  domain: string,
  dnskeys: readonly string[],
  samples: readonly Sample[],
  patienceMs = 3000,
): Promise<string | undefined> =>
  objectionTo(domain, dnskeys, askAt(address, { patienceMs }), { samples }).catch((error: Error) => error.message)

/**
 * The serial with which one name server answers for a zone, or the error text when it does not answer. With more
 * `tries`, an answer to any of them counts, also a late one.
 */
export async function askSerial(
  address: string,
  domain: string,
  { tries = 1, signal }: { tries?: number; signal?: AbortSignal } = {},
): Promise<number | string> {
  const resolver = new Resolver({ timeout: 1500, tries })
  const cancel = () => resolver.cancel()
  signal?.addEventListener('abort', cancel)
  resolver.setServers([address])
  return resolver
    .resolveSoa(domain)
    .then(
      ({ serial }) => serial,
      (error: Error) => error.message,
    )
    .finally(() => signal?.removeEventListener('abort', cancel))
}
