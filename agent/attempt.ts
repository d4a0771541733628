import { Answer, type Op } from '@innkeeper/contract/agent/door'
import { type OperationName, operations } from '@innkeeper/contract/agent/operations'
import { type Context, type Driver, type Drivers, NotYetKnown } from './kit/driver.ts'
import { explainFullDisk, fullDiskOf } from './kit/files/fullDisk.ts'
import { quotaUse } from './kit/files/quota.ts'
import { spendReserve } from './kit/files/reserve.ts'
import { speakingAs } from './kit/patience/speaker.ts'
import { cameBack } from './kit/programs/lostDatabase.ts'
import { killedSince, unitClock } from './kit/programs/lostService.ts'
import { redactor } from './redact.ts'

export interface Lease {
  /** End of the lease on this machine's monotonic clock, in ms; 0 once the control plane has dropped the attempt. */
  until: number
  /** Aborted once people have stopped the attempt. */
  stop: AbortSignal
}
class LeaseEnded extends Error {}

/** Carries out one attempt and says how it ended. Never throws, and never answers what the contract would refuse. */
export async function perform(op: Op, lease: Lease, drivers: Drivers, say: (text: string) => void): Promise<Answer> {
  const redact = redactor(op.input)
  const from = Date.now()
  const answer = await decide(op, lease, drivers, (text) => {
    say(redact(text))
  })
  const report = {
    id: op.id,
    attempt: op.attempt,
    ...answer,
    ...(op.trace && { spans: [{ name: 'agent', from, to: Date.now() }, ...(answer.spans ?? [])] }),
    reason: answer.reason && redact(answer.reason).slice(0, 4000),
  }
  const output = answer.output === undefined ? undefined : plain(answer.output, redact)
  const read = Answer.safeParse({ ...report, ...(output !== undefined && { output }) })
  if (read.success) return read.data
  return {
    ...report,
    status: 'blocked',
    output: undefined,
    reason: `${op.name} ended with an answer that cannot be reported: ${read.error.message}`.slice(0, 4000),
  }
}

type Decision = Pick<Answer, 'status' | 'output' | 'reason' | 'spans'>

async function decide(op: Op, lease: Lease, drivers: Drivers, say: (text: string) => void): Promise<Decision> {
  if (!isKnown(op.name))
    return {
      status: 'blocked',
      reason: `${op.name} is not known to this agent: it may be older than the control plane`,
    }
  const input = operations[op.name].safeParse(op.input)
  if (!input.success) {
    const issues = input.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return { status: 'failed', reason: `This agent refuses the input of the operation: ${issues.join('; ')}` }
  }
  const context = {
    input: input.data,
    actionId: op.id,
    task: op.task,
    say,
    stop: lease.stop,
    fence() {
      if (performance.now() > lease.until) throw new LeaseEnded('The lease ended before the effect')
    },
  }
  const from = Date.now()
  const began = unitClock()
  const spans = () => (op.trace ? { spans: [{ name: `driver ${op.name}`, from, to: Date.now() }] } : {})
  try {
    const driver = drivers[op.name] as Driver<OperationName> // name and input belong together
    const decided = await speakingAs({ name: op.name, say, isRead: op.lane === 'read' }, () =>
      act(driver, context as Context<OperationName>, op),
    )
    return { ...decided, ...spans() }
  } catch (error) {
    const measured = spans()
    const doubtful = error instanceof LeaseEnded || error instanceof NotYetKnown
    const { username } = op.input
    const account = typeof username === 'string' ? username : undefined
    const useOf = account === undefined ? undefined : () => quotaUse(account)
    const reason = await explainFullDisk(error, messageOf(error), { account, useOf })
    const isLeft = !doubtful && op.lane !== 'read'
    const lost = isLeft && ((await cameBack(reason)) ? 'the database server' : await killedSince(began))
    if (lost) say(`${lost} ended meanwhile and is back`)
    return { status: doubtful || lost ? 'unknown' : 'failed', reason, ...measured }
  }
}

async function act(driver: Driver<OperationName>, context: Context<OperationName>, op: Op): Promise<Decision> {
  context.fence() // the lease may end before the start: the claim's answer came late, or an older attempt ran long
  if (op.inspect) {
    const effect = await driver.inspect(context)
    if (effect === 'yes') {
      context.say('looked: the last attempt took effect')
      return { status: 'done', output: { inspected: true } }
    }
    if (effect === 'unknown')
      return { status: 'blocked', reason: 'Nobody can tell from here whether the last attempt took effect' }
    context.say('looked: the last attempt did not take effect')
  }
  return { status: 'done', output: await (op.task === 'undo' ? undo(driver, context) : driver.run(context)) }
}

/** Undoes an action; on a full disk once more, with the room that was kept for this. */
async function undo(driver: Driver<OperationName>, context: Context<OperationName>): Promise<unknown> {
  try {
    return await driver.undo(context)
  } catch (error) {
    if (!(await fullDiskOf(error, messageOf(error))) || !(await spendReserve())) throw error
    context.say('the disk is full: the undo goes on in the room that is kept for it')
    return driver.undo(context)
  }
}

const isKnown = (name: string): name is OperationName => Object.hasOwn(operations, name)

export const messageOf = (error: unknown) => (error instanceof Error && error.message ? error.message : String(error))

/** The output as JSON without NUL, which the control plane's database refuses; 256 KiB at most, to fit a report. */
function plain(output: unknown, redact: (text: string) => string): unknown {
  const text = JSON.stringify(output, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value))
  if (text === undefined) return undefined
  return text.length > 262_144 ? { cut: text.slice(0, 4096) } : JSON.parse(text)
}
