import { lazy, Suspense, useSyncExternalStore } from 'react'
import { dialogStore } from './dialogs.ts'
import { toastStore } from './toast.ts'

const Dialogs = lazy(() => import('./Dialogs.tsx'))
const Toasts = lazy(() => import('./Toasts.tsx'))

/** Dialogs and toasts can be raised from anywhere; their code comes with the first one. */
export function Hosts() {
  const asks = useSyncExternalStore(dialogStore.subscribe, () => dialogStore.get().length > 0)
  const tells = useSyncExternalStore(toastStore.subscribe, () => toastStore.get().length > 0)
  return (
    <>
      <Suspense>{asks && <Dialogs />}</Suspense>
      <Suspense>{tells && <Toasts />}</Suspense>
    </>
  )
}
