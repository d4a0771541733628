import { createWriteStream } from 'node:fs'
import { chown, rm, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, exclusive, places, must as ran } from '../../kit/host.ts'
import { fetchBlob, sendBlob } from '../../transfer/controlPlane.ts'
import { home, type Local, local, messageOf, must, numberIn, ownerAccount, whyOf } from './ask.ts'
import { patiently } from './locks.ts'

const name = 'innkeeper.jsonl'

/**
 * The file that Innkeeper sent, in a folder where restic can read it: restic runs as the owner of the repositories, or as
 * root for a bucket.
 */
async function placeOf({ s3, run }: Local & { run: number }): Promise<{ file: string; uid: number; gid: number }> {
  const account = s3 ? { uid: 0, gid: 0 } : await ownerAccount()
  const folder = s3 ? `${places.state}/backup/own` : `${home}/.own`
  await ensureDirectory(folder, { mode: 0o700, owner: account })
  return { file: `${folder}/${run}.gz`, uid: account.uid, gid: account.gid }
}
const sumOf = async (file: string) => (await ran(['sha256sum', '--', file])).slice(0, 64)

/** Stores the backup uncompressed, so that restic stores equal parts of two backups once; restic compresses itself. */
export const storeOwnBackup: Driver<'own-backup.store'> = {
  run: (c) =>
    exclusive('own-backup', async () => {
      const { blob, size, sha256, run } = c.input
      const { file, uid, gid } = await placeOf(c.input)
      try {
        await fetchBlob({ key: blob.key, size, sha256 }, file, () => undefined)
        if ((await sumOf(file)) !== sha256) throw new Error('the backup differs from what Innkeeper wrote: try again')
        await chown(file, uid, gid)
        c.fence()
        const words = ['backup', '--json', '--host', 'innkeeper', '--tag', `own-${run}`, '--stdin-filename', name]
        const said = await patiently(c.input, [...words, '--stdin-from-command', '--', 'gzip', '-dc', file], c.say)
        const summary = messageOf(said, 'summary')
        const snapshot = summary?.snapshot_id
        if (said.code !== 0 || typeof snapshot !== 'string') throw new Error(whyOf(said))
        const added = numberIn(summary, 'data_added_packed') || numberIn(summary, 'data_added')
        c.say(
          `${numberIn(summary, 'total_bytes_processed')} bytes, ${added} of them new: snapshot ${snapshot.slice(0, 8)}`,
        )
        return { snapshot, bytes: numberIn(summary, 'total_bytes_processed'), added }
      } finally {
        await rm(file, { force: true })
      }
    }),
  undo: async ({ say }) => say('a snapshot stays until it is forgotten'),
  inspect: async ({ task }) => (task === 'undo' ? 'yes' : 'no'),
}

export const fetchOwnBackup: Driver<'own-backup.fetch'> = {
  run: (c) =>
    exclusive('own-backup', async () => {
      const { snapshot, sent } = c.input
      const { file } = await placeOf(c.input)
      try {
        const gzip = createGzip({ level: 1 })
        const written = pipeline(gzip, createWriteStream(file, { mode: 0o600 }))
        const words = ['dump', '--retry-lock', '30m', snapshot, `/${name}`]
        const all = await Promise.allSettled([must(await local(c.input), words, { to: gzip }), written])
        for (const one of all) if (one.status === 'rejected') throw one.reason
        c.fence()
        const [{ size }, sha256] = [await stat(file), await sumOf(file)]
        await sendBlob({ key: sent.key, size, sha256 }, file, () => undefined)
        c.say(`${size} bytes are with Innkeeper`)
        return { size, sha256 }
      } finally {
        await rm(file, { force: true })
      }
    }),
  undo: async () => undefined,
  inspect: async () => 'no',
}
