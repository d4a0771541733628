import type { FileHandle } from 'node:fs/promises'
import type { Driver } from '../../kit/driver.ts'
import { notes, openFolder } from '../../kit/host.ts'
import { accountOf, siteAccount } from '../accounts/systemAccounts.ts'
import { folderOf, nameOf } from './documentRoot.ts'

const kind = 'document-root-closed'
const CLOSED = 0o700
const OPEN = 0o755

/** Closes the folder of a website to its account, or opens it again. The content keeps its owner and modes. */
export const closeDocumentRoot: Driver<'document-root.close'> = {
  async run({ input, actionId, say, fence }) {
    const folder = folderOf(input)
    const { uid, gid } = await siteAccount(input.username)
    await withFolder(folder, async (handle) => {
      if (!handle) return say(`${folder} does not exist: nothing to ${input.state === 'open' ? 'open' : 'close'}`)
      const { uid: owner, mode: present } = await handle.stat()
      const wasClosed = await isClosed(handle)
      const closes = input.state === 'closed'
      if (!wasClosed && owner !== uid) return say(`${folder} does not belong to ${input.username}: it stays as it is`)
      const note = await notes.find(kind, nameOf(folder))
      const mode = wasClosed ? (note?.about.mode ?? `${OPEN}`) : `${present & 0o777}`
      if (note?.by !== actionId) await notes.keep(kind, nameOf(folder), actionId, { mode, closed: `${wasClosed}` })
      fence()
      if (closes) await set(handle, { uid: 0, gid: 0, mode: CLOSED })
      else if (wasClosed) await set(handle, { uid, gid, mode: Number(mode) })
      say(closes ? `Only root may enter ${folder}` : `${input.username} may write to ${folder}`)
    })
  },
  async undo({ input, actionId, say, fence }) {
    const folder = folderOf(input)
    const note = await notes.find(kind, nameOf(folder))
    if (note?.by !== actionId) return say(`${folder} was not changed by this action: it stays as it is`)
    const account = await accountOf(input.username)
    fence()
    await withFolder(folder, async (handle) => {
      if (!handle || !account) return
      const { closed, mode } = note.about
      await set(handle, closed === 'true' ? { uid: 0, gid: 0, mode: CLOSED } : { ...account, mode: Number(mode) })
    })
    // the mode of the folder before it was closed
    if (note.about.closed === 'true') await notes.keep(kind, nameOf(folder), 0, { ...note.about, closed: 'false' })
    else await notes.drop(kind, nameOf(folder))
  },
  async inspect({ input, task, actionId }) {
    const folder = folderOf(input)
    if (task === 'undo') return (await notes.find(kind, nameOf(folder)))?.by === actionId ? 'no' : 'yes'
    return withFolder(folder, async (handle) =>
      !handle || (await isClosed(handle)) === (input.state === 'closed') ? 'yes' : 'no',
    )
  },
}

/** Runs `what` with the opened folder of a website, or with undefined if there is none. */
async function withFolder<T>(folder: string, what: (handle: FileHandle | undefined) => Promise<T>): Promise<T> {
  const handle = await openFolder(folder)
  try {
    return await what(handle)
  } finally {
    await handle?.close()
  }
}

async function isClosed(handle: FileHandle): Promise<boolean> {
  const { uid, mode } = await handle.stat()
  return uid === 0 && (mode & 0o777) === CLOSED
}

async function set(handle: FileHandle, { uid, gid, mode }: { uid: number; gid: number; mode: number }): Promise<void> {
  // closed before the owner changes, so that no moment has a wider access than both states
  await handle.chmod(mode & CLOSED)
  await handle.chown(uid, gid)
  await handle.chmod(mode)
}
