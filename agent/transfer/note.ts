import { readdir } from 'node:fs/promises'
import type { OperationInput } from '@innkeeper/contract/agent/operations'
import type { Chosen } from '../drivers/adopt/pack.ts'
import { absent, ensureDirectory, places, read, remove, replace } from '../kit/host.ts'

/**
 * A transfer that this server has opened; `until` in ms since the epoch. Only root can read the file, which contains
 * the key.
 */
export interface Opened
  extends Pick<OperationInput<'transfer.open'>, 'transfer' | 'token' | 'folders' | 'files' | 'mail'> {
  /** Parts of an account of an adopted machine, which are packed while they are read. */
  chosen?: Chosen
  port: number
  until: number
}
const folder = `${places.state}/transfers`
const fileOf = (transfer: string) => `${folder}/${transfer}.json`

/** Survives the agent: after its restart, a transfer continues on the same port. */
export const opened = {
  async find(transfer: string): Promise<Opened | undefined> {
    const text = await read(fileOf(transfer))
    return text === undefined ? undefined : (JSON.parse(text) as Opened) // the format of `keep`
  },
  async keep(one: Opened): Promise<void> {
    await ensureDirectory(folder, { mode: 0o700 })
    await replace(fileOf(one.transfer), JSON.stringify(one), { mode: 0o600 })
  },
  drop: (transfer: string) => remove(fileOf(transfer)),
  async all(): Promise<Opened[]> {
    const names = (await readdir(folder).catch(absent)) ?? []
    const found = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => opened.find(name.slice(0, -5))),
    )
    return found.filter((one) => one !== undefined)
  },
}
