import { randomBytes } from 'node:crypto'
import type { Written } from '@innkeeper/contract/kit/transfer'
import { TreeEntry } from '@innkeeper/contract/recovery/backups/shapes'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import type { App } from '../../../kit/app/app.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { note } from '../record.ts'
import { type Access, localOf } from '../repositories/access.ts'
import type { storedBackup } from '../runs/view.ts'

const Piece = z.object({ data: z.string(), end: z.boolean() })
const Found = z.object({ self: TreeEntry.pick({ name: true, type: true }).nullable() })
/** Pieces that are asked for before the reader has taken the earlier ones. The agent keeps the last eight. */
const AHEAD = 4

interface Wanted {
  backup: Awaited<ReturnType<typeof storedBackup>>
  snapshot: string
  access: Access
  path: string
  archive: 'tar' | 'zip'
}

/**
 * Sends a file of a backup unchanged, or a folder as an archive. restic runs on the backup server at the reader's pace,
 * so that neither machine buffers more than a few pieces. The log of backups records who downloads which path.
 */
export async function downloadOf(app: App, wanted: Wanted, by: string): Promise<Written> {
  const { backup, snapshot, access, archive } = wanted
  const path = wanted.path.length > 1 ? wanted.path.replace(/\/$/, '') : '/'
  const on = access.backupServer.serverId
  const entry = path === '/' ? undefined : await entryAt(app, on, { ...localOf(access), snapshot }, path)
  if (entry && entry.type !== 'file' && entry.type !== 'dir')
    throw refused(`${path} is neither a file nor a folder`, { path: 'Is neither a file nor a folder' })
  const session = `download-${randomBytes(12).toString('hex')}`
  const ask = async (piece: number) =>
    Piece.parse(
      await liveRead(
        ...([app, on, 'backup-archive.read'] as const),
        ...([{ ...localOf(access), session, snapshot, path, archive, piece }] as const),
      ),
    )
  // read the first piece before the answer begins: an unreadable repository gives an error with its reason, not half a
  // file
  const first = await ask(0)
  await note(app.db, 'info', `${by} downloads ${path} of the backup of ${backup.domain}`, {
    ...{ repositoryId: backup.repositoryId, websiteId: backup.websiteId },
  })
  const isFile = entry?.type === 'file'
  const day = (backup.startedAt ?? backup.createdAt).slice(0, 10)
  return {
    name: isFile ? entry.name : `${[backup.domain, entry?.name, day].filter(Boolean).join('-')}.${archive}`,
    type: isFile ? 'application/octet-stream' : archive === 'zip' ? 'application/zip' : 'application/x-tar',
    parts: piecesOf(first, ask, () => liveRead(app, on, 'backup-archive.end', { session })),
  }
}

async function* piecesOf(
  first: z.output<typeof Piece>,
  ask: (n: number) => Promise<z.output<typeof Piece>>,
  end: () => Promise<unknown>,
) {
  let whole = false
  try {
    const coming: ReturnType<typeof ask>[] = [Promise.resolve(first)]
    for (let n = 1; ; ) {
      for (; !first.end && coming.length < AHEAD; n++) {
        const asked = ask(n)
        asked.catch(() => undefined) // thrown below, when its turn comes
        coming.push(asked)
      }
      const now = await coming.shift()
      if (!now) throw new Error('no piece was asked for')
      yield Buffer.from(now.data, 'base64')
      whole = now.end
      if (whole) return
    }
  } finally {
    // also after the last piece, because an agent has few sessions. After a disconnection this ends restic; if the server
    // does not answer now, restic ends by itself after a minute
    const ended = end().catch(() => undefined)
    if (!whole) await ended
  }
}

async function entryAt(app: App, on: number, where: ReturnType<typeof localOf> & { snapshot: string }, path: string) {
  const { self } = Found.parse(await liveRead(app, on, 'backup-tree.list', { ...where, path }))
  if (!self) throw notFound('file of this backup', path)
  return self
}
