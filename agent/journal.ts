import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Answer, Op } from '@innkeeper/contract/agent/door'

type Key = Pick<Op, 'id' | 'attempt'>
const keptDays = 30

/**
 * The agent's journal. Each entry is fsynced before the operation starts and before its answer is sent. The key is
 * (action, attempt). The journal answers a repeated operation; an operation that started and never ended is `unknown`.
 */
export interface Journal {
  /** Records the start of operations. Returns the new operations, and the recorded answers of the others. */
  begin(ops: readonly Op[]): { fresh: Op[]; answers: Answer[] }
  end(answers: readonly Answer[]): void
  /** Marks answers as received. The next write saves the marks; a lost mark only resends its answer. */
  acknowledged(keys: readonly Key[]): void
  /** Answers of an earlier process: unacknowledged ones, and `unknown` for each operation that never ended. */
  left(): Answer[]
  /** Deletes entries that were acknowledged more than 30 days ago. Returns their number. */
  prune(now?: Date): number
  /** The credential in use; undefined before the first enrolment. */
  credential(): string | undefined
  /** The credential for enrolment, saved before it is sent, so that a lost reply does not use up the one-use token. */
  pending(): string
  /** Makes the pending credential the one in use. A new identity deletes all entries: their action ids belong to
   * another server or another control plane. */
  enrolled(identity: string): void
  close(): void
}

export function openJournal(file: string): Journal {
  if (file !== ':memory:') {
    closeSync(openSync(file, 'a', 0o600)) // the journal contains the credential
    chmodSync(file, 0o600)
  }
  const db = new DatabaseSync(file)
  db.exec(`pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full; pragma locking_mode = exclusive;
    create table if not exists ops (
      id int not null, attempt int not null, print text not null, answer text,
      begun_at int not null, acknowledged_at int, primary key (id, attempt)) strict, without rowid;
    create index if not exists ops_open on ops (id) where acknowledged_at is null;
    create table if not exists self (one int primary key check (one = 1), credential text, pending text, identity text) strict;
    insert into self (one) values (1) on conflict do nothing`)
  const add = db.prepare('insert into ops (id, attempt, print, begun_at) values (?, ?, ?, ?) on conflict do nothing')
  const find = db.prepare('select print, answer from ops where id = ? and attempt = ?')
  const again = db.prepare(
    'update ops set print = ?, begun_at = ?, answer = null, acknowledged_at = null where id = ? and attempt = ?',
  )
  const write = db.prepare('update ops set answer = ? where id = ? and attempt = ?')
  const mark = db.prepare('update ops set acknowledged_at = ? where id = ? and attempt = ? and answer is not null')
  const self = () => db.prepare('select credential, pending, identity from self').get() as Record<string, string | null>

  const all = <T>(work: () => T): T => {
    db.exec('begin immediate')
    try {
      for (const key of taken.splice(0)) mark.run(Date.now(), key.id, key.attempt)
      const result = work()
      db.exec('commit')
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('rollback') // SQLite rolls back by itself when the disk is full
      throw error
    }
  }
  const taken: Key[] = []
  const end = (answer: Answer) => write.run(JSON.stringify(answer), answer.id, answer.attempt)

  return {
    begin: (ops) =>
      all(() => {
        const fresh: Op[] = []
        const answers: Answer[] = []
        for (const op of ops) {
          const print = printOf(op)
          if (add.run(op.id, op.attempt, print, Date.now()).changes) {
            fresh.push(op)
            continue
          }
          const known = find.get(op.id, op.attempt) as { print: string; answer: string | null }
          if (known.print !== print) {
            // another operation under the same id: the control plane was restored from an older backup
            again.run(print, Date.now(), op.id, op.attempt)
            fresh.push(op)
          } else if (known.answer) answers.push(JSON.parse(known.answer) as Answer) // written by `end`
        }
        return { fresh, answers }
      }),
    end: (answers) => all(() => answers.forEach(end)),
    acknowledged: (keys) => void taken.push(...keys),
    left: () =>
      all(() => {
        const begun = db.prepare('select id, attempt from ops where answer is null').all() as unknown as Key[]
        for (const key of begun) end({ ...key, status: 'unknown', reason: 'The agent ended while it was at work' })
        const untold = db.prepare('select answer from ops where acknowledged_at is null').all() as { answer: string }[]
        return untold.map(({ answer }) => JSON.parse(answer) as Answer) // written by `end`
      }),
    prune: (now = new Date()) =>
      all(() => {
        const before = now.getTime() - keptDays * 86_400_000
        return Number(db.prepare('delete from ops where acknowledged_at < ?').run(before).changes)
      }),
    credential: () => self().credential ?? undefined,
    pending: () =>
      all(() => {
        const made = self().pending ?? randomBytes(32).toString('base64url')
        db.prepare('update self set pending = ?').run(made)
        return made
      }),
    enrolled: (identity) =>
      all(() => {
        if (self().identity !== identity) db.exec('delete from ops')
        db.prepare('update self set credential = pending, pending = null, identity = ?').run(identity)
      }),
    close: () => {
      all(() => undefined)
      db.close()
    },
  }
}

const printOf = ({ name, task, input }: Op) =>
  createHash('sha256')
    .update(JSON.stringify([name, task, input]))
    .digest('base64url')
    .slice(0, 22)
