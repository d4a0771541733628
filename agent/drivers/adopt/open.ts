import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Driver } from '../../kit/driver.ts'
import { ensureDirectory, places, putInPlace, remove } from '../../kit/host.ts'
import { opened } from '../../transfer/note.ts'
import { closeTransfer, openTransfer } from '../../transfer/source.ts'
import { open } from '../../transfer/wire.ts'
import { uploadedFile } from '../archives/kept.ts'
import { inRoomForArchive } from '../archives/room.ts'
import { chosenOf } from './pack.ts'

const LOOK_BYTES = 256 * 1_048_576
const SAY_BYTES = 512 * 1_048_576

/** Opens the chosen parts of an account for another server. */
export const openMachine: Driver<'machine.open'> = {
  async run({ input: { transfer, token, minutes, ...chosen }, say, fence }) {
    await chosenOf(chosen) // refuses names that are not here
    const before = await opened.find(transfer)
    fence()
    const until = Date.now() + minutes * 60_000
    const port = await openTransfer({ transfer, token, folders: [], files: [], chosen, port: before?.port ?? 0, until })
    say(`open on port ${port} for ${minutes} minutes`)
    return { port }
  },
  async undo({ input: { transfer }, say }) {
    say((await closeTransfer(transfer)) ? `${transfer} is closed` : `${transfer} was closed already`)
  },
  inspect: async ({ input: { transfer }, task }) => (task === 'undo' && !(await opened.find(transfer)) ? 'yes' : 'no'),
}

/** Fetches what another server packs while it sends. The look notices an archive that breaks off by its last member. */
export const pullArchive: Driver<'archive.pull'> = {
  async run({ input, say, fence }) {
    const path = uploadedFile(input.importId)
    const aside = `${path}.part`
    await ensureDirectory(places.imports, { mode: 0o700 })
    await rm(aside, { force: true })
    fence()
    const socket = await open(input, { pack: true })
    let [bytes, looked, said] = [0, 0, 0]
    const counting = new Transform({
      transform(part: Buffer, _, done) {
        bytes += part.length
        if (bytes - said >= SAY_BYTES) {
          said = bytes
          say(`${bytes} bytes so far`)
        }
        if (bytes - looked < LOOK_BYTES) return done(null, part)
        looked = bytes
        inRoomForArchive(places.imports, 0, 'the rest of the websites').then(() => done(null, part), done)
      },
    })
    await pipeline(socket, counting, createWriteStream(aside, { flags: 'wx', mode: 0o600, flush: true }))
    if (!bytes) throw new Error('the other server sent nothing: its agent says why in its log')
    await putInPlace(aside, path)
    say(`${bytes} bytes are on the server`)
    return { size: bytes }
  },
  async undo({ input: { importId }, say }) {
    await rm(`${uploadedFile(importId)}.part`, { force: true })
    say((await remove(uploadedFile(importId))) ? 'the archive is deleted' : 'the archive was gone already')
  },
  inspect: async () => 'no', // a repeat begins again
}
