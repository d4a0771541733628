import type { Driver } from '../../kit/driver.ts'
import { absent, must } from '../../kit/host.ts'
import { readClients } from './ftpClients.ts'

export interface Session {
  session: number
  name: string
  seconds: number
  state: 'idle' | 'download' | 'upload' | 'unknown'
  file: string
  address: string
  bytes: number
}

/**
 * The open sessions of all logins, as pure-ftpd's scoreboard has them; none where it is not installed, as on the former
 * server of a website that got its first FTP user after a move.
 */
export async function sessions(): Promise<Session[]> {
  const clientAt = await readClients()
  return ((await must(['pure-ftpwho', '-s', '-n']).catch(absent)) ?? '').split('\n').flatMap((line) => {
    const [pid, name = '', seconds, state = '', file = '', address = '', , , bytes] = line.split(/(?<!\\)\|/)
    return Number(pid)
      ? [
          {
            session: Number(pid),
            name,
            seconds: Number(seconds),
            state: stateOf(state.trim()),
            file,
            address: clientAt(address),
            bytes: Number(bytes) * 1024,
          },
        ]
      : []
  })
}

function stateOf(said: string): Session['state'] {
  if (said.startsWith('DL')) return 'download'
  if (said.startsWith('UL')) return 'upload'
  return said.startsWith('IDLE') ? 'idle' : 'unknown'
}

/** Ends sessions of a login. Returns how many. */
export async function endSessions(name: string, which: (one: Session) => boolean = () => true): Promise<number> {
  const going = (await sessions()).filter((one) => one.name === name && which(one))
  for (const { session } of going)
    try {
      process.kill(session, 'SIGKILL')
    } catch {
      // the session ended by itself
    }
  return going.length
}

export const readSessions: Driver<'ftp.sessions'> = {
  run: async ({ input: { name } }) => ({
    sessions: (await sessions()).flatMap(({ name: of, ...one }) => (of === name ? [one] : [])),
  }),
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}

export const endSession: Driver<'ftp-session.end'> = {
  run: async ({ input: { name, session }, fence }) => {
    fence()
    return { ended: (await endSessions(name, (one) => one.session === session)) > 0 }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // a second end finds no session
}
