import '../../../kit/frame/shell.css'
import { Anchor } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { queryClient } from '../../../kit/api/queries.ts'
import { loginAddress } from '../../../kit/frame/address.ts'
import { Logo } from '../../../kit/frame/Logo.tsx'
import css from '../Files.module.css'

/** Frame of screens without a guard for visitors: logo and sign-in link. */
export default function VisitorFrame() {
  const { pathname } = useLocation()
  return (
    <QueryClientProvider client={queryClient}>
      <div className={css.page}>
        <header className={css.bar}>
          <span className={css.name}>
            <Logo />
            Innkeeper
          </span>
          <Anchor href={loginAddress(pathname)}>Sign in</Anchor>
        </header>
        <main id="content" style={{ display: 'flex', flex: 1, flexDirection: 'column' }}>
          <Outlet />
        </main>
      </div>
    </QueryClientProvider>
  )
}
