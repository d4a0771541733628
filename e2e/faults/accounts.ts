import { addOwner } from '../sites.ts'
import type { Calls } from './check.ts'
import type { Kind, Subject } from './kinds.ts'
import { calmly } from './workflows.ts'
import type { World } from './world.ts'

type Status = 'active' | 'suspended' | 'gone'
const path = '/system-user/system-users'

/** The account as the API shows it. */
async function find({ api }: World, { name }: Subject) {
  const { items } = await api.must('GET', `${path}?search=${name}`)
  return items.find((one: { username: string }) => one.username === name)
}
async function idOf(world: World, subject: Subject): Promise<number> {
  const account = await find(world, subject)
  if (!account) throw new Error(`${subject.name} does not exist`)
  return account.id
}
/** A plan per account, so that changes affect no other account. */
const planOf = ({ name }: Subject, n = 1) => `Plan ${n} of ${name}`
async function planId({ api }: World, subject: Subject, n = 1): Promise<number> {
  const name = planOf(subject, n)
  const { items } = await api.must('GET', `/system-user/plans?itemsPerPage=200&search=${encodeURIComponent(name)}`)
  const known = items.find((plan: { name: string }) => plan.name === name)
  return (known ?? (await api.must('POST', '/system-user/plans', { name }))).id
}

async function create(world: World, subject: Subject): Promise<number> {
  const { api } = world
  const [ownerId, plan] = [await addOwner(api), await planId(world, subject)]
  const requested = { username: subject.name, originServer: subject.server.id, ownerId, planId: plan }
  return (await api.must('POST', path, requested)).workflowId
}
const change = (status: 'active' | 'suspended') => async (world: World, subject: Subject) => {
  const body = { status, reason: 'a storm' }
  return (await world.api.must('PATCH', `${path}/${await idOf(world, subject)}`, body)).workflowId
}

/** Creates the account before the fault, in the state (`before`) in which the workflow starts. */
const standing = (before: Status) => async (world: World, subject: Subject, calls: Calls) => {
  const steps = { gone: [], active: ['create'], suspended: ['create', 'suspend'] }[before]
  for (const step of steps) await calmly(world, `system-user.${step}`, subject, calls)
}

/** The account exists once, in Innkeeper and on its host, with the expected state. */
async function check(world: World, subject: Subject, wanted: Status): Promise<string[]> {
  const bad: string[] = []
  const status = (await find(world, subject))?.status ?? 'gone'
  if (status !== wanted) bad.push(`${subject.name} is ${status} in Innkeeper, not ${wanted}`)
  const { stdout } = await subject.server.host.exec(['grep', '-c', `^${subject.name}:`, '/etc/passwd'])
  const count = wanted === 'gone' ? 0 : 1
  if (Number(stdout) !== count) bad.push(`${subject.name} is ${wanted}, but occurs ${stdout.trim()} times in passwd`)
  return bad
}

/** SFTP access is on in Innkeeper and on the host, or off in both; the account itself exists. */
async function checkDoor(world: World, subject: Subject, open: boolean): Promise<string[]> {
  const bad = await check(world, subject, 'active')
  const { state } = await world.api.must('GET', `${path}/${await idOf(world, subject)}/sftp`)
  const kept = (await subject.server.host.exec(['test', '-e', `/etc/ssh/innkeeper-keys/${subject.name}`])).code === 0
  const is = [state === 'on', kept].join()
  if (is !== [open, open].join())
    bad.push(`${subject.name} has SFTP access (in Innkeeper, on its host): ${is}, not ${open}`)
  return bad
}

const kind = (before: Status, after: Status, ask: Kind['ask'], more: Partial<Kind> = {}): Kind => ({
  weight: 1,
  undoable: true,
  prepare: standing(before),
  ask,
  check: (world, subject, done) => check(world, subject, done ? after : before),
  ...more,
})

/** Workflows on system users and their plans. */
export const accounts: Record<string, Kind> = {
  'system-user.create': kind('gone', 'active', create),
  'system-user.suspend': kind('active', 'suspended', change('suspended')),
  'system-user.activate': kind('suspended', 'active', change('active')),
  'system-user.delete': kind(
    'active',
    'gone',
    async (world, subject) => (await world.api.must('DELETE', `${path}/${await idOf(world, subject)}`, {})).workflowId,
  ),
  'system-user.plan': kind('active', 'active', async (world, subject) => {
    const body = { planId: await planId(world, subject, 2) }
    return (await world.api.must('PATCH', `${path}/${await idOf(world, subject)}/plan`, body)).workflowId
  }),
  'system-user.sftp': kind(
    'active',
    'active',
    async (world, subject) =>
      (await world.api.must('PATCH', `${path}/${await idOf(world, subject)}/sftp`, { on: true })).workflowId,
    { check: checkDoor },
  ),
  'plan.apply': kind(
    'active',
    'active',
    async (world, subject) => {
      const plan = `/system-user/plans/${await planId(world, subject)}`
      return (await world.api.must('PATCH', plan, { memoryMb: 640 })).workflowIds[0]
    },
    // the plan has changed before the workflow, so there is nothing to undo
    { undoable: false, named: (subject) => `${planOf(subject)} on ${subject.server.host.name}` },
  ),
}
