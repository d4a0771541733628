import { basename } from 'node:path'
import { isFull } from '../files/fullDisk.ts'
import { patience, saysStill } from './patience.ts'
import { type Work, workOfNamed, workOfProgram } from './processes.ts'
import { speaker } from './speaker.ts'

/** Programs that only ask a service, whose work counts as their own. */
const services: Record<string, string> = {
  ...{ mariadb: 'mariadbd', 'mariadb-dump': 'mariadbd' },
  ...{ psql: 'postgres', pg_dump: 'postgres', pg_restore: 'postgres' },
  ...{ 'redis-cli': 'redis-server', rspamadm: 'rspamd', doveadm: 'dovecot' },
}

/** Services that wait for ever for room on a full disk, instead of answering an error, and where they write. */
const waitForRoom: Record<string, string> = { mariadbd: '/var/lib/mysql' }

export interface Watched {
  argv: readonly [string, ...string[]]
  pid: number | undefined
  /** The program may be still for longer: it talks to other machines, or must not be ended halfway. */
  long?: boolean | undefined
  /** Somebody else works for the program. */
  works?: (() => Promise<boolean>) | undefined
  /** Only a limit that people gave, such as the seconds of a query. */
  withinMs?: number | undefined
}

/**
 * Looks at a running program until `end`, and calls `give` with the reason when the program has been still for too long.
 * Output, time on a processor, reading and writing all count as work; so does waiting for a processor or for a disk, which
 * is how a program is on a busy machine.
 */
export function watch(watched: Watched, give: (reason: string) => void): { heard(): void; end(): void } {
  const { argv, pid, long, works, withinMs } = watched
  const [program] = argv
  const asked = argv.map((word) => services[basename(word)]).find(Boolean)
  const stillMs = long ? patience.longMs : patience.stillMs
  const ends = withinMs ?? (speaker()?.isRead ? patience.readMs : undefined)
  const late =
    ends === undefined
      ? undefined
      : setTimeout(() => give(`${program} took longer than ${ends / 1000} s and was ended`), ends)
  const room = asked && waitForRoom[asked]
  let [still, full] = [0, 0]
  let [before, ownBefore] = ['', '']
  let ended = false
  const quiet = saysStill(() => `${program} works`)
  const look = async () => {
    const [own, other] = await Promise.all([pid ? workOfProgram(pid) : none, asked ? workOfNamed(asked) : none])
    const now = `${tokenOf(own)} ${tokenOf(other)}`
    const moves = now !== before || own.busy || other.busy || (await works?.())
    // others may keep the service busy meanwhile
    const waits = room !== undefined && tokenOf(own) === ownBefore && !own.busy && (await isFull(room))
    if (ended) return
    full = waits ? full + patience.lookMs : 0
    if (full >= patience.fullMs) return give(`disk full: ${program} waits until ${room} has room`)
    before = now
    ownBefore = tokenOf(own)
    still = moves ? 0 : still + patience.lookMs
    if (still >= stillMs) return give(`${program} has done nothing for ${stillMs / 1000} s and was ended`)
    timer = later(patience.lookMs)
  }
  const later = (ms: number) =>
    setTimeout(() => {
      look().catch((error: unknown) => give(`nobody can tell whether ${program} works: ${String(error)}`))
    }, ms)
  let timer = later(patience.firstMs)
  return {
    heard() {
      still = 0
    },
    end() {
      ended = true
      clearTimeout(timer)
      clearTimeout(late)
      quiet()
    },
  }
}

const none: Work = { count: 0, busy: false, ticks: 0, bytes: 0 }
const tokenOf = ({ count, ticks, bytes }: Work) => `${count} ${ticks} ${bytes}`
