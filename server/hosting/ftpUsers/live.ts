import { type ftpUsers as contract, FtpSession, FtpTransfer } from '@innkeeper/contract/hosting/ftpUsers'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { readFtpUser } from './view.ts'

const Sessions = z.object({ sessions: z.array(FtpSession) })
const Ended = z.object({ ended: z.boolean() })
const Transfers = z.object({ transfers: z.array(FtpTransfer.extend({ at: z.number() })) })
const MOST = 200

export const liveHandlers: Pick<Handlers<typeof contract>, 'sessions' | 'endSession' | 'transfers'> = {
  async sessions({ id }, { app }) {
    const { serverId, username } = await readFtpUser(app.db, id)
    const { sessions } = Sessions.parse(await liveRead(app, serverId, 'ftp.sessions', { name: username }))
    return { items: sessions, total: sessions.length, at: new Date().toISOString() }
  },

  async endSession({ id, session }, { app, audit }) {
    const { serverId, username } = await readFtpUser(app.db, id)
    audit.of('ftp-user', id)
    audit.after({ username, endedSession: session })
    const { ended } = Ended.parse(await liveRead(app, serverId, 'ftp-session.end', { name: username, session }))
    if (!ended) throw notFound('session', session)
  },

  async transfers({ id }, { app }) {
    const { serverId, username, homeDir } = await readFtpUser(app.db, id)
    const answer = await liveRead(app, serverId, 'ftp.transfers', { name: username, limit: MOST })
    const items = Transfers.parse(answer).transfers.map(({ at, file, ...transfer }) => ({
      ...transfer,
      at: new Date(at * 1000).toISOString(),
      file: file.startsWith(`${homeDir}/`) ? file.slice(homeDir.length + 1) : file,
    }))
    return { items, total: items.length, at: new Date().toISOString() }
  },
}
