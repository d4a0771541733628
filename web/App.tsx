import { createBrowserHistory, RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { session } from './kit/access/session.ts'
import { setGoTo } from './kit/frame/goTo.ts'
import { createAppRouter } from './routes.tsx'

const history = createBrowserHistory()

/** Mounted again for each session, so that no state of another person remains. */
export default function App() {
  const [router] = useState(() => createAppRouter(history))
  useEffect(() => setGoTo((href) => void router.navigate({ href })), [router])
  useEffect(() => {
    let { scopes, isAdmin } = session.user
    return session.subscribe(() => {
      const changed = session.user.scopes !== scopes || session.user.isAdmin !== isAdmin
      scopes = session.user.scopes
      isAdmin = session.user.isAdmin
      // after a change of scopes, the guard of the open screen runs again
      if (changed && session.user.jwt) void router.invalidate()
    })
  }, [router])
  return <RouterProvider router={router} />
}
