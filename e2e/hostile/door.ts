import { askedOf, type Case, casesOf, markerOf, told, type Wanted } from './cases.ts'
import { differences, type Effects, effectsOf, instead, namesIn, nothing, settled } from './effects.ts'
import type { Change } from './facts.ts'
import { furnished, guest } from './fixtures.ts'
import { leaves, nameOf } from './leaves.ts'
import { planted, type World } from './world.ts'

export interface Summary {
  refused: number
  /** Unusual but valid values: carried out, checked and undone. */
  carriedOut: number
  execs: number
  violations: string[]
}
/** Number of values between two progress lines. */
const progress = 1000
/** Operations that create something permanent: the folder of the trash or of restores, the account of drills. */
const warm = [
  ...['nginx-site.ensure domain', 'ip-set.ensure change', 'backup-drill.serve domain', 'restore-files.prepare restore'],
].map((name) => leaves.find((leaf) => nameOf(leaf) === name)!)

/** Sends hostile values directly to the agent, like a control plane without any validation. */
export async function atTheDoor(world: World, wanted: Wanted, say: (line: string) => void): Promise<Summary> {
  const idle = new Set(world.execs())
  for (const asked of furnished) {
    const [answer] = await world.ask([asked])
    if (answer?.status !== 'done') throw new Error(`${asked.name}: ${answer?.reason}`)
  }
  // removes the notes of the fixtures, so that no undo deletes them
  await world.host.exec(['find', '/var/lib/innkeeper/notes', '-name', `${guest}*`, '-delete'])
  for (const leaf of warm)
    await effectsOf(world, await world.facts(), { leaf, value: markerOf(leaf), reads: undefined })
  const base = await world.facts()
  const own = namesIn(base)
  const summary: Summary = { refused: 0, carriedOut: 0, execs: 0, violations: [] }
  const violation = (line: string) => {
    summary.violations.push(line)
    say(`VIOLATION ${line}`)
  }
  const refuse = async (some: Case[]) => {
    const answers = await world.ask(some.map(askedOf))
    for (const [n, { status, reason }] of answers.entries())
      if (status !== 'failed' || !reason?.startsWith('This agent refuses'))
        violation(`${told(some[n])} should have been refused: ${status} ${reason ?? ''}`)
    const execs = world.execs().filter((shape) => !idle.has(shape))
    // one line per case is enough
    for (const shape of [...new Set(execs)].slice(0, 5)) violation(`started for values that must be refused: ${shape}`)
    for (const line of tell(await settled(world, base, base))) violation(`after values that must be refused: ${line}`)
    summary.refused += some.length
  }
  const models = new Map<string, Effects>()
  const carryOut = async (one: Case) => {
    const name = nameOf(one.leaf)
    const model =
      models.get(name) ??
      (await effectsOf(world, base, { ...one, value: markerOf(one.leaf), reads: `${markerOf(one.leaf)}` }))
    models.set(name, model)
    const expected = own.has(one.reads ?? '') ? nothing(instead(model, one)) : instead(model, one)
    const now = await effectsOf(world, base, one, expected)
    summary.carriedOut++
    summary.execs += now.execs.size
    for (const line of differences(expected, now, idle)) violation(`${told(one)} ${line}`)
  }

  for (const { bad, strange } of casesOf(wanted)) {
    const before = summary.refused + summary.carriedOut
    await refuse(bad)
    for (const one of strange) await carryOut(one)
    const now = summary.refused + summary.carriedOut
    if (Math.floor(now / progress) > Math.floor(before / progress) || now === wanted.cases)
      say(
        `seed ${wanted.seed}, the agent: ${summary.refused} refused, ${summary.carriedOut} carried out and taken back`,
      )
  }
  for (const place of await world.tracesOf(planted)) violation(`the planted secret is stored in ${place}`)
  if (!(await world.tracesOf(guest)).includes('/etc/passwd')) violation('the search does not find a known text')
  return summary
}

const tell = ({ added, gone }: Change) => [
  ...added.map((fact) => `left ${fact}`),
  ...gone.map((fact) => `removed ${fact}`),
]
