import type { Answer } from '../innkeeper.ts'
import { ends } from '../sites.ts'
import { type ApiCase, apiCasesOf, placesOf, requestOf, toldApi } from './apiCases.ts'
import { apiCalls, apiMarkers, send } from './apiRequests.ts'
import type { ApiWorld } from './apiWorld.ts'
import type { Wanted } from './cases.ts'
import { after, settled } from './effects.ts'
import type { Change, Facts } from './facts.ts'

export interface ApiSummary {
  calls: number
  refused: number
  /** Values that were accepted without work on a server, and undone. */
  taken: number
  /** Values that a server carried out, checked, and undone. */
  carriedOut: number
  violations: string[]
}
interface Done {
  status: number
  done: Change
  undone: Change
}
const progress = 1000
/** Stops after this number of violations: a broken fixture makes all following cases fail. */
const enough = 50

/** Sends hostile values as an administrator. An accepted value may leave on the host only what it asks for. */
export async function throughTheApi(world: ApiWorld, wanted: Wanted, say: (line: string) => void): Promise<ApiSummary> {
  const { innkeeper } = world
  const calls = apiCalls(world.on)
  const summary: ApiSummary = { calls: calls.length, refused: 0, taken: 0, carriedOut: 0, violations: [] }
  const violation = (line: string) => {
    summary.violations.push(line)
    say(`VIOLATION ${line}`)
  }
  const judge = (one: ApiCase, answer: Answer) => {
    const line = wrongWith(one, answer)
    if (line) violation(`${toldApi(one)} ${line}`)
  }
  /** Sends a value that a server carries out; checks before and after its undo. */
  const effectsOf = async (base: Facts, one: ApiCase, expected?: Done): Promise<Done> => {
    const { of } = one.place
    const answer = await send(innkeeper, of.call, requestOf(one))
    judge(one, answer)
    if (answer.status >= 300) return { status: answer.status, done: none, undone: none }
    await ends(innkeeper, answer.body.workflowId, 'done').catch((error: Error) =>
      violation(`${toldApi(one)} ${error.message}`),
    )
    const done = await settled(world, base, after(base, expected?.done))
    await of.undo?.(innkeeper, answer.body)
    const undone = await settled(world, base, after(base, expected?.undone))
    await world.tidy()
    return { status: answer.status, done, undone }
  }
  const warm = calls.find(({ call }) => call.name === 'websites.create')
  const places = placesOf(calls)
  const [first] = places.filter(({ of, field }) => of === warm && field === 'domain')
  // creates folders that stay from then on, such as the trash
  if (first) await effectsOf(await world.facts(), { place: first, value: apiMarkers.domain, reads: apiMarkers.domain })
  const base = await world.facts()
  const models = new Map<string, Done>()

  const modelOf = async (one: ApiCase, marker: string): Promise<Done> => {
    const { name } = one.place.of.call
    const known = models.get(name)
    if (known) return known
    const model = await effectsOf(base, { ...one, value: marker, reads: marker })
    if (!model.done.added.length) violation(`${name}: a valid request answers ${model.status} and changes nothing`)
    models.set(name, model)
    return model
  }
  const carryOut = async (one: ApiCase) => {
    const marker = apiMarkers[one.place.field as keyof typeof apiMarkers] // apiCasesOf answers only such fields
    const model = await modelOf(one, marker)
    const put = (list: string[]) => list.map((text) => text.replaceAll(marker, one.reads ?? '')).sort()
    const like = ({ added, gone }: Change): Change => ({ added: put(added), gone: put(gone) })
    const expected = { ...model, done: like(model.done), undone: like(model.undone) }
    const is = await effectsOf(base, one, expected)
    summary.carriedOut += is.status < 300 ? 1 : 0
    summary.refused += is.status < 300 ? 0 : 1
    const should = is.status < 300 ? expected : { ...expected, done: none, undone: none }
    for (const line of [...differing('', is.done, should.done), ...differing(' after undo', is.undone, should.undone)])
      violation(`${toldApi(one)} ${line}`)
  }

  for (const { some, strange } of apiCasesOf(places, wanted)) {
    const before = summary.refused + summary.taken
    const taken: string[] = []
    for (const one of some) {
      const { of } = one.place
      const answer = await send(innkeeper, of.call, requestOf(one))
      judge(one, answer)
      summary[answer.status >= 300 ? 'refused' : 'taken']++
      if (answer.status >= 300 || of.call.endpoint.effect === 'read') continue
      taken.push(toldApi(one))
      if (answer.body?.workflowId) await ends(innkeeper, answer.body.workflowId, 'done')
      await of.undo?.(innkeeper, answer.body)
    }
    const left = await settled(world, base, base)
    const lines = differing('', left, none)
    for (const line of lines) violation(line)
    if (lines.length) say(`caused by one of these values:\n${taken.join('\n')}`)
    const now = summary.refused + summary.taken
    if (Math.floor(now / progress) > Math.floor(before / progress) || strange.length)
      say(`seed ${wanted.seed}, the API: ${summary.refused} refused, ${summary.taken} accepted and undone`)
    for (const one of strange) if (summary.violations.length < enough) await carryOut(one)
    if (summary.violations.length >= enough) break
  }
  say(`seed ${wanted.seed}, the API: ${summary.carriedOut} carried out by the server and undone`)
  return summary
}

const none: Change = { added: [], gone: [] }

/**
 * Checks an answer alone: a server error, an accepted value that must be refused, or a refusal without a message at the
 * field.
 */
function wrongWith({ place: { part, field, rule }, reads }: ApiCase, { status, body }: Answer): string | undefined {
  const about = `${status} ${JSON.stringify(body).slice(0, 300)}`
  if (status >= 500) return `breaks it: ${about}`
  if (status === 401 || status === 429) return `ends the run: ${about}`
  if (!rule || reads !== undefined) return undefined
  if (status < 300) return `should have been refused: ${about}`
  const named = Object.keys(body?.fields ?? {}).some((key) => key === field || key.startsWith(`${field}.`))
  return part !== 'body' || named ? undefined : `is refused without naming ${field}: ${about}`
}

function differing(when: string, is: Change, should: Change): string[] {
  const lines: string[] = []
  for (const [more, less, did, didNot] of [
    [is.added, should.added, 'left', 'did not leave'],
    [is.gone, should.gone, 'removed', 'did not remove'],
  ] as const) {
    for (const fact of new Set(more).difference(new Set(less))) lines.push(`${did}${when}: ${fact}`)
    for (const fact of new Set(less).difference(new Set(more))) lines.push(`${didNot}${when}: ${fact}`)
  }
  return lines.map((line) => line.replaceAll('\n', '⏎').slice(0, 400))
}
