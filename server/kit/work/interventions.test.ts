import { type ActionType, actionStatus } from '@innkeeper/contract/machines/workflows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { actionsOf, begin, carryOut, setAside, statusesOf, steps, workflowOf } from '../../test/work.ts'
import type { Db } from '../db/db.ts'
import { claim } from './claim.ts'
import { type Ask, act } from './interventions.ts'
import { onPlannedPause, pause, resume } from './workflow.ts'

let t: TestApp
let db: Db
beforeAll(async () => {
  t = await openTestApp()
  db = t.app.db
})
afterAll(() => t.close())
beforeEach(() => setAside(db))

/** A workflow of three actions whose second has failed. */
async function stopped(status: 'failed' | 'blocked' = 'failed'): Promise<number> {
  const id = await begin(db, { plan: steps(3) })
  await carryOut(db, null)
  await carryOut(db, null, { status, reason: 'no' })
  return id
}
async function ask(workflowId: number, position: number, actionType: ActionType, more: Partial<Ask> = {}) {
  const target = (await actionsOf(db, workflowId))[position - 1]
  await db.transaction((tx) =>
    act(tx, { workflowId, actionId: target!.id, actionType, by: 'Mona Berg', reason: 'because', ...more }),
  )
}

describe('retry', () => {
  it('runs the failed action again', async () => {
    const id = await stopped()
    await ask(id, 2, 'retry')
    expect(await statusesOf(db, id)).toBe('done ready pending')
    expect((await workflowOf(db, id)).status).toBe('running')
    expect(await claim(db, null, 'short', 1)).toMatchObject([{ attempt: 2, inspect: false }])
  })
  it('inspects first if the last attempt’s result is unknown', async () => {
    const id = await stopped('blocked')
    await ask(id, 2, 'retry')
    expect(await claim(db, null, 'short', 1)).toMatchObject([{ attempt: 2, inspect: true }])
  })
  it('accepts failed actions only', async () => {
    const id = await stopped()
    await expect(ask(id, 1, 'retry')).rejects.toMatchObject({ status: 409 })
  })
})

describe('retry from here', () => {
  it('runs the chosen action and all later ones again', async () => {
    const id = await stopped()
    await ask(id, 1, 'retry-from')
    expect(await statusesOf(db, id)).toBe('ready pending pending')
  })
  it('omits the actions that the form left out', async () => {
    const plan = steps(3)
    plan[2] = { ...plan[2]!, name: 'test.third' }
    const id = await begin(db, { plan, exclude: ['test.third'] })
    await carryOut(db, null, { status: 'failed', reason: 'no' })
    await ask(id, 1, 'retry-from')
    expect(await statusesOf(db, id)).toBe('ready pending skipped')
  })
  it('is refused if an earlier action is not done or skipped', async () => {
    const id = await stopped()
    await expect(ask(id, 3, 'retry-from')).rejects.toMatchObject({ status: 422 })
    expect(await statusesOf(db, id)).toBe('done failed pending')
  })
})

describe('skip and done', () => {
  it('continue with the next action, and record person and reason', async () => {
    const id = await stopped()
    await ask(id, 2, 'skip', { reason: 'the site has no PHP' })
    expect(await statusesOf(db, id)).toBe('done skipped ready')
    expect((await actionsOf(db, id))[1]?.reason).toBe('skipped by Mona Berg: the site has no PHP')
    await carryOut(db, null, { status: 'failed', reason: 'no' })
    await ask(id, 3, 'done')
    expect(await statusesOf(db, id)).toBe('done skipped done')
    expect((await workflowOf(db, id)).status).toBe('done')
  })
  it('need a reason', async () => {
    const id = await stopped()
    for (const verb of ['skip', 'done'] as const)
      await expect(ask(id, 2, verb, { reason: undefined })).rejects.toMatchObject({
        status: 422,
        body: { fields: { reason: 'Required' } },
      })
    expect(await statusesOf(db, id)).toBe('done failed pending')
  })
})

describe('roll back', () => {
  it('undoes all attempted actions, last first, and skips those that never ran', async () => {
    const id = await stopped()
    await ask(id, 2, 'rollback')
    expect(await statusesOf(db, id)).toBe('pending ready skipped')
    expect(await carryOut(db, null)).toMatchObject({ task: 'undo', input: { n: 2 } })
    expect(await carryOut(db, null)).toMatchObject({ task: 'undo', input: { n: 1 } })
    expect(await statusesOf(db, id)).toBe('undone undone skipped')
    expect(await workflowOf(db, id)).toMatchObject({ status: 'rolled-back', undo: true })
  })
  it('continues with a retry when an undo fails', async () => {
    const id = await stopped()
    await ask(id, 2, 'rollback')
    await carryOut(db, null, { status: 'failed', reason: 'busy' })
    await expect(ask(id, 2, 'rollback')).rejects.toMatchObject({ status: 409 })
    await expect(ask(id, 1, 'retry-from')).rejects.toMatchObject({ status: 422 })
    await ask(id, 2, 'retry')
    expect(await carryOut(db, null)).toMatchObject({ task: 'undo', input: { n: 2 } })
    await carryOut(db, null)
    expect((await workflowOf(db, id)).status).toBe('rolled-back')
  })
})

describe('resume', () => {
  it('continues a workflow after a planned pause, and is refused without a pause', async () => {
    const id = await begin(db, { plan: steps(3), pauseAfter: 1 })
    await expect(ask(id, 2, 'resume')).rejects.toMatchObject({ status: 409 })
    await carryOut(db, null)
    expect(await statusesOf(db, id)).toBe('done pending pending')
    expect((await workflowOf(db, id)).status).toBe('waiting')
    await expect(ask(id, 1, 'resume')).rejects.toMatchObject({ status: 409 })
    await ask(id, 2, 'resume')
    expect(await statusesOf(db, id)).toBe('done ready pending')
    await carryOut(db, null)
    await carryOut(db, null)
    expect((await workflowOf(db, id)).status).toBe('done')
  })
  it('tells its kind of the planned pause in the transaction in which people can resume it, and of no other pause', async () => {
    const told: string[] = []
    onPlannedPause('test.planned', async (tx, { id }) => {
      const { status, paused } = await workflowOf(tx, id)
      told.push(`${id} ${status} ${paused}`)
    })
    const id = await begin(db, { kind: 'test.planned', plan: steps(3), pauseAfter: 2 })
    await db.transaction((tx) => pause(tx, id))
    expect(told).toEqual([])
    await db.transaction((tx) => resume(tx, id))
    await carryOut(db, null)
    await carryOut(db, null)
    expect(told).toEqual([`${id} waiting true`])
    expect(await statusesOf(db, id)).toBe('done done pending')
    await db.transaction((tx) => resume(tx, id))
    await carryOut(db, null)
    expect((await workflowOf(db, id)).status).toBe('done')
    expect(told).toHaveLength(1)
  })
  it('stays with people: steps before a planned pause that are repeated pause there again', async () => {
    const id = await begin(db, { plan: steps(3), pauseAfter: 2 })
    await carryOut(db, null)
    await carryOut(db, null)
    await ask(id, 2, 'retry-from')
    expect(await statusesOf(db, id)).toBe('done ready pending')
    await carryOut(db, null)
    expect(await statusesOf(db, id)).toBe('done done pending')
    expect(await workflowOf(db, id)).toMatchObject({ status: 'waiting', paused: true })
    await ask(id, 3, 'resume')
    await carryOut(db, null)
    expect((await workflowOf(db, id)).status).toBe('done')
  })
  it('can be replaced by a rollback', async () => {
    const id = await begin(db, { plan: steps(2), pauseAfter: 1 })
    await carryOut(db, null)
    await ask(id, 2, 'rollback')
    await carryOut(db, null)
    expect((await workflowOf(db, id)).status).toBe('rolled-back')
  })
})

describe('every verb', () => {
  const verbs = ['retry', 'retry-from', 'skip', 'done', 'rollback'] as const
  it.each(verbs)('%s is refused while an action runs', async (verb) => {
    const id = await begin(db)
    await claim(db, null, 'short', 1)
    await expect(ask(id, 1, verb)).rejects.toMatchObject({ status: 409, body: { message: 'Note is running' } })
    expect(await statusesOf(db, id)).toBe('running pending pending')
  })
  it.each(verbs)('%s is refused for an outdated version', async (verb) => {
    const id = await stopped()
    const { version } = await workflowOf(db, id)
    await expect(ask(id, 2, verb, { version: version - 1 })).rejects.toMatchObject({ status: 409 })
    await ask(id, 2, verb, { version })
    await expect(ask(id, 2, verb, { version })).rejects.toMatchObject({ status: 409 })
  })
  it.each(verbs)('%s accepts only its own target state', async (verb) => {
    const fits = { retry: 'ready', 'retry-from': 'ready', skip: 'skipped', done: 'done', rollback: 'undone' }[verb]
    for (const status of actionStatus.options.filter((s) => s !== fits))
      await expect(ask(await stopped(), 2, verb, { status })).rejects.toMatchObject({ status: 422 })
    await ask(await stopped(), 2, verb, { status: actionStatus.parse(fits) })
  })
  it.each(verbs)('%s is refused after the workflow’s end', async (verb) => {
    const id = await begin(db, { plan: steps(1) })
    await carryOut(db, null)
    await expect(ask(id, 1, verb)).rejects.toMatchObject({
      status: 409,
      body: { message: 'The workflow has ended: done' },
    })
  })
  it('accepts actions of its own workflow only', async () => {
    const [mine, other] = [await stopped(), await stopped()]
    const theirs = (await actionsOf(db, other))[1]
    const asked = { workflowId: mine, actionId: theirs!.id, actionType: 'retry' as const, by: 'Mona' }
    await expect(db.transaction((tx) => act(tx, asked))).rejects.toMatchObject({ status: 404 })
  })
  it('by two people at once succeeds for one, and the other gets the new state', async () => {
    const id = await stopped()
    const { version } = await workflowOf(db, id)
    const both = await Promise.allSettled([ask(id, 2, 'retry', { version }), ask(id, 2, 'skip', { version })])
    expect(both.map((b) => b.status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
