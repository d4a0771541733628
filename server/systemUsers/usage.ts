import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../kit/app.ts'
import { liveRead } from '../kit/liveRead.ts'
import { systemUsers } from './tables.ts'
import { readSystemUser } from './view.ts'

const Use = z.object({ diskMb: z.int(), files: z.int(), memoryMb: z.int().nullable(), tasks: z.int().nullable() })

/** What an account uses, asked of its server now; the list keeps the disk's figure. 503 when the server is away. */
export async function readUsage(app: App, id: number) {
  const { serverId, username } = await readSystemUser(app.db, id)
  const use = Use.parse(await liveRead(app, serverId, 'system-user.usage', { username }))
  const at = new Date().toISOString()
  await app.db.update(systemUsers).set({ diskUsedMb: use.diskMb, diskSeenAt: at }).where(eq(systemUsers.id, id))
  return { ...use, at }
}
