import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type Proof, signIn } from '../../kit/access/account.ts'
import { ApiError } from '../../kit/api/client.ts'
import { Logo } from '../../kit/frame/Logo.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Board } from './Board.tsx'
import css from './Login.module.css'

const LinkForm = lazyPart<{ link: string; leave: () => void }>(
  () => import('./LinkForm.tsx'),
  () => null,
)
const OtherWays = lazyPart<{ say: (message: string) => void; setPasswords: (on: boolean) => void }>(
  () => import('./OtherWays.tsx'),
  () => <div style={{ height: 96 }} />,
)
/** Reads a one-use link from the fragment, which browsers never send to a server. */
const linkOf = (hash: string) => /^#link=([\w-]{1,100})$/.exec(hash)?.[1]
/** Reads the outcome of a sign-in by an identity provider. */
const returnOf = (hash: string) => /^#(failed|signed-in)=([\w%.~-]{1,1000})$/.exec(hash)

export default function LoginScreen() {
  const [link, setLink] = useState(() => linkOf(globalThis.location.hash))
  useEffect(() => {
    // a link that is opened in a tab with this page changes only the fragment
    const follow = () => setLink((before) => linkOf(globalThis.location.hash) ?? before)
    globalThis.addEventListener('hashchange', follow)
    return () => globalThis.removeEventListener('hashchange', follow)
  }, [])
  const leave = () => {
    history.replaceState(null, '', '/login')
    setLink(undefined)
  }
  return (
    <div className={css.page}>
      <main className={css.desk}>
        <div className={css.name}>
          <Logo size={26} />
          Innkeeper
        </div>
        <div className={css.form}>{link ? <LinkForm key={link} link={link} leave={leave} /> : <SignInForm />}</div>
        <Text c="dimmed" fz="xs">
          Every sign-in is written to the action log.
        </Text>
      </main>
      <Board />
    </div>
  )
}

function SignInForm() {
  const [user, setUser] = useState('')
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState('')
  const [returned] = useState(() => returnOf(globalThis.location.hash))
  const [passwords, setPasswords] = useState(true)
  /** Undefined until the server requests a code. */
  const [code, setCode] = useState<string>()
  const [busy, setBusy] = useState(returned?.[1] === 'signed-in')
  const [tried, setTried] = useState(false)
  const passwordField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = 'Sign in · Innkeeper'
  }, [])
  useEffect(() => {
    const [, outcome, value] = returned ?? []
    if (!outcome || !value) return
    void import('./returned.ts')
      .then(({ endReturn }) => endReturn(outcome, value))
      .then((failure) => {
        if (failure) setMessage(failure)
        setBusy(false)
      })
  }, [returned])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (user.trim() && password && !busy) void attempt(async () => (code ? { code } : {}))
  }
  const byPasskey = () =>
    attempt(async () => ({ passkey: await import('./passkey.ts').then(({ answerOfPasskey }) => answerOfPasskey()) }))

  const attempt = async (prove: () => Promise<Proof>) => {
    setBusy(true)
    setMessage('')
    try {
      await signIn(user.trim(), password, await prove()) // the gate then opens the requested page
    } catch (error) {
      if (error instanceof ApiError && error.body.code === 'second-factor') {
        if (code) setMessage(error.message)
        setCode('')
        return
      }
      setMessage(error instanceof Error ? error.message : String(error))
      setPassword('')
      setCode(undefined)
      setTried(false)
      passwordField.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate onSubmit={submit}>
      <Title order={1} fz={24}>
        Sign in
      </Title>
      <Text c="dimmed" mt={4} mb={24}>
        To the back office
      </Text>
      {message && (
        <Alert color="error" variant="light" p="10px 12px" mb={16} role="alert">
          <Text style={{ whiteSpace: 'pre-line' }}>{message}</Text>
        </Alert>
      )}
      <Stack gap={14}>
        <TextInput
          label="User name or e-mail"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          error={tried && !user.trim() && 'Enter your user name'}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          ref={passwordField}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={tried && !password && 'Enter your password'}
        />
        {code !== undefined && (
          <TextInput
            label="Code"
            description="The six digits of your authenticator, or a backup code"
            name="code"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {code !== undefined && (
          <Button variant="default" h={38} onClick={() => void byPasskey()}>
            Use a passkey instead
          </Button>
        )}
        <Button type="submit" fullWidth mt={6} loading={busy} h={38}>
          Sign in
        </Button>
      </Stack>
      <Text c="dimmed" fz="xs" mt={18}>
        {passwords
          ? 'Locked out? Any administrator can set a new password under Users.'
          : 'Passwords are switched off, except for the break-glass administrator.'}
      </Text>
      <OtherWays say={setMessage} setPasswords={setPasswords} />
    </form>
  )
}
