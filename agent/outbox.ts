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

/** Log lines and answers for the control plane, sent in order and in batches, with retries until it accepts them. */
export function outbox(door: Door, journal: Journal) {
  const chunks: Chunk[] = []
  const answers: Answer[] = journal.left()
  let wake = () => {}
  let most = perReport

  return {
    /** Splits the text into chunks. Beyond the limit of an attempt, one mark replaces the rest. */
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
    /** Attempts whose answer the control plane does not have yet. */
    get untold(): Key[] {
      return answers.map(({ id, attempt }) => ({ id, attempt }))
    },
    get empty() {
      return chunks.length === 0 && answers.length === 0
    },
    nudge: () => wake(),
    /** Resolves when a line or answer waits to be sent, after `ms`, or on `nudge`. */
    async something(ms: number): Promise<void> {
      if (chunks.length || answers.length) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
    /**
     * Sends one batch and renews the leases of `held`. Returns the attempts that the control plane has dropped, and those
     * of them that people stopped.
     */
    async report(held: readonly Key[], signal?: AbortSignal): Promise<{ gone: Key[]; stop: Key[] }> {
      const batch = fitting(chunks, answers, most)
      try {
        const { gone, stop = [] } = await door.ask(
          '/agent/report',
          { held: held.slice(0, perReport), ...batch },
          signal,
        )
        chunks.splice(0, batch.chunks.length)
        answers.splice(0, batch.answers.length)
        journal.acknowledged(batch.answers)
        most = perReport
        return { gone, stop }
      } catch (error) {
        if (error instanceof Refused && error.status !== 401) makeWay(batch, error)
        throw error
      }
    },
  }

  /** Keeps a refused entry from blocking the queue: sends single entries, drops a bad line, replaces a bad answer. */
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
      journal.acknowledged([answer]) // the control plane refused the `blocked` answer too
      return
    }
    const reason = `Its answer (${answer.status}) was refused: ${refusal.message}`.slice(0, 500)
    answers.unshift({ id: answer.id, attempt: answer.attempt, status: 'blocked', reason })
  }
}

/** The next batch: at most `most` entries and a megabyte. Lines come first, so the last line precedes the answer. */
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
