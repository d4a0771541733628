import { passwordLinkCalls } from '@innkeeper/contract/recovery/archiveImports/passwords'
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { bind } from '../../../kit/api/client.ts'
import { Logo } from '../../../kit/frame/Logo.tsx'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { accountKinds } from '../passwords/words.ts'
import css from './NewPasswordPage.module.css'

const { openLink } = bind('archiveImports', { openLink: passwordLinkCalls.openLink })
type Shown = Awaited<ReturnType<typeof openLink>>

/** Reads the link from the fragment, which browsers never send to a server. */
const linkOf = (hash: string) => /^#([\w-]{1,100})$/.exec(hash)?.[1]

/**
 * The page of a one-use link, for customers without an account here. It asks the server for nothing until somebody presses the
 * button: programs that open the links of a mail do not use them up.
 */
export default function NewPasswordPage() {
  const [link, setLink] = useState(() => linkOf(globalThis.location.hash))
  const [shown, setShown] = useState<Shown>()
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    document.title = 'Your new password · Innkeeper'
    // another link that is opened in this tab changes only the fragment
    const follow = () => {
      const next = linkOf(globalThis.location.hash)
      if (next === undefined) return
      setLink(next)
      setShown(undefined)
      setMessage('')
    }
    globalThis.addEventListener('hashchange', follow)
    return () => globalThis.removeEventListener('hashchange', follow)
  }, [])
  const open = async (key: string) => {
    setBusy(true)
    setMessage('')
    try {
      setShown(await openLink({ link: key }))
      history.replaceState(null, '', globalThis.location.pathname) // the link has been used
    } catch (error) {
      setMessage(error instanceof Error ? error.message : String(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={css.page}>
      <header className={css.name}>
        <Logo size={26} />
        Innkeeper
      </header>
      <main className={css.sheet}>
        <Title order={1} fz={24}>
          Your new password
        </Title>
        {message && (
          <Alert color="error" variant="light" p="10px 12px" mt={16} role="alert">
            {message}
          </Alert>
        )}
        {shown ? (
          <Opened {...shown} />
        ) : link === undefined ? (
          <Text mt={12}>This address lacks its last part. Open the link as it was sent to you.</Text>
        ) : (
          <Stack gap={16} mt={12}>
            <Text>Your account was moved to another server and has a new password. This page shows it once.</Text>
            <Text c="dimmed" fz="sm">
              Have a place ready to keep it, such as your password manager.
            </Text>
            <Button h={40} loading={busy} onClick={() => void open(link)}>
              Show the password
            </Button>
          </Stack>
        )}
      </main>
    </div>
  )
}

const Opened = ({ kind, login, password, server }: Shown) => (
  <Stack gap={14} mt={12}>
    <Text>
      {accountKinds[kind]} on {server}
    </Text>
    <div>
      <Text fz="xs" c="dimmed" mb={4}>
        User name
      </Text>
      <CodeBlock label="user name">{login}</CodeBlock>
    </div>
    <div>
      <Text fz="xs" c="dimmed" mb={4}>
        Password
      </Text>
      <CodeBlock label="password">{password}</CodeBlock>
    </div>
    <Text c="dimmed" fz="sm">
      Keep it now: the link is used up, and nobody can show this password again.
    </Text>
  </Stack>
)
