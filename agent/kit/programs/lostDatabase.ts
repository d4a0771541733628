import { until } from '../patience/until.ts'
import { run } from './run.ts'

/** What clients say when the database server of this machine ended under them, or is starting again. */
const says = {
  mariadb:
    /\b20(?:02|06|13)\b.{0,60}(?:connect|server)|Lost connection to (?:server|MySQL)|server has gone away|Can't connect to local/i,
  'postgresql@*':
    /server closed the connection unexpectedly|database system is (?:starting up|shutting down|in recovery mode)|terminating connection because of crash/i,
} as const
/** Bytes of a reason that are searched. */
const SEARCHED = 8000

/**
 * Whether an operation failed because the database server ended, as when the kernel kills it for memory, and the server is back.
 * Waits while the server starts. What the operation did is then as unknown as after the end of an agent. A server that people stopped,
 * or that does not come back, is no reason to try again.
 */
export async function cameBack(reason: string): Promise<boolean> {
  const text = reason.slice(0, SEARCHED)
  const found = Object.entries(says).find(([, words]) => words.test(text))
  if (!found) return false
  const [unit] = found
  const states = async () => {
    const listed = await run(['systemctl', 'list-units', '--all', '--plain', '--no-legend', `${unit}.service`])
    return listed.stdout.split('\n').flatMap((line) => line.trim().split(/\s+/)[2] ?? [])
  }
  return until({
    what: `${unit.replace('@*', '')} is back`,
    starting: async () => (await states()).includes('activating'),
    async look() {
      const now = await states()
      if (!now.length || now.some((state) => state !== 'active')) throw new Error(`${unit} is ${now.join(', ')}`)
      return true
    },
  }).catch(() => false)
}
