import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import type { Context, Driver } from './driver.ts'
import { ensureDirectory, type Owner, read, remove, replace } from './files/files.ts'
import { notes } from './files/notes.ts'
import { until } from './patience/until.ts'
import { comesBack } from './programs/comesBack.ts'
import { exclusive } from './programs/exclusive.ts'
import { must } from './programs/run.ts'
import { lastWords, service } from './programs/service.ts'

interface BaseFile {
  text: string
  mode?: number
  owner?: Owner
}

/** The base configuration of a service, before any customer data. */
export interface Base {
  /** The service's name for display. */
  title: string
  /** `unit` is enabled and restarted; `process` is the unit whose state counts, if it differs. */
  unit: string
  process?: string
  /** Where `process` writes its process id, if its unit does not say so. */
  pidFile?: string
  /** What other operations change in the files of `prepare`; they hold this lock too. */
  shares?: string
  /** The path of the program; exists if the package is installed. */
  program: string
  /** The configuration files, which Innkeeper writes completely. */
  files: Record<string, BaseFile>
  /** Prepares the start of the service. Returns true after a change that requires a restart. */
  prepare?(): Promise<boolean>
  /**
   * Makes the running service read its files without ending what it does. Answers false where only a restart does.
   * `before` has the former text of each file.
   */
  take?(before: ReadonlyMap<string, string | undefined>): Promise<boolean>
  /** The service's own check of its configuration files. */
  judge?: readonly [string, ...string[]]
  /** Settings that the running service stores itself. */
  settle?(): Promise<void>
  /** Queries the service as a client. Returns the service's answer; throws when the answer is wrong. */
  probe(): Promise<string>
}
const kind = 'service-base'

/**
 * A driver that applies a base configuration: writes the files, runs the service's checker, has the service read a
 * change or restarts it, and probes it. A running service whose files are equal is only probed, whatever became of
 * earlier attempts. Any failure restores the previous files.
 */
export function ensureBase<N extends OperationName>(of: (input: OperationInput<N>) => Base | Promise<Base>): Driver<N> {
  return {
    run: async (c) => {
      const base = await of(c.input)
      const alone = () => exclusive(base.unit, () => converge(c, base))
      return base.shares ? exclusive(base.shares, alone) : alone()
    },
    async undo({ input, say }) {
      say(`${(await of(input)).title} stays, because others may need it by now`)
    },
    async inspect({ input, task }) {
      if (task === 'undo') return 'yes'
      const base = await of(input)
      if (await notes.find(kind, base.unit)) return 'no'
      for (const [file, { text }] of Object.entries(base.files)) if ((await read(file)) !== text) return 'no'
      return base.probe().then(
        () => 'yes',
        () => 'no', // the probe failed
      )
    },
  }
}

async function converge({ actionId, say, fence }: Context<OperationName>, base: Base): Promise<{ answer: string }> {
  const { title, unit, files } = base
  if (!existsSync(base.program)) throw new Error(`${title} is not installed: its packages come first`)
  const running = () => service(base.process ?? unit).state()
  // The note stands while the files may be newer than the running service: from the first write until the restart.
  const unread = (await notes.find(kind, unit)) !== undefined
  let changed = unread
  const good = new Map<string, string | undefined>()
  for (const file of Object.keys(files)) good.set(file, await read(file))
  fence()
  await notes.keep(kind, unit, actionId)
  let touched = false
  const restart = async () => {
    touched = true
    await service(unit).restart()
    await notes.drop(kind, unit)
  }
  try {
    if (await base.prepare?.()) changed = true
    for (const [file, { text, ...how }] of Object.entries(files)) {
      await ensureDirectory(dirname(file))
      if (await replace(file, text, how)) changed = true
    }
    if (base.judge) await must(base.judge)
    await service(unit).enable()
    await comesBack(base.process ?? unit, { pidFile: base.pidFile })
    fence()
    const isActive = (await running()) === 'active'
    // after an attempt that ended halfway nobody knows what the service has read
    if (changed && isActive && !unread && (await base.take?.(good))) {
      touched = true
      await notes.drop(kind, unit)
    } else if (changed || !isActive) await restart()
    else await notes.drop(kind, unit)
    await base.settle?.()
    const answer = await answered(base)
    say(changed ? `${title} has its base: ${answer}` : `${title} is as it should be: ${answer}`)
    return { answer }
  } catch (error) {
    for (const [file, text] of good)
      if (text === undefined) await remove(file)
      else await replace(file, text, files[file] && { mode: files[file].mode, owner: files[file].owner })
    // without a restart the service still runs its old configuration; a restart now could fail on an unrelated file
    if (!touched) {
      if (!unread) await notes.drop(kind, unit)
      throw error
    }
    await restart().then(
      () => say(`restored the last working configuration of ${title}`),
      (again: Error) => say(`restored the last working configuration of ${title}; it does not start: ${again.message}`),
    )
    throw error
  }
}

/** Probes the service for as long as it starts or works. */
async function answered({ title, unit, process = unit, probe }: Base): Promise<string> {
  const starting = async () => (await service(process).state()) === 'activating'
  try {
    return await until({ what: `${title} answers`, unit: process, starting, look: probe })
  } catch (error) {
    const last = error instanceof Error ? error.message : String(error)
    throw new Error(
      `${title} was started and does not answer as it should: ${last}\n${await lastWords(process, '')}`.trim(),
    )
  }
}
