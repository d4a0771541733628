import type { DatabaseEngine } from '@innkeeper/contract/kit/values'
import { ensureDirectory, places, read, replace } from '../../kit/host.ts'

/** An address or network from which one account of a database engine may connect. */
export interface Door {
  engine: DatabaseEngine
  user: string
  address: string
}

export const folder = `${places.state}/remote-access`
const file = `${folder}/doors.json`

/** The doors of this machine. The firewall and the engines follow this list. */
export async function readDoors(): Promise<Door[]> {
  const text = await read(file)
  return text === undefined ? [] : (JSON.parse(text) as Door[]) // the format of `writeDoors`
}

export async function writeDoors(doors: readonly Door[]): Promise<void> {
  await ensureDirectory(folder, { mode: 0o700 })
  await replace(file, JSON.stringify(doors.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))), { mode: 0o600 })
}

export const keyOf = ({ engine, user, address }: Door) => `${engine} ${user} ${address}`
export const addressesOf = (doors: readonly Door[], engine: DatabaseEngine): string[] => [
  ...new Set(doors.flatMap((one) => (one.engine === engine ? one.address : []))),
]
