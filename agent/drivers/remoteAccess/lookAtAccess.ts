import { X509Certificate } from 'node:crypto'
import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { databaseEngine } from '@innkeeper/contract/kit/values'
import type { Driver } from '../../kit/driver.ts'
import { run } from '../../kit/host.ts'
import { addressesOf, readDoors } from './doors.ts'
import { isWithin, letIn, sameSpans, spansOf } from './doorTable.ts'
import { engines } from './engines.ts'

export const usual: Record<DatabaseEngine, number> = { mariadb: 3306, postgresql: 5432 }

/** Answers which account can reach which engine from which address, from the present state of firewall and engines. */
export const lookAtAccess: Driver<'remote-access.look'> = {
  async run() {
    const [doors, let_, listening] = await Promise.all([readDoors(), letIn(), listeningPorts()])
    const found = await Promise.all(
      databaseEngine.options.map(async (engine) => {
        if (!doors.some((one) => one.engine === engine))
          return { engine, port: usual[engine], listens: listening(usual[engine]), fingerprint: null }
        const port = await engines[engine].port()
        const certificate = await engines[engine].certificate()
        const fingerprint = certificate ? new X509Certificate(certificate).fingerprint256 : null
        return { engine, port, listens: listening(port), fingerprint }
      }),
    )
    return {
      engines: found.map((one) => ({
        ...one,
        /** Whether the firewall of this port lets in exactly the doors. */
        guarded: let_ !== undefined && sameSpans(let_[one.engine], spansOf(addressesOf(doors, one.engine))),
      })),
      doors: await Promise.all(
        doors.map(async (door) => ({
          ...door,
          open: isWithin(let_?.[door.engine] ?? [], door.address) && (await engines[door.engine].admits(door)),
        })),
      ),
    }
  },
  undo: async () => undefined,
  inspect: async () => 'no', // read-only, so a repeat is harmless
}
/** Whether something listens on a port, on the network or on this machine alone. */
export async function listeningPorts(): Promise<(port: number) => 'network' | 'loopback' | 'nowhere'> {
  const { stdout } = await run(['ss', '-H', '-l', '-t', '-n'])
  const places = stdout.split('\n').flatMap((line) => /\s(\S+):(\d+)\s/.exec(line)?.slice(1, 3) ?? [])
  const pairs = Array.from(
    { length: places.length / 2 },
    (_, i) => [places[2 * i] ?? '', places[2 * i + 1] ?? ''] as const,
  )
  return (port) => {
    const at = pairs.filter(([, one]) => one === `${port}`).map(([address]) => address)
    if (!at.length) return 'nowhere'
    return at.every((address) => address.startsWith('127.') || address === '[::1]') ? 'loopback' : 'network'
  }
}
