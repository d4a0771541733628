import type { dns as contract } from '@innkeeper/contract/net/dns/calls'
import { MAX_ZONE_FILE } from '@innkeeper/contract/net/dns/transfer'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { reachOf } from '../../../kit/outgoing/reach.ts'
import { resolversOf, stillTrusted } from '../signing/parent.ts'
import { NoTransfer, transfer } from './transfer.ts'

export const transferHandlers: Pick<Handlers<typeof contract>, 'transfer'> = {
  async transfer({ domain, host, port, keyName, algorithm, secret }, { app }) {
    if ((keyName === undefined) !== (secret === undefined))
      throw refused('A key has a name and a secret', {
        [secret === undefined ? 'secret' : 'keyName']: 'Belongs to the key, too',
      })
    const key = keyName && secret ? { name: keyName, algorithm, secret } : undefined
    const { lines, serial, signed } = await transfer(
      reachOf(app),
      { domain, host, port: Number(port), key },
      MAX_ZONE_FILE,
    ).catch((error: unknown) => {
      app.log.warn({ err: error, host }, 'a zone was not transferred')
      const why =
        error instanceof NoTransfer
          ? error.message
          : `${host} gives no usable answer; private addresses have to be in INNKEEPER_PRIVATE_TARGETS`
      throw refused(why, { host: why })
    })
    const trusted = (await stillTrusted(domain, resolversOf(app))) ?? null
    return { zoneFile: `${lines.join('\n')}\n`, records: lines.length, serial, signed, trusted }
  },
}
