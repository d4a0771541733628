import { isLater } from '@innkeeper/contract/net/dns/records'
import type { Context, Driver } from '../../kit/driver.ts'
import { exclusive, notes, until } from '../../kit/host.ts'
import { ensureTransferKey, forgetAnswers, powerdnsCall } from './powerdnsApi.ts'
import { findZone, pathOf } from './powerdnsZone.ts'
import { retriever, settleCopy } from './zoneKeys.ts'

const kind = 'zone-copy'

/**
 * Creates the zone on a secondary and waits until its serial arrives. The primary also sends a NOTIFY, but requesting
 * the transfer is seconds faster.
 */
export const fetchZone: Driver<'dns-zone.fetch'> = {
  run: (c) => exclusive(`zone ${c.input.domain}`, () => fetchIt(c)),
  async undo({ input: { domain }, actionId, say, fence }) {
    const note = await notes.find(kind, domain)
    if (note?.by !== actionId) return void say(`${domain} stays: it was here before`)
    fence()
    if (await findZone(domain, false)) await powerdnsCall(pathOf(domain), 'DELETE')
    await notes.drop(kind, domain)
  },
  async inspect({ input: { domain, serial }, actionId, task }) {
    const zone = await findZone(domain, false)
    if (task === 'undo') return (await notes.find(kind, domain))?.by === actionId && zone ? 'no' : 'yes'
    return zone && !isLater(serial, zone.serial) ? 'yes' : 'no'
  },
}

async function fetchIt({ input, actionId, say, fence }: Context<'dns-zone.fetch'>): Promise<{ serial: number }> {
  const { domain, serial, primary } = input
  fence()
  const keyId = await ensureTransferKey(input.zoneKey)
  const before = await findZone(domain, false)
  const how = { kind: 'Secondary', masters: [primary], slave_tsig_key_ids: [keyId] }
  if (!before) {
    await notes.keep(kind, domain, actionId)
    await powerdnsCall('/zones', 'POST', { name: `${domain}.`, nameservers: [], ...how })
  } else if (
    !['Secondary', 'Slave'].includes(before.kind) ||
    before.masters.map((at) => at.replace(/:53$/, '')).join() !== primary ||
    before.slave_tsig_key_ids.join() !== keyId
  )
    await powerdnsCall(pathOf(domain), 'PUT', how)
  let has = before?.serial ?? 0
  const ask = retriever(domain, fence)
  try {
    await until({
      what: `${primary} gives ${domain} at serial ${serial}`,
      unit: 'pdns',
      async look() {
        has = (await findZone(domain, false))?.serial ?? 0
        if (has !== 0 && !isLater(serial, has)) return
        await ask()
        throw new Error(`${primary} has not given ${domain} at serial ${serial}; here it is at ${has}`)
      },
    })
  } catch (error) {
    // PowerDNS answers SERVFAIL for an empty zone, so delete it
    if (!before && has === 0) {
      await powerdnsCall(pathOf(domain), 'DELETE')
      await notes.drop(kind, domain)
    }
    throw error
  }
  if (!before) await forgetAnswers(domain)
  if (input.signed !== undefined) await settleCopy(domain, input.signed, say, fence)
  say(`${domain} is at serial ${has}${before ? `, was ${before.serial}` : ''}`)
  return { serial: has }
}

/** Removes a zone, primary or secondary. Only a sync from the control plane brings it back. */
export const removeZone: Driver<'dns-zone.remove'> = {
  run: ({ input: { domain }, say, fence }) =>
    exclusive(`zone ${domain}`, async () => {
      fence()
      const there = await findZone(domain, false)
      if (there) await powerdnsCall(pathOf(domain), 'DELETE')
      await forgetAnswers(domain)
      for (const made of [kind, 'zone']) await notes.drop(made, domain)
      say(there ? `${domain} is removed from this name server` : `${domain} was not here`)
    }),
  undo: async ({ input: { domain }, say }) => say(`${domain} comes back with the next sync`),
  async inspect({ input: { domain }, task }) {
    if (task === 'undo') return 'yes'
    return (await findZone(domain, false)) ? 'no' : 'yes'
  },
}
