import type { Answer } from '@innkeeper/contract/agent/door'
import { askedOf, type Case, markerOf } from './cases.ts'
import { type Change, change, type Facts } from './facts.ts'
import { newId, type World } from './world.ts'

/** Effects of one request: its answer, changes on the host and started programs; the same for its undo. */
export interface Effects {
  status: Answer['status']
  reason: string | undefined
  done: Change
  undone: Change
  execs: Set<string>
}

/** Sends the request, records the changes, undoes it, and records again. `expected`: the state to wait for. */
export async function effectsOf(world: World, base: Facts, one: Case, expected?: Effects): Promise<Effects> {
  world.execs()
  const asked = { ...askedOf(one), id: newId() }
  const [ran] = await world.ask([asked])
  const done = await settled(world, base, after(base, expected?.done))
  await world.ask([{ ...asked, task: 'undo' }])
  const undone = await settled(world, base, after(base, expected?.undone))
  await world.host.exec(['find', '/var/lib/innkeeper/trash', '-mindepth', '1', '-delete'])
  return { status: ran?.status ?? 'unknown', reason: ran?.reason, done, undone, execs: new Set(world.execs()) }
}

export const after = (base: Facts, expected?: Change): Facts | undefined =>
  expected && base.difference(new Set(expected.gone)).union(new Set(expected.added))

/** Changes of the host once it has the expected state, or is stable: waits for looks, not for time; at most 300 looks. */
export async function settled(world: Pick<World, 'facts'>, base: Facts, expected?: Facts): Promise<Change> {
  let facts = await world.facts()
  const looks = expected ? 60 : 5
  for (let [calm, all] = [0, 0]; calm < looks && all < 300; all++) {
    if (expected && facts.symmetricDifference(expected).size === 0) break
    const next = await world.facts()
    calm = facts.symmetricDifference(next).size === 0 ? calm + 1 : 0
    facts = next
  }
  return change(base, facts)
}

/** The model with the value in place of the marker. */
export function instead(model: Effects, { leaf, reads = '' }: Case): Effects {
  const marker = `${markerOf(leaf)}`
  // names of notes and of the trash contain paths in another form, but their last component unchanged
  const word = (text: string) => (leaf.rule.kind === 'path' ? text.slice(text.lastIndexOf('/') + 1) : text)
  const put = (text: string) => text.replaceAll(word(marker), word(reads))
  const both = ({ added, gone }: Change): Change => ({ added: added.map(put).sort(), gone: gone.map(put).sort() })
  return { ...model, done: both(model.done), undone: both(model.undone), execs: new Set([...model.execs].map(put)) }
}

export function differences(
  expected: Effects,
  { status, reason, done, undone, execs }: Effects,
  idle: Set<string>,
): string[] {
  const lines: string[] = []
  if (status !== expected.status)
    lines.push(`was ${status} (${reason}), a valid one is ${expected.status} (${expected.reason})`)
  for (const shape of execs) if (!expected.execs.has(shape) && !idle.has(shape)) lines.push(`started ${shape}`)
  for (const [when, is, should] of [
    ['', done, expected.done],
    [' after undo', undone, expected.undone],
  ] as const) {
    const [more, less] = [new Set(is.added), new Set(should.added)]
    for (const fact of more.difference(less)) lines.push(`left${when}: ${fact}`)
    for (const fact of less.difference(more)) lines.push(`lacks${when}: ${fact}`)
    for (const fact of new Set(is.gone).symmetricDifference(new Set(should.gone))) lines.push(`removed${when}: ${fact}`)
  }
  return lines.map((line) => line.slice(0, 1500))
}

/** Accounts and groups of the host itself and of the fixtures. */
export const namesIn = (facts: Facts) =>
  new Set([...facts].flatMap((fact) => /^\/etc\/(?:passwd|group): (\w+):/.exec(fact)?.[1] ?? []))
/** The expected effects for a name that already exists on the host: nothing is created. */
export const nothing = (model: Effects): Effects => {
  const none: Change = { added: [], gone: [] }
  return model.done.added.length ? { ...model, status: 'failed', done: none, undone: none } : model
}
