import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { attempt } from '../../kit/api/attempt.ts'
import { queryClient } from '../../kit/api/queries.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section, Split } from '../../kit/frame/Section.tsx'
import { counted } from '../../kit/look/format.ts'
import { SessionList } from '../users/sessions/SessionList.tsx'
import { authApi } from './api.ts'
import { FactorSection } from './FactorSection.tsx'
import { PasskeysSection } from './PasskeysSection.tsx'
import { PasswordForm } from './PasswordForm.tsx'

/** The signed-in person's password, second factor and sessions. */
export default function SecurityScreen() {
  return (
    <Screen meta="Your password, your second factor, your passkeys, and where you are signed in">
      <Split sideLast side={<OwnSessions />}>
        <Stack gap={16}>
          <Section title="Password" hint="every other session ends when it changes">
            <PasswordForm
              done={() => {
                toast.success('Your password is changed', 'You are signed out everywhere else.')
                void queryClient.invalidateQueries({ queryKey: authApi.sessions.key })
              }}
            />
          </Section>
          <FactorSection />
          <PasskeysSection />
        </Stack>
      </Split>
    </Screen>
  )
}

function OwnSessions() {
  const { data, error, isPending } = useQuery(authApi.sessions.query())
  const others = data ? data.items.filter(({ current }) => !current).length : 0
  const endOthers = async () => {
    const sure = await confirm({
      title: `Sign out in ${counted(others, ['other place', 'other places'])}?`,
      text: 'Only this browser stays signed in.',
      verb: 'Sign out elsewhere',
    })
    if (!sure) return
    const done = await attempt(() => authApi.endOthers(), ['auth'])
    if (done) toast.success('You are signed in only here')
  }
  return (
    <Section
      title="Signed in"
      aside={
        others > 0 && (
          <Button size="xs" variant="default" onClick={() => void endOthers()}>
            Sign out elsewhere
          </Button>
        )
      }
    >
      {isPending && <Skeleton h={80} />}
      {error && <Text c="error">{error.message}</Text>}
      {data && (
        <SessionList sessions={data.items} end={({ id }) => void attempt(() => authApi.endSession({ id }), ['auth'])} />
      )}
    </Section>
  )
}
