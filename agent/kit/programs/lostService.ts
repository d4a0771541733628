import { until } from '../patience/until.ts'
import { run } from './run.ts'
import { hasSystemd } from './service.ts'

/** Services of managed servers that start again when something has killed them. MariaDB and PostgreSQL: `lostDatabase.ts`. */
const units = [
  ...['nginx', 'apache2', 'php*-fpm', 'innkeeper-php*@*', 'postfix@-', 'dovecot', 'rspamd', 'pdns'],
  ...['innkeeper-ftp', 'innkeeper-ftps', 'innkeeper-redis@*', 'innkeeper-rest-server'],
].map((name) => `${name}.service`)
const asked = ['Id', 'ActiveState', 'SubState', 'NRestarts', 'ActiveEnterTimestampMonotonic'] as const

/** The clock of systemd, in microseconds. */
export const unitClock = (): number => Number(process.hrtime.bigint() / 1000n)

/**
 * The service that something killed since then, as the kernel does when memory is full. Waits until it is back: what an operation
 * did meanwhile is as unknown as after the end of an agent.
 */
export async function killedSince(since: number): Promise<string | undefined> {
  if (!hasSystemd()) return undefined
  const killed = (await states(units)).filter((one) => isKilled(one, since))
  for (const { Id } of killed)
    await until({
      what: `${Id} is back`,
      async look() {
        const [now] = await states([Id])
        if (now?.ActiveState !== 'active') throw new Error(`${Id} is ${now?.ActiveState}`)
      },
    }).catch(() => undefined) // whoever tries again says what it meets
  return killed[0]?.Id
}

type State = Partial<Record<(typeof asked)[number], string>> & { Id: string }

async function states(names: readonly string[]): Promise<State[]> {
  const { stdout } = await run(['systemctl', 'show', `--property=${asked.join(',')}`, ...names])
  return readStates(stdout)
}

/** What systemctl shows of several units: lines of `Property=value`, and an empty line between units. */
export function readStates(said: string): State[] {
  return said.split(/\n{2,}/).flatMap((block) => {
    const all = Object.fromEntries(block.split('\n').map((line) => line.split(/=(.*)/s, 2)))
    return typeof all.Id === 'string' ? [all as State] : []
  })
}

/** Whether systemd starts the unit again, or has done so since then. */
export function isKilled(state: State, since: number): boolean {
  if (state.SubState === 'auto-restart') return true
  return (
    Number(state.NRestarts) > 0 &&
    (state.ActiveState === 'activating' || Number(state.ActiveEnterTimestampMonotonic) >= since)
  )
}
