import { Button, Text, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { revalidate, signOut } from '../../kit/access/account.ts'
import { useOwed } from '../../kit/access/owed.ts'
import { useSession } from '../../kit/access/session.ts'
import { queryClient } from '../../kit/api/queries.ts'
import { errorDialog } from '../../kit/dialogs/dialogs.ts'
import { Logo } from '../../kit/frame/Logo.tsx'
import { Board } from '../auth/Board.tsx'
import css from '../auth/Login.module.css'
import { AddPasskey } from './AddPasskey.tsx'
import { BackupCodes } from './BackupCodes.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { SetUpFactor } from './SetUpFactor.tsx'

/** Required steps before the app opens: choosing an own password, setting up a second factor. */
export default function SettleScreen() {
  const owes = useOwed()
  const { name } = useSession()
  const [codes, setCodes] = useState<string[]>()
  const [byPasskey, setByPasskey] = useState(false)
  const goOn = () => void revalidate().catch(errorDialog)
  const title = owes === 'password' ? 'Choose your password' : 'Set up your second factor'
  useEffect(() => {
    document.title = `${title} · Innkeeper`
  }, [title])
  return (
    <QueryClientProvider client={queryClient}>
      <div className={css.page}>
        <main className={css.desk}>
          <div className={css.name}>
            <Logo size={26} />
            Innkeeper
          </div>
          <div className={css.form} data-wide={owes === 'second-factor' || undefined}>
            <Title order={1} fz={24}>
              {title}
            </Title>
            <Text c="dimmed" mt={4} mb={24}>
              {owes === 'password'
                ? `Welcome, ${name}. The password that you were given is known to somebody else.`
                : `${name}, your role asks for more than a password. Until it is set up, calendar programs get no news from your calendar feed.`}
            </Text>
            {owes === 'password' && <PasswordForm done={goOn} />}
            {owes === 'second-factor' &&
              (codes ? (
                <BackupCodes codes={codes} done={goOn} />
              ) : byPasskey ? (
                <AddPasskey cancel={() => setByPasskey(false)} done={(made) => (made ? setCodes(made) : goOn())} />
              ) : (
                <>
                  <SetUpFactor done={setCodes} />
                  <Button variant="default" fullWidth mt={14} onClick={() => setByPasskey(true)}>
                    Use a passkey instead
                  </Button>
                </>
              ))}
          </div>
          <div>
            <Button variant="subtle" color="secondary" size="xs" onClick={signOut}>
              Sign out
            </Button>
          </div>
        </main>
        <Board />
      </div>
    </QueryClientProvider>
  )
}
