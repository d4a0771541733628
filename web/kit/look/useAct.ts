import { useState } from 'react'
import { errorDialog } from '../dialogs/dialogs.ts'

/** Runs a button's action, one at a time; shows a refusal in the error dialog. */
export function useAct(): { busy: boolean; run: (act: () => Promise<unknown>) => Promise<void> } {
  const [busy, setBusy] = useState(false)
  const run = async (act: () => Promise<unknown>) => {
    if (busy) return
    setBusy(true)
    try {
      await act()
    } catch (error) {
      void errorDialog(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
