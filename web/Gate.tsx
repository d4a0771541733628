import { useLayoutEffect } from 'react'
import { lazyScreen } from './kit/lazyScreen.tsx'
import { useSession } from './kit/session.ts'
import { loginAddress } from './paths.ts'

const Login = lazyScreen(() => import('./login/LoginScreen.tsx'))
const App = lazyScreen(() => import('./App.tsx'))

/**
 * Without a session there is the sign-in page, at /login, whatever was asked for; with one there is the app. The app
 * brings the router, which is a quarter of what the sign-in page may weigh. Other tabs come and go along.
 */
export function Gate() {
  const signedIn = useSession().jwt !== ''
  useLayoutEffect(() => {
    const { pathname, search } = globalThis.location
    if (!signedIn && pathname !== '/login') history.replaceState(null, '', loginAddress(pathname + search))
  }, [signedIn])
  return signedIn ? <App /> : <Login />
}
