import type { Answer, Chunk, DoorBody, Op } from '@innkeeper/contract/agent/door'
import { type Door, Refused } from './door.ts'
import type { Journal } from './journal.ts'
import { log } from './log.ts'

type Key = Pick<Op, 'id' | 'attempt'>
const perReport = 200
const bytesPerReport = 1_000_000
const chunkLength = 4096
export const chunksPerAttempt = 256
export const cutMark = '… cut: this attempt says more than is kept'

/** What is to be told: lines and answers in order, in batches; told again until the control plane has them. */
export function outbox(door: Door, journal: Journal) {
  const chunks: Chunk[] = []
  const answers: Answer[] = journal.left()
  let wake = () => {}
  let most = perReport

  return {
    /** Cuts the text into chunks; what is beyond the limit of an attempt ends in one mark that says so. */
    say({ id, attempt }: Key, from: number, text: string): number {
      let seq = from
      for (let at = 0; at < Math.max(text.length, 1) && seq < chunksPerAttempt; at += chunkLength, seq++) {
        const last = seq === chunksPerAttempt - 1
        chunks.push({
          id,
          attempt,
          seq,
          at: Date.now(),
          text: last ? cutMark : text.slice(at, at + chunkLength).toWellFormed(),
        })
      }
      wake()
      return seq
    },
    tell(more: readonly Answer[]): void {
      if (more.length === 0) return
      answers.push(...more)
      wake()
    },
    /** Attempts whose end is not told yet. */
    get untold(): Key[] {
      return answers.map(({ id, attempt }) => ({ id, attempt }))
    },
    get empty() {
      return chunks.length === 0 && answers.length === 0
    },
    nudge: () => wake(),
    /** Resolves when something is to be told, after `ms`, or when nudged. */
    async something(ms: number): Promise<void> {
      if (chunks.length || answers.length) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
    /** Tells one batch and which attempts are held. Answers which of them are gone. Throws what the door throws. */
    async report(held: readonly Key[], signal?: AbortSignal): Promise<Key[]> {
      const batch = fitting(chunks, answers, most)
      try {
        const { gone } = await door.ask('/agent/report', { held: held.slice(0, perReport), ...batch }, signal)
        chunks.splice(0, batch.chunks.length)
        answers.splice(0, batch.answers.length)
        journal.acknowledged(batch.answers)
        most = perReport
        return gone
      } catch (error) {
        if (error instanceof Refused && error.status !== 401) makeWay(batch, error)
        throw error
      }
    },
  }

  /** What is refused must not hold up what comes after it: one by one, then the culprit is told in plain words, or dropped. */
  function makeWay(batch: Pick<DoorBody<'/agent/report'>, 'chunks' | 'answers'>, refusal: Refused): void {
    if (batch.chunks.length + batch.answers.length > 1) {
      most = 1
      return
    }
    log('error', 'the control plane refuses a report', { status: refusal.status, reason: refusal.message })
    if (batch.chunks.length) chunks.shift()
    const answer = batch.answers.length ? answers.shift() : undefined
    if (!answer) return
    if (answer.status === 'blocked') {
      journal.acknowledged([answer]) // told in plain words, and refused again
      return
    }
    const reason = `Its answer (${answer.status}) was refused: ${refusal.message}`.slice(0, 500)
    answers.unshift({ id: answer.id, attempt: answer.attempt, status: 'blocked', reason })
  }
}
export type Outbox = ReturnType<typeof outbox>

/** Lines before answers: an attempt's last line is told before its end. At most `most` of both and a megabyte. */
function fitting(chunks: readonly Chunk[], answers: readonly Answer[], most: number) {
  const batch: { chunks: Chunk[]; answers: Answer[] } = { chunks: [], answers: [] }
  let bytes = 0
  for (const chunk of chunks.slice(0, most)) {
    bytes += chunk.text.length + 100
    if (bytes > bytesPerReport && batch.chunks.length) return batch
    batch.chunks.push(chunk)
  }
  if (batch.chunks.length < chunks.length) return batch
  for (const answer of answers.slice(0, most - (most === 1 ? batch.chunks.length : 0))) {
    bytes += JSON.stringify(answer).length + 100
    if (bytes > bytesPerReport && batch.chunks.length + batch.answers.length) return batch
    batch.answers.push(answer)
  }
  return batch
}
