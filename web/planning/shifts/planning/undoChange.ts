import { attempt } from '../../../kit/api/attempt.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'

/** Undoes a change of the plan; asks first if leaves are charged anew by that. */
export async function undoChange(id: number): Promise<void> {
  const seen = await attempt(() => confirmLeaves(() => shiftsApi.undoLeaves({ id }), { verb: 'Undo' }), [])
  if (!seen) return
  const done = await attempt(() => shiftsApi.undo({ id, ...seen }), ['shifts'])
  if (done) toast.success('The change is undone', done.text)
}
