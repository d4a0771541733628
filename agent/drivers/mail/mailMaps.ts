import { stat } from 'node:fs/promises'
import { absent, ensureDirectory, read, replace } from '../../kit/host.ts'
import { groupId } from '../accounts/systemAccounts.ts'
import { heldTransport, type MailDomain, mapNames, postfixMaps, strangersText } from './mailFiles.ts'
import { retryFor } from './mailQueue.ts'
import { reloadPostfix } from './mailReload.ts'
import { postmap } from './postmap.ts'

export const mapFolder = '/etc/postfix/innkeeper'
export const strangersFile = `${mapFolder}/strangers`
/** Servers that have already filtered the mail that they forward. */
export const trustedFile = `${mapFolder}/trusted`

/**
 * Root reads the maps when a daemon of Postfix starts, and our own program, which runs as nobody, reads some. Accounts of
 * websites on the same server would learn mailboxes and forwards of others.
 */
export const mapMode = async () => ({ mode: 0o640, owner: { uid: 0, gid: await groupId('nogroup') } })

/** Writes the maps of Postfix from the domains of this server. Idempotent. */
export async function writeMaps(all: readonly MailDomain[]): Promise<void> {
  const maps = postfixMaps(all)
  await ensureDirectory(mapFolder)
  if (await replace(strangersFile, strangersText(all))) await reloadPostfix()
  const shifting = await shiftingIn(maps)
  if (shifting.length) {
    await refuseForNow(shifting)
    const others = linesOf((await read(`${mapFolder}/transports`)) ?? '').filter(
      (line) => !shifting.includes(keyOf(line)),
    )
    await writeMap(
      'transports',
      [...others, ...shifting.map((name) => `${name} ${heldTransport}:`)].map(ended).join(''),
    )
  }
  for (const name of mapNames) if (name !== 'shifting') await writeMap(name, maps[name])
  await refuseForNow([])
  for (const name of shifting) if (!maps.transports.includes(`${name} ${heldTransport}:`)) await retryFor(name)
  const relays = new Set(all.flatMap((one) => one.relays ?? []))
  const isNew = await replace(trustedFile, [...relays].map((address) => `${address} DISABLE\n`).join(''))
  if (isNew) await reloadPostfix()
}

async function writeMap(name: (typeof mapNames)[number], text: string): Promise<void> {
  const file = `${mapFolder}/${name}`
  const isNew = await replace(file, text, await mapMode())
  if (!isNew && (await isBuilt(file))) return
  await postmap(file)
  // the process that resolves domains checks for a changed map only every ten seconds
  if (name === 'domains' || name === 'transports') await reloadPostfix()
}

/** Postfix defers mail that arrives for these domains, and takes it for all others. */
export const refuseForNow = (domains: readonly string[]): Promise<void> =>
  writeMap('shifting', domains.map((name) => `${name} 450 4.3.2 Mail for this domain is moving: try again\n`).join(''))

/**
 * The domains that begin or end to be relayed. While only some maps are written, Postfix would refuse mail that arrives for them
 * for good, and would send mail that waits where DNS says, which may be this server: both wait.
 */
async function shiftingIn(wanted: ReturnType<typeof postfixMaps>): Promise<string[]> {
  const [before, after] = [linesOf((await read(`${mapFolder}/relays`)) ?? ''), linesOf(wanted.relays)]
  return [...before.filter((line) => !after.includes(line)), ...after.filter((line) => !before.includes(line))].map(
    keyOf,
  )
}

const linesOf = (text: string) => text.split('\n').filter(Boolean)
const keyOf = (line: string) => line.slice(0, line.indexOf(' '))
const ended = (line: string) => `${line}\n`

async function isBuilt(file: string): Promise<boolean> {
  const [text, built] = await Promise.all([stat(file), stat(`${file}.db`).catch(absent)])
  return built !== undefined && built.mtimeMs >= text.mtimeMs
}
