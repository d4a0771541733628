import { useLayoutEffect } from 'react'
import { isPublicPath } from './files/isPublicPath.ts'
import { validSession } from './kit/access/account.ts'
import { useOwed } from './kit/access/owed.ts'
import { useSession } from './kit/access/session.ts'
import { loginAddress } from './kit/frame/address.ts'
import { lazyScreen } from './kit/frame/lazyScreen.tsx'

const Login = lazyScreen(() => import('./login/LoginScreen.tsx'))
const Settle = lazyScreen(() => import('./security/SettleScreen.tsx'))
const App = lazyScreen(() => {
  validSession().catch(() => {}) // asked while the code comes; whoever needs the answer asks again and says why there is none
  return import('./App.tsx')
})

/**
 * Without a session there is the sign-in page, at /login, whatever was asked for; with one there is the app, once the
 * person has done what comes first: a new password, a second factor. The app brings the
 * router, which is a quarter of what the sign-in page may weigh. Other tabs come and go along. Open screens are the app's too.
 */
export function Gate() {
  const signedIn = useSession().jwt !== ''
  const owes = useOwed()
  useLayoutEffect(() => {
    const { pathname, search } = globalThis.location
    if (!signedIn && pathname !== '/login' && !isPublicPath(pathname))
      history.replaceState(null, '', loginAddress(pathname + search))
  }, [signedIn])
  if (!signedIn) return isPublicPath(globalThis.location.pathname) ? <App key="visitor" /> : <Login />
  return owes ? <Settle /> : <App />
}
