import type { Context } from '../../kit/driver.ts'
import { exclusive, grouped, probe, read, replace, service, until } from '../../kit/host.ts'
import { type Changes, differing, dropGood, keepGood, leftIn, noteGood, putGoodBack, write } from './lastGood.ts'
import { generationFile } from './webPaths.ts'

export { beside, type Changes } from './lastGood.ts'

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

/** A change, and what must hold before and after the reload. */
interface Wanted {
  voice: Voice
  changes: Changes | (() => Promise<Changes> | Changes)
  judge?: ((dump: Dump) => void) | undefined
  check?: (() => Promise<void>) | undefined
}
interface Applied {
  generation: number
  changed: boolean
}

export interface WebConfig {
  /**
   * `changes`: a function where what is written depends on what is there: it is called when nobody else writes. Changes that
   * wait at the same time share one test and one reload, if no two have a file in common.
   */
  apply(voice: Voice, changes: Wanted['changes'], more?: Pick<Wanted, 'judge' | 'check'>): Promise<Applied>
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

/** A change whose files are known. `differs`: those that have another content, or one that nobody has tested. */
interface Known extends Omit<Wanted, 'changes'> {
  place: number
  changes: Changes
  differs: Changes
}
type Result = PromiseSettledResult<Applied>

/**
 * Changes a web server's configuration, or leaves it unchanged: writes the files, runs the server's own check and
 * `judge` (over the whole effective configuration), reloads, **waits for the new generation**, and runs `check` over
 * HTTP. A reload that returns 0 proves nothing. On any failure, restores and serves the last working files. Of several
 * changes, one that fails leaves the others: what is refused before the reload is tried again one by one, and a failed
 * `check` takes back its own files alone.
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

  /** Changes that wait together, in rounds in which no two have a file in common. */
  async function applyAll(all: readonly Wanted[]): Promise<Result[]> {
    const results: Result[] = all.map(() => ({ status: 'rejected', reason: new Error(`${title} was not changed`) }))
    let rest = all.map((wanted, place) => ({ ...wanted, place }))
    while (rest.length) {
      const round: Known[] = []
      const later: typeof rest = []
      for (const { changes: asked, ...one } of rest)
        try {
          const changes = typeof asked === 'function' ? await asked() : asked
          const differs = await differing(changes)
          if (Object.keys(differs).some((name) => round.some((other) => name in other.differs)))
            later.push({ ...one, changes: asked })
          else round.push({ ...one, changes, differs })
        } catch (reason) {
          results[one.place] = { status: 'rejected', reason }
        }
      for (const [place, result] of await applyRound(round)) results[place] = result
      rest = later
    }
    return results
  }

  async function applyRound(round: readonly Known[]): Promise<Map<number, Result>> {
    const results = new Map<number, Result>()
    const current = generationOf(await read(file))
    const isLoaded = current > 0 && (await runningGeneration()) === current
    const settled = round.filter(({ differs }) => isLoaded && Object.keys(differs).length === 0)
    await Promise.all(
      settled.map(async ({ place, check }) => {
        const [checked] = await Promise.allSettled([check?.()])
        results.set(
          place,
          checked.status === 'rejected'
            ? checked
            : { status: 'fulfilled', value: { generation: current, changed: false } },
        )
      }),
    )
    const open = round.filter((one) => !settled.includes(one))
    // whoever is to blame hears why when it is tried alone
    const together = open.length > 1 ? await changeTogether(open).catch(() => alone(open)) : undefined
    for (const one of open) {
      const result = together?.get(one) ?? (await changeTogether([one]).catch(rejected)).get(one)
      if (result) results.set(one.place, result)

      function rejected(reason: unknown) {
        return new Map<Known, Result>([[one, { status: 'rejected', reason }]])
      }
    }
    return results
  }

  function alone(some: readonly Known[]): undefined {
    for (const { voice } of some) voice.say(`is tried alone: ${title} does not take it with what others change now`)
  }

  /** One test and one reload. Throws, and leaves everything as it was, for whatever goes wrong before the checks. */
  async function changeTogether(some: readonly Known[]): Promise<Map<Known, Result>> {
    const changes: Changes = Object.assign({}, ...some.map(({ differs }) => differs))
    const current = generationOf(await read(file))
    const generation = Math.max(current, (await runningGeneration()) ?? 0) + 1
    const fence = () => {
      for (const { voice } of some) voice.fence()
    }
    const sayTo = (to: readonly Known[]) => (text: string) => {
      for (const { voice } of to) voice.say(text)
    }
    fence()
    const good = await keepGood(changes)
    try {
      await write({ ...changes, [file]: generationText(generation) })
      const dump = await tested([...some.flatMap((one) => Object.keys(one.changes)), file])
      for (const { judge } of some) judge?.(dump)
    } catch (error) {
      // the former generation number too: the undo of the refused change then sees that the running configuration
      // is the former one, and passes even while a broken file of somebody else makes the web server refuse reloads
      await putGoodBack(changes)
      await write({ [file]: current > 0 ? generationText(current) : undefined })
      await dropGood(changes)
      noteGood(good)
      throw error
    }
    const was = await unit.settled()
    try {
      fence()
      await take(was, generation)
    } catch (error) {
      await goBack(good, was, generation + 1, sayTo(some))
      await dropGood(changes)
      throw error
    }
    const beside = some.length > 1 ? `, with ${some.length - 1} other ${some.length > 2 ? 'changes' : 'change'}` : ''
    sayTo(some)(`${title} serves generation ${generation} of its configuration${beside}`)
    const checked = await Promise.allSettled(some.map(async ({ check }) => check?.()))
    const failed = some.filter((_, n) => checked[n]?.status === 'rejected')
    if (failed.length) {
      const names = failed.flatMap(({ differs }) => Object.keys(differs))
      const back = Object.fromEntries(names.map((name) => [name, good[name]]))
      await goBack(back, failed.length === some.length ? was : 'active', generation + 1, sayTo(failed))
    }
    await dropGood(changes)
    const value = { generation: failed.length ? generation + 1 : generation, changed: true }
    return new Map(
      some.map((one, n) => {
        const ended = checked[n]
        return [one, ended?.status === 'rejected' ? ended : { status: 'fulfilled', value }]
      }),
    )
  }

  /**
   * The server's own check. What a killed agent has written and not tested may be why it refuses: then the last working files
   * take its place, and the check runs again.
   */
  async function tested(ours: readonly string[]): Promise<Dump> {
    try {
      return await engine.test(ours)
    } catch (error) {
      const left = await leftIn(engine.folder)
      for (const name of ours) delete left[name]
      if (!Object.keys(left).length) throw error
      await putGoodBack(left)
      await dropGood(left)
      return engine.test(ours)
    }
  }

  return {
    apply: (voice, changes, more = {}) => grouped<Wanted, Applied>(title, { voice, changes, ...more }, applyAll),
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
      if (Object.keys(await differing(changes)).length) return false
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
