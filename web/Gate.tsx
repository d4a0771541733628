import { useLayoutEffect } from 'react'
import { isPublicPath } from './desk/files/visitors/isPublicPath.ts'
import { validSession } from './kit/access/account.ts'
import { useOwed } from './kit/access/owed.ts'
import { useSession } from './kit/access/session.ts'
import { loginAddress } from './kit/frame/address.ts'
import { lazyScreen } from './kit/frame/lazyScreen.tsx'

const NewPassword = lazyScreen(() => import('./recovery/archiveImports/visitors/NewPasswordPage.tsx'))
const Login = lazyScreen(() => import('./access/auth/LoginScreen.tsx'))
const Settle = lazyScreen(() => import('./access/security/SettleScreen.tsx'))
const App = lazyScreen(() => {
  // starts the request while the code loads; the consumer awaits it again and handles a failure
  validSession().catch(() => {})
  return import('./App.tsx')
})

/** The page of a one-use link has no router and no session. The path is PASSWORD_PAGE of the contract, which stays out of this bundle. */
const isPasswordPage = (pathname: string) => /^\/new-password\/?$/.test(pathname)

/**
 * Shows the sign-in page at /login without a session; with one, the app, after required steps such as a new password
 * or second factor. The app loads the router, a quarter of the sign-in page's size limit. Sign-in and sign-out in
 * other tabs apply here too.
 */
export function Gate() {
  const signedIn = useSession().jwt !== ''
  const owes = useOwed()
  useLayoutEffect(() => {
    const { pathname, search } = globalThis.location
    if (!signedIn && pathname !== '/login' && !isPublicPath(pathname) && !isPasswordPage(pathname))
      history.replaceState(null, '', loginAddress(pathname + search))
  }, [signedIn])
  if (isPasswordPage(globalThis.location.pathname)) return <NewPassword />
  if (!signedIn) return isPublicPath(globalThis.location.pathname) ? <App key="visitor" /> : <Login />
  return owes ? <Settle /> : <App />
}
