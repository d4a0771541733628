import { lazy, Suspense } from 'react'
import { useStore } from '../frame/store.ts'
import { dialogStore } from './dialogs.ts'
import { toastStore } from './toast.ts'

const dialogs = () => import('./Dialogs.tsx')
const toasts = () => import('./Toasts.tsx')
const Dialogs = lazy(dialogs)
const Toasts = lazy(toasts)

/** Preloads the code of dialogs and toasts, so that pushed notifications show without delay. */
export const preloadHosts = (): void => void Promise.all([dialogs(), toasts()]).catch(() => undefined) // lazy() reports it

/** Renders dialogs and toasts, which any code can open; their code loads with the first one. */
export function Hosts() {
  const asks = useStore(dialogStore).length > 0
  const tells = useStore(toastStore).length > 0
  return (
    <>
      <Suspense>{asks && <Dialogs />}</Suspense>
      <Suspense>{tells && <Toasts />}</Suspense>
    </>
  )
}
