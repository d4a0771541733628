import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod'
import type { Driver } from '../../kit/driver.ts'
import { absent, ensureDirectory, exclusive, notes, places, read, remove, replace } from '../../kit/host.ts'
import { groupId } from '../accounts/systemAccounts.ts'
import type { MailDomain } from './mailFiles.ts'
import { filterKeys, filterSelectors } from './mailFilter.ts'

const fileOf = (domain: string, selector: string) => `${filterKeys}/${domain}.${selector}.key`

/** Generates a DKIM key of 2048 bits, or takes the one of another server in its place. */
export const ensureMailKey: Driver<'mail-key.ensure'> = {
  run: (c) =>
    exclusive('mail', async () => {
      const { domain, selector } = c.input
      const file = fileOf(domain, selector)
      const known = await read(file)
      const given = c.input.privateKey && pemOf(createPrivateKey(c.input.privateKey))
      const isNew = given === undefined ? known === undefined : known !== given
      if (isNew) {
        const owner = { uid: 0, gid: await groupId('_rspamd') }
        await ensureDirectory(filterKeys, { mode: 0o750, owner })
        // a key that a deleted mail domain of the same name left here comes back with the undo
        await notes.keep('mail-key', `${domain}.${selector}`, c.actionId, known === undefined ? {} : { before: known })
        c.fence()
        await replace(file, given ?? pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), {
          ...{ mode: 0o640, owner },
        })
      }
      c.say(isNew ? `${given ? 'took' : 'made'} the key ${selector} of ${domain}` : `${domain} has its key ${selector}`)
      return { publicKey: publicOf((await read(file)) ?? '') }
    }),
  undo: (c) =>
    exclusive('mail', async () => {
      const { domain, selector } = c.input
      const name = `${domain}.${selector}`
      const note = await notes.find('mail-key', name)
      if (note?.by !== c.actionId) return c.say(`the key ${selector} stays`)
      c.fence()
      await putBack(domain, selector, note.about.before)
      await notes.drop('mail-key', name)
      c.say(`removed the key ${selector} of ${domain}`)
    }),
  inspect: async () => 'no', // a repeat answers the same key
}

/** The keys as one file that only root reads, for the server to which the domain moves. */
export const packMailKeys: Driver<'mail-keys.pack'> = {
  run: ({ input: { domain, selectors, file }, fence, say }) =>
    exclusive('mail', async () => {
      const keys: Record<string, string> = {}
      for (const selector of selectors) {
        const key = await read(fileOf(domain, selector))
        if (key !== undefined) keys[selector] = key
      }
      const text = gzipSync(JSON.stringify(keys))
      fence()
      await ensureDirectory(places.spool, { mode: 0o700 })
      await replace(`${places.spool}/${file}`, text, { mode: 0o600 })
      say(`${Object.keys(keys).length} keys of ${domain}`)
      return { sha256: createHash('sha256').update(text).digest('hex') }
    }),
  undo: async ({ input: { file } }) => void (await remove(`${places.spool}/${file}`)),
  inspect: async () => 'no', // a repeat answers the same sum
}

/**
 * Replaces a key that a deleted mail domain of the same name left here: the DNS record of the domain has the fetched
 * key.
 */
export const takeMailKeys: Driver<'mail-keys.take'> = {
  run: (c) =>
    exclusive('mail', async () => {
      const { domain, selectors, file } = c.input
      const packed = await readFile(`${places.spool}/${file}`).catch(absent)
      // a repeat after the file is gone has nothing left to do
      const keys = packed ? Keys.parse(JSON.parse(gunzipSync(packed).toString())) : {}
      c.fence()
      const owner = { uid: 0, gid: await groupId('_rspamd') }
      await ensureDirectory(filterKeys, { mode: 0o750, owner })
      for (const selector of selectors) {
        const key = keys[selector]
        const known = await read(fileOf(domain, selector))
        if (key === undefined || key === known) continue
        publicOf(key) // refuses what is no key
        await notes.keep('mail-key', `${domain}.${selector}`, c.actionId, known === undefined ? {} : { before: known })
        await replace(fileOf(domain, selector), key, { mode: 0o640, owner })
      }
      await remove(`${places.spool}/${file}`)
      c.say(`${domain} has its keys`)
    }),
  undo: (c) =>
    exclusive('mail', async () => {
      for (const selector of c.input.selectors) {
        const name = `${c.input.domain}.${selector}`
        const note = await notes.find('mail-key', name)
        if (note?.by !== c.actionId) continue
        c.fence()
        await putBack(c.input.domain, selector, note.about.before)
        await notes.drop('mail-key', name)
      }
    }),
  inspect: async () => 'no', // a repeat is harmless
}
const Keys = z.record(z.string(), z.string().max(20_000))

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** The file of a key as it was before. */
async function putBack(domain: string, selector: string, before: string | undefined): Promise<void> {
  if (before === undefined) await remove(fileOf(domain, selector))
  else
    await replace(fileOf(domain, selector), before, { mode: 0o640, owner: { uid: 0, gid: await groupId('_rspamd') } })
}

const publicOf = (pem: string) =>
  createPublicKey(createPrivateKey(pem)).export({ type: 'spki', format: 'der' }).toString('base64')

/** Which key signs the mail of each domain. rspamd reads the file again by itself. */
export async function writeSelectors(all: readonly MailDomain[]): Promise<void> {
  if (!existsSync('/usr/bin/rspamd')) return
  const lines = all.flatMap(({ domain, selector }) => (selector ? [`${domain} ${selector}\n`] : []))
  await replace(filterSelectors, lines.join(''))
}
