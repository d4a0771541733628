import { ApiError } from '../api/client.ts'
import { createStore } from '../frame/store.ts'

interface Notice {
  kind: 'success' | 'error' | 'info'
  title: string
  messages: string[]
  requestId?: string
  done: () => void
}
export interface Confirm {
  title: string
  /** What will happen. */
  text?: string
  verb: string
  danger?: boolean
  /** Asks for a reason, which is written to the log. */
  reason?: { label: string; required?: boolean }
}
export interface ConfirmByName {
  /** A question with the name. */
  title: string
  name: string
  goes: string[]
  stays?: string
  /** Verb and noun: "Delete website". */
  verb: string
  /** What else there is to decide, the first of it as long as nothing is chosen. */
  choice?: { label: string; options: { value: string; label: string }[]; onChange: (value: string) => void }
}
export type Answer = { reason: string } | undefined
type Asked<Q, A> = Q & { done: (answer: A) => void }
export type Dialog = { id: number } & (
  | Notice
  | ({ kind: 'confirm' } & Asked<Confirm, Answer>)
  | ({ kind: 'confirm-by-name' } & Asked<ConfirmByName, boolean>)
)

const dialogs = createStore<readonly Dialog[]>([])
let last = 0
const nextId = () => {
  last += 1
  return last
}

/** One dialog at a time, the oldest first. */
export const dialogStore = {
  ...dialogs,
  remove: (id: number) => dialogs.set(dialogs.get().filter((dialog) => dialog.id !== id)),
}
const add = (dialog: Dialog) => dialogs.set([...dialogs.get(), dialog])

/** Who signed out answers nothing any more: what was asked counts as thought better of. */
export function dropDialogs(): void {
  const open = dialogs.get()
  dialogs.set([])
  for (const dialog of open) {
    if (dialog.kind === 'confirm') dialog.done(undefined)
    else if (dialog.kind === 'confirm-by-name') dialog.done(false)
    else dialog.done()
  }
}

const titles = { success: 'Done', error: 'Error', info: 'Note' }
function notice(kind: Notice['kind'], messages: string[], requestId?: string): Promise<void> {
  // a page whose five calls fail alike says it once
  const same = dialogs
    .get()
    .some((d) => 'messages' in d && d.kind === kind && d.messages.join('\n') === messages.join('\n'))
  if (same) return Promise.resolve()
  return new Promise((done) => {
    add({ id: nextId(), kind, title: titles[kind], messages, requestId, done })
  })
}

export const successDialog = (message: string | string[]): Promise<void> => notice('success', [message].flat())
export const infoDialog = (message: string | string[]): Promise<void> => notice('info', [message].flat())

/** RP8-009: titled Error, one message per line, Close. `closed` runs when it was closed. */
export async function errorDialog(error: unknown, closed?: () => void): Promise<void> {
  if (error instanceof ApiError) await notice('error', [error.body.message].flat(), error.body.requestId)
  else if (typeof error === 'string' || Array.isArray(error)) await notice('error', [error].flat().map(String))
  else await notice('error', [error instanceof Error ? error.message : String(error)])
  closed?.()
}

/** Asks before an act that can be taken back; undefined when the person thought better of it. */
export const confirm = (question: Confirm): Promise<Answer> =>
  new Promise((done) => add({ id: nextId(), kind: 'confirm', ...question, done }))

/** Asks before a destructive act: what goes, what stays, and the name in full. */
export const confirmByName = (question: ConfirmByName): Promise<boolean> =>
  new Promise((done) => add({ id: nextId(), kind: 'confirm-by-name', ...question, done }))
