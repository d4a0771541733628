import { ApiError } from '../api/client.ts'
import { createStore } from '../frame/store.ts'
import { frameTexts } from '../frame/texts.ts'

interface Notice {
  kind: 'success' | 'error' | 'info'
  title: string
  messages: string[]
  requestId?: string
  done: () => void
}
export interface Confirm {
  title: string
  /** Consequence of the action. */
  text?: string
  verb: string
  danger?: boolean
  /** Asks for a reason, which the action log records. */
  reason?: { label: string; required?: boolean }
}
export interface ConfirmByName {
  /** Title as a question that names the object. */
  title: string
  name: string
  goes: string[]
  stays?: string
  /** Verb and noun: "Delete website". */
  verb: string
  /** A further decision; the first option is the default. */
  choice?: { label: string; options: { value: string; label: string }[]; onChange: (value: string) => void }
}
export type Answer = { reason: string } | undefined
type Asked<Q, A> = Q & { done: (answer: A) => void }
export type OpenDialog = { id: number } & (
  | Notice
  | ({ kind: 'confirm' } & Asked<Confirm, Answer>)
  | ({ kind: 'confirm-by-name' } & Asked<ConfirmByName, boolean>)
)

const dialogs = createStore<readonly OpenDialog[]>([])
let last = 0
const nextId = () => {
  last += 1
  return last
}

/** Queue of dialogs: shows one at a time, the oldest first. */
export const dialogStore = {
  ...dialogs,
  remove: (id: number) => dialogs.set(dialogs.get().filter((dialog) => dialog.id !== id)),
}
const add = (dialog: OpenDialog) => dialogs.set([...dialogs.get(), dialog])

/** Cancels all open dialogs when the person signs out. */
export function dropDialogs(): void {
  const open = dialogs.get()
  dialogs.set([])
  for (const dialog of open) {
    if (dialog.kind === 'confirm') dialog.done(undefined)
    else if (dialog.kind === 'confirm-by-name') dialog.done(false)
    else dialog.done()
  }
}

/** Cancels open questions when another page is shown; notices stay. */
export function cancelQuestions(): void {
  for (const dialog of dialogs.get()) {
    if (dialog.kind !== 'confirm' && dialog.kind !== 'confirm-by-name') continue
    dialogStore.remove(dialog.id)
    if (dialog.kind === 'confirm') dialog.done(undefined)
    else dialog.done(false)
  }
}

const titleOf = (kind: Notice['kind']): string => {
  const { done, error, note } = frameTexts()
  return { success: done, error, info: note }[kind]
}
function notice(kind: Notice['kind'], messages: string[], requestId?: string): Promise<void> {
  // shows an error once when several calls of a page fail alike
  const same = dialogs
    .get()
    .some((d) => 'messages' in d && d.kind === kind && d.messages.join('\n') === messages.join('\n'))
  if (same) return Promise.resolve()
  return new Promise((done) => {
    add({ id: nextId(), kind, title: titleOf(kind), messages, requestId, done })
  })
}

export const successDialog = (message: string | string[]): Promise<void> => notice('success', [message].flat())
export const infoDialog = (message: string | string[]): Promise<void> => notice('info', [message].flat())

/** Shows errors (RP8-009): titled Error, one message per line, Close. `closed` runs after the dialog is closed. */
export async function errorDialog(error: unknown, closed?: () => void): Promise<void> {
  if (error instanceof ApiError) await notice('error', [error.body.message].flat(), error.body.requestId)
  else if (typeof error === 'string' || Array.isArray(error)) await notice('error', [error].flat().map(String))
  else await notice('error', [error instanceof Error ? error.message : String(error)])
  closed?.()
}

/** Asks for confirmation of a reversible action; undefined if the person cancels. */
export const confirm = (question: Confirm): Promise<Answer> =>
  new Promise((done) => add({ id: nextId(), kind: 'confirm', ...question, done }))

/** Asks for confirmation of a destructive action: shows what is deleted and kept, and requires the full name. */
export const confirmByName = (question: ConfirmByName): Promise<boolean> =>
  new Promise((done) => add({ id: nextId(), kind: 'confirm-by-name', ...question, done }))
