import { createReadStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { must as command } from '../../kit/host.ts'
import { home, local, messageOf, numberIn, ownerAccount, whyOf } from './ask.ts'
import { patiently } from './locks.ts'
import { inRoom } from './room.ts'

/** restic runs as root for a bucket: no account of this server owns its repositories. */
const root = { uid: 0, gid: 0 }
const ENDS = ['-- Dump completed', '-- PostgreSQL database dump complete']

/** Restores every snapshot of a backup into a scratch folder, compares it with the repository, and deletes it again. */
export const runDrill: Driver<'backup-drill.run'> = {
  async run({ input, actionId, say, fence }) {
    const scratch = scratchOf(actionId)
    const { uid, gid } = input.s3 ? root : await ownerAccount()
    fence()
    await rm(scratch, { recursive: true, force: true })
    try {
      let [files, bytes] = [0, 0]
      for (const [i, part] of input.parts.entries()) {
        const target = `${scratch}/${i}`
        await mkdir(target, { recursive: true, mode: 0o700 })
        await command(['chown', '-R', `${uid}:${gid}`, scratch])
        const words = ['restore', '--json', '--sparse', '--verify', '--target', target, part.snapshot]
        const room = { bytes: part.bytes, what: 'a drill', snapshot: part.snapshot, reached: await local(input) }
        const said = await inRoom(home, room, (stop) => patiently(input, words, say, { stop }))
        // without root, restic reports a chown error for each file; every other error counts
        const wrong = said.messages.filter(
          (one) => one.message_type === 'error' && !/lchown|chown|operation not permitted/i.test(JSON.stringify(one)),
        )
        const summary = messageOf(said, 'summary')
        if (!summary || wrong.length)
          throw new Error(
            wrong.length ? `restic cannot restore: ${JSON.stringify(wrong[0]).slice(0, 600)}` : whyOf(said),
          )
        const [found, size] = await counted(target)
        if (found !== part.files) throw new Error(`${found} files came back, and ${part.files} were backed up`)
        if (size !== part.bytes) throw new Error(`${size} bytes came back, and ${part.bytes} were backed up`)
        if (part.dump) await whole(`${target}/${part.dump}.sql`, part.dump)
        files += numberIn(summary, 'files_restored')
        bytes += size
        await rm(target, { recursive: true, force: true })
      }
      say(`${input.parts.length} snapshots came back: ${files} files, ${bytes} bytes, each as it was stored`)
      return { files, bytes }
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  },
  async undo({ actionId, say }) {
    await rm(scratchOf(actionId), { recursive: true, force: true }) // left by an agent that was killed
    say('a drill leaves nothing')
  },
  inspect: async () => 'no',
}

const scratchOf = (actionId: number) => `${home}/.drill-${actionId}`

async function counted(folder: string): Promise<[files: number, bytes: number]> {
  const { stdout } = {
    stdout: await command(['find', folder, '-type', 'f', '-printf', '%s\\n']),
  }
  const sizes = stdout.split('\n').filter(Boolean).map(Number)
  return [sizes.length, sizes.reduce((sum, size) => sum + size, 0)]
}

/** A dump is whole if it ends as mariadb-dump or pg_dump ends it. */
async function whole(file: string, name: string): Promise<void> {
  let tail = ''
  for await (const part of createReadStream(file)) tail = (tail + String(part)).slice(-200)
  if (!ENDS.some((end) => tail.includes(end)))
    throw new Error(`the dump of ${name} is incomplete: its last line is missing`)
}
