import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rm, stat, statfs } from 'node:fs/promises'
import { Transform } from 'node:stream'
import type { Driver } from '../../kit/driver.ts'
import { absent, flow, places, putInPlace, remove, spooled } from '../../kit/host.ts'
import { fetchBlob, sendBlob } from '../../transfer/controlPlane.ts'
import { siteAccount } from '../accounts/systemAccounts.ts'
import { counting, progress, RESERVE } from './reading.ts'

const MOST_FOLDER_FILE = 100 * 1024 ** 3

/** Copies a dump into the spool folder. Undo deletes the copy. */
export const bringDump: Driver<'dump.fetch'> = {
  async run({ input: { file, blob, home: of }, say, fence }) {
    const path = await spooled(file)
    const aside = `${path}.part`
    fence()
    if (blob) {
      await checkRoom(blob.size)
      if (!(await hasSum(path, blob.sha256))) {
        await fetchBlob(blob, aside, progress(say, blob.size))
        if (!(await hasSum(aside, blob.sha256))) {
          await rm(aside, { force: true })
          throw new Error(`${file} differs from what was uploaded: try again`)
        }
        await putInPlace(aside, path)
      }
    } else if (of) {
      const { uid, gid, home, username } = await siteAccount(of.username)
      await rm(aside, { force: true })
      const { count, read } = counting()
      const limit = new Transform({
        transform: (part, _, done) =>
          done(read() > MOST_FOLDER_FILE ? new Error('The file is larger than 100 GB') : null, part),
      })
      // reads as the account: a link leads only to what the account may read; a pipe would never end
      const source = `${home}/${of.path}`
      await flow(['sh', '-c', 'test -f "$0" && test -r "$0"', source], { as: { uid, gid } }).catch(() => {
        throw new Error(`${username} has no file ${of.path}, or may not read it`)
      })
      await flow(['cat', '--', source], {
        as: { uid, gid },
        to: [count, limit, createWriteStream(aside, { mode: 0o600, flags: 'wx' })],
      })
      await putInPlace(aside, path)
    } else throw new Error('The operation names neither a file of Innkeeper nor a path')
    const { size } = await stat(path)
    say(`${size} bytes are on the server`)
    return { size }
  },
  async undo({ input: { file }, say }) {
    const path = await spooled(file)
    await rm(`${path}.part`, { force: true })
    say((await remove(path)) ? `${file} is deleted` : `${file} was gone already`)
  },
  async inspect({ input: { file }, task }) {
    return task === 'undo' && !existsSync(await spooled(file)) ? 'yes' : 'no' // a repeat is harmless
  },
}

/** Deletes a dump that is not needed any more. */
export const dropDump: Driver<'dump.drop'> = {
  async run({ input: { file }, say, fence }) {
    fence()
    say((await remove(await spooled(file))) ? `${file} is deleted` : `${file} was gone already`)
  },
  undo: async ({ input: { file }, say }) => say(`${file} does not come back: upload it again to import it again`),
  inspect: async ({ input: { file }, task }) => (task === 'undo' || !existsSync(await spooled(file)) ? 'yes' : 'no'),
}

/** Sends a dump to Innkeeper's storage, and deletes it here. */
export const sendDump: Driver<'dump.send'> = {
  async run({ input: { file, key, sha256 }, say, fence }) {
    const path = await spooled(file)
    const found = await stat(path).catch(absent)
    if (!found) throw new Error(`${file} is not in the spool folder: write it again`)
    fence()
    await sendBlob({ key, size: found.size, sha256 }, path, progress(say, found.size))
    await remove(path)
    say(`${found.size} bytes are in Innkeeper`)
    return { size: found.size, sha256 }
  },
  undo: async () => undefined, // Innkeeper deletes its file itself
  inspect: async ({ input: { file } }) => ((await stat(await spooled(file)).catch(absent)) ? 'no' : 'unknown'),
}

async function checkRoom(size: number): Promise<void> {
  const { bavail, bsize } = await statfs(places.state)
  if (bavail * bsize < size + RESERVE)
    throw new Error(`The server has no room for ${size} bytes beside 1 GB in reserve`)
}

async function hasSum(file: string, sha256: string): Promise<boolean> {
  if (!existsSync(file)) return false
  const hash = createHash('sha256')
  for await (const part of createReadStream(file)) hash.update(part as Buffer) // a stream without encoding
  return hash.digest('hex') === sha256
}
