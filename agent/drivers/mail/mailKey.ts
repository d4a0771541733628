import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, notes, read, remove, replace } from '../../kit/host.ts'
import { groupId } from '../accounts/systemAccounts.ts'
import type { MailDomain } from './mailFiles.ts'
import { filterKeys, filterSelectors } from './mailFilter.ts'

const fileOf = (domain: string, selector: string) => `${filterKeys}/${domain}.${selector}.key`

/** Makes a DKIM key of 2048 bits. The private key never leaves the server. */
export const ensureMailKey: Driver<'mail-key.ensure'> = {
  run: (c) =>
    exclusive('mail', async () => {
      const { domain, selector } = c.input
      const file = fileOf(domain, selector)
      const known = await read(file)
      if (known === undefined) {
        const owner = { uid: 0, gid: await groupId('_rspamd') }
        await ensureDirectory(filterKeys, { mode: 0o750, owner })
        await notes.keep('mail-key', `${domain}.${selector}`, c.actionId)
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
        c.fence()
        await replace(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), { mode: 0o640, owner })
      }
      c.say(known === undefined ? `made the key ${selector} of ${domain}` : `${domain} has its key ${selector}`)
      return { publicKey: publicOf((await read(file)) ?? '') }
    }),
  undo: (c) =>
    exclusive('mail', async () => {
      const { domain, selector } = c.input
      const name = `${domain}.${selector}`
      if ((await notes.find('mail-key', name))?.by !== c.actionId) return c.say(`the key ${selector} stays`)
      c.fence()
      await remove(fileOf(domain, selector))
      await notes.drop('mail-key', name)
      c.say(`removed the key ${selector} of ${domain}`)
    }),
  inspect: async () => 'no', // a repeat answers the same key
}

const publicOf = (pem: string) =>
  createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' }).toString('base64')

/** Which key signs the mail of each domain. rspamd reads the file again by itself. */
export async function writeSelectors(all: readonly MailDomain[]): Promise<void> {
  if (!existsSync('/usr/bin/rspamd')) return
  const lines = all.flatMap(({ domain, selector }) => (selector ? [`${domain} ${selector}\n`] : []))
  await replace(filterSelectors, lines.join(''))
}
