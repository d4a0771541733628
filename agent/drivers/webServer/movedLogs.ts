import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, rm, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Driver } from '../../kit/driver.ts'
import { absent, must, notes, putInPlace, remove, shortName, spooled } from '../../kit/host.ts'
import { logsOf } from './site.ts'
import { webServerHere } from './webServers.ts'

const TAKEN = 'logs-taken'
type Kind = 'access' | 'error'

/**
 * Packs all logs of a website, rotated ones included, into one file. Leaves out a log that a move brought here, which
 * its origin still has.
 */
export const packLogs: Driver<'website-logs.pack'> = {
  async run({ input: { domain, kind, file }, say, fence }) {
    const brought = Number((await notes.find(TAKEN, nameOf(domain, kind)))?.about.inode)
    const logs: { path: string; at: number }[] = []
    for (const name of await namesOf(domain, kind)) {
      const path = `${webServerHere().logs}/${name}`
      const { ino, mtimeMs } = await stat(path)
      if (ino !== brought) logs.push({ path, at: mtimeMs })
    }
    const path = await spooled(file)
    const hash = createHash('sha256')
    const all = new PassThrough()
    fence()
    await rm(`${path}.part`, { force: true })
    const written = pipeline(
      all,
      createGzip({ level: 1 }),
      async function* (parts: AsyncIterable<Buffer>) {
        for await (const part of parts) {
          hash.update(part)
          yield part
        }
      },
      createWriteStream(`${path}.part`, { flags: 'wx', mode: 0o600, flush: true }),
    )
    const read = async () => {
      for (const log of logs.sort((a, b) => a.at - b.at)) {
        const from = createReadStream(log.path)
        const through = log.path.endsWith('.gz') ? [createGunzip()] : []
        await pipeline([from, ...through, all], { end: false })
      }
      all.end()
    }
    await Promise.all([written, read().catch((error: Error) => void all.destroy(error))])
    await putInPlace(`${path}.part`, path)
    say(`${logs.length} files of the ${kind} log of ${domain}`)
    return { files: logs.length, sha256: hash.digest('hex') }
  },
  async undo({ input: { file } }) {
    await remove(await spooled(file))
  },
  inspect: async () => 'no', // the answer is needed; a repeat is harmless
}

/** Adds the packed logs of the former server as the oldest rotated file here. */
export const takeLogs: Driver<'website-logs.take'> = {
  async run({ input: { domain, kind, file }, actionId, say, fence }) {
    const path = await spooled(file)
    const found = await lstat(path).catch(absent)
    if (!found) return say(`the ${kind} log of ${domain} is here already`)
    await notes.keep(TAKEN, nameOf(domain, kind), actionId, { inode: `${found.ino}` })
    const numbers = (await namesOf(domain, kind)).map((name) => Number(/\.(\d+)(\.gz)?$/.exec(name)?.[1] ?? 0))
    const to = `${webServerHere().logs}/${shortName(domain)}.${kind}.log.${Math.max(1, ...numbers) + 1}.gz`
    fence()
    await must(['chown', 'www-data:adm', '--', path])
    await must(['chmod', '0640', '--', path])
    await must(['mv', '--no-clobber', '--no-target-directory', '--', path, to])
    const { ino } = await stat(to) // a file moved from another file system gets a new inode
    await notes.keep(TAKEN, nameOf(domain, kind), actionId, { inode: `${ino}` })
    say(`the former logs of ${domain} are in ${to}`)
  },
  async undo({ input: { domain, kind }, actionId, fence }) {
    const note = await notes.find(TAKEN, nameOf(domain, kind))
    if (note?.by !== actionId) return
    fence()
    // a rotation may have renamed the file, so find it by its inode
    const { logs } = webServerHere()
    for (const name of await namesOf(domain, kind))
      if (`${(await stat(`${logs}/${name}`)).ino}` === note.about.inode) await remove(`${logs}/${name}`)
    await notes.drop(TAKEN, nameOf(domain, kind))
  },
  inspect: async () => 'no', // a repeat finds the file moved and does nothing
}

const nameOf = (domain: string, kind: Kind) => `${shortName(domain)}.${kind}`
async function namesOf(domain: string, kind: Kind): Promise<string[]> {
  const all = (await readdir(webServerHere().logs).catch(absent)) ?? []
  return all.filter((name) => logsOf(domain).test(name) && name.includes(`.${kind}.log`))
}
