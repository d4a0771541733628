import { basename, dirname } from 'node:path'
import type { Context } from '../../kit/driver.ts'
import { exclusive, noteWrite, probe, putInPlace, read, remove, replace, service, until } from '../../kit/host.ts'
import { generationFile } from './webPaths.ts'

/** Files and their content; undefined removes the file. */
export type Changes = Record<string, string | undefined>

/** The loopback port on which the running web server shows its generation, the number of its configuration. */
export const generationPort = 4479

export type Voice = Pick<Context<'nginx.ensure'>, 'say' | 'fence'>

/** The effective configuration: which files claim which name. */
export interface Dump {
  names: Map<string, string[]>
}

/** The operations that differ between the web servers. */
export interface Engine {
  title: string
  unit: string
  folder: string
  /** The configuration that answers this number on `generationPort`. */
  generationText(generation: number): string
  /** Matches the number in that text. */
  generationIn: RegExp
  /** Runs the server's own check of the whole configuration; throws its message. `ours`: the files of this change. */
  test(ours: readonly string[]): Promise<Dump>
  /** Records the present processes. The returned function tells whether one of them still accepts connections. */
  listening(): Promise<() => Promise<boolean>>
  /** Prepares the machine before a start or reload. */
  makeRoom?(): Promise<void>
}

export interface WebConfig {
  apply(
    voice: Voice,
    changes: Changes,
    more?: { judge?: (dump: Dump) => void; check?: () => Promise<void> },
  ): Promise<{ generation: number; changed: boolean }>
  /** Stops serving Innkeeper's files, and removes them. A web server that is stopped stays stopped. */
  leave(voice: Voice, files: readonly string[]): Promise<void>
  /** Whether the files have this content and the running web server has loaded them. */
  isServed(changes: Changes): Promise<boolean>
  /** Only runs the server's own check of the present configuration. */
  test(): Promise<Dump>
  /**
   * Makes the server read the present files, and waits until it serves only these. The caller must hold
   * the server's lock, `exclusive(title)`.
   */
  reload(): Promise<void>
}

/**
 * Changes a web server's configuration, or leaves it unchanged: writes the files, runs the server's own check and
 * `judge` (over the whole effective configuration), reloads, **waits for the new generation**, and runs `check` over
 * HTTP. A reload that returns 0 proves nothing. On any failure, restores and serves the last working files.
 */
export function configOf(engine: Engine): WebConfig {
  const { title, generationText } = engine
  const file = generationFile(engine)
  const unit = service(engine.unit)
  const generationOf = (text = '') => Number(text.match(engine.generationIn)?.[1] ?? 0)

  /** Starts or reloads, and waits until only the new configuration answers. */
  async function take(was: string, generation: number | undefined): Promise<void> {
    await engine.makeRoom?.()
    const listens = await engine.listening()
    if (was === 'active') await unit.reload()
    else await unit.start()
    await until({
      what: `${title} serves its new configuration`,
      unit: engine.unit,
      async look() {
        if ((await runningGeneration()) === generation && !(await listens())) return
        const what =
          generation === undefined ? 'still serves what it was to leave' : `does not serve generation ${generation}`
        throw new Error(`${title} was reloaded but ${what}: see its error log`)
      },
    })
  }

  async function goBack(good: Changes, was: string, generation: number, say: (text: string) => void): Promise<void> {
    await write({ ...good, [file]: generationText(generation) })
    const now = await unit.state()
    if (was !== 'active') {
      if (now === 'active') await unit.stop()
      return say('restored the last working configuration')
    }
    await take(now, generation).then(
      () => say(`restored the last working configuration; ${title} serves it`),
      (error: Error) => say(`restored the last working configuration, but ${title} does not load it: ${error.message}`),
    )
  }

  return {
    apply: ({ say, fence }, changes, { judge, check } = {}) =>
      exclusive(title, async () => {
        const current = generationOf(await read(file))
        if ((await sameAs(changes)) && current > 0 && (await runningGeneration()) === current) {
          await check?.()
          return { generation: current, changed: false }
        }
        const generation = Math.max(current, (await runningGeneration()) ?? 0) + 1
        fence()
        const good = await keepGood(changes)
        try {
          await write({ ...changes, [file]: generationText(generation) })
          const dump = await engine.test([...Object.keys(changes), file])
          judge?.(dump)
        } catch (error) {
          // the former generation number too: the undo of the refused change then sees that the running configuration
          // is the former one, and passes even while a broken file of somebody else makes the web server refuse reloads
          await putGoodBack(changes)
          await write({ [file]: current > 0 ? generationText(current) : undefined })
          await dropGood(changes)
          for (const [one, content] of Object.entries(good)) if (content !== undefined) noteWrite(one, content)
          throw error
        }
        const was = await unit.settled()
        try {
          fence()
          await take(was, generation)
          say(`${title} serves generation ${generation} of its configuration`)
          await check?.()
        } catch (error) {
          await goBack(good, was, generation + 1, say)
          await dropGood(changes)
          throw error
        }
        await dropGood(changes)
        return { generation, changed: true }
      }),
    leave: ({ say, fence }, files) =>
      exclusive(title, async () => {
        const changes: Changes = Object.fromEntries([...files, file].map((one) => [one, undefined]))
        fence()
        const generation = generationOf(await read(file)) + 1
        const good = await keepGood(changes)
        const was = await unit.settled()
        try {
          await write(changes)
          await engine.test(Object.keys(changes))
          if (was === 'active') await take(was, undefined)
          say(`${title} no longer serves Innkeeper's files`)
        } catch (error) {
          await goBack(good, was, generation, say)
          throw error
        } finally {
          await dropGood(changes)
        }
      }),
    async isServed(changes) {
      if (!(await sameAs(changes))) return false
      return (await runningGeneration()) === generationOf(await read(file))
    },
    test: () => engine.test([]),
    async reload() {
      const current = generationOf(await read(file))
      const generation = Math.max(current, (await runningGeneration()) ?? 0) + 1
      if (current > 0) await replace(file, generationText(generation))
      await take(await unit.settled(), current > 0 ? generation : undefined)
    },
  }
}

/** The generation that is served; undefined without an answer. */
async function runningGeneration(): Promise<number | undefined> {
  const { status, text } = await probe('127.0.0.1', generationPort, 'localhost')
  return status === 200 ? Number(text) : undefined
}

/**
 * Where the former content of a file is kept during a change. No pattern takes a name that begins with a dot: Debian's nginx
 * includes every other file of `sites-enabled`.
 */
export const beside = (file: string) => `${dirname(file)}/.${basename(file)}.last-good`
const none = '# there was no such file\n'

/** Keeps the former content beside the files, so that a retry after a crash restores that, not a partial change. */
async function keepGood(changes: Changes): Promise<Changes> {
  const good: Changes = {}
  const made: string[] = []
  try {
    for (const file of Object.keys(changes)) {
      const kept = await read(beside(file))
      if (kept === undefined) made.push(beside(file))
      good[file] = kept === undefined ? await read(file) : kept === none ? undefined : kept
      await replace(beside(file), good[file] ?? none)
    }
  } catch (error) {
    // nothing has changed yet: what a full disk cut short must not count as the former content later
    for (const one of made) await remove(one)
    throw error
  }
  return good
}

/** Puts the former files back by renaming what was kept, which needs no room on a full disk. */
async function putGoodBack(changes: Changes): Promise<void> {
  for (const file of Object.keys(changes)) {
    if ((await read(beside(file))) !== none) await putInPlace(beside(file), file)
    else await remove(file)
  }
}

async function dropGood(changes: Changes): Promise<void> {
  for (const file of Object.keys(changes)) await remove(beside(file))
}

async function write(changes: Changes): Promise<void> {
  for (const [file, content] of Object.entries(changes))
    if (content === undefined) await remove(file)
    else await replace(file, content)
}

async function sameAs(changes: Changes): Promise<boolean> {
  for (const [file, content] of Object.entries(changes)) {
    if ((await read(file)) !== content || (await read(beside(file))) !== undefined) return false
  }
  return true
}
