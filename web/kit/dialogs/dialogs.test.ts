import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../api/client.ts'
import { confirm, confirmByName, dialogStore, errorDialog, type OpenDialog } from './dialogs.ts'

afterEach(() => {
  for (const { id } of dialogStore.get()) dialogStore.remove(id)
})
const first = (): OpenDialog => {
  const [dialog] = dialogStore.get()
  if (!dialog) throw new Error('no dialog is open')
  return dialog
}

test('an error is titled Error, with a line per message and the request', () => {
  void errorDialog(new ApiError(422, { message: ['One', 'Two'], code: 'rule', requestId: 'r1' }))
  expect(first()).toMatchObject({ kind: 'error', title: 'Error', messages: ['One', 'Two'], requestId: 'r1' })
})

test('the callback runs when the dialog is closed, not before', async () => {
  const closed = vi.fn()
  const told = errorDialog('Nothing was saved', closed)
  expect(closed).not.toHaveBeenCalled()
  const dialog = first()
  if (dialog.kind === 'error') dialog.done()
  await told
  expect(closed).toHaveBeenCalledOnce()
})

test('five equal failures open one dialog', () => {
  for (let i = 0; i < 5; i += 1) void errorDialog('The server cannot be reached')
  void errorDialog('Something else')
  expect(dialogStore.get()).toHaveLength(2)
})

test('a cancelled confirmation answers undefined', async () => {
  const asked = confirm({ title: 'Skip it?', verb: 'Skip it' })
  const dialog = first()
  if (dialog.kind === 'confirm') dialog.done(undefined)
  expect(await asked).toBeUndefined()
  const named = confirmByName({ title: 'Delete a?', name: 'a', goes: [], verb: 'Delete website' })
  const second = dialogStore.get().at(-1)
  if (second?.kind === 'confirm-by-name') second.done(false)
  expect(await named).toBe(false)
})
