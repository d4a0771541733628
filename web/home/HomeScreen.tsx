import { Alert, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import { Split } from '../kit/frame/Section.tsx'
import { Scopes, WhoCanGrant } from '../shell/Forbidden.tsx'
import { NextLeave } from './NextLeave.tsx'
import { NextShift } from './NextShift.tsx'
import { PracticePanel } from './PracticePanel.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { Tasks } from './Tasks.tsx'
import { TroubledServers } from './TroubledServers.tsx'
import { Unread } from './Unread.tsx'
import { UpcomingEvents } from './UpcomingEvents.tsx'

/** The home screen: tasks first, then shortcuts. */
export default function HomeScreen() {
  const { name } = useSession()
  const { denied } = useLocation().state
  return (
    <Screen meta={<Text>Signed in as {name}</Text>}>
      <Stack gap={16}>
        {denied && (
          <Alert role="alert" color="warning" p="10px 14px" title={`You may not open ${denied.title}`}>
            <Text>
              It needs <Scopes of={denied.lacks} />, which you do not hold. <WhoCanGrant of={denied.lacks} />
            </Text>
          </Alert>
        )}
        <PracticePanel />
        <Split sideLast side={<Shortcuts />}>
          <NextShift />
          <Unread />
          <NextLeave />
          <UpcomingEvents />
          <Tasks />
          <TroubledServers />
        </Split>
      </Stack>
    </Screen>
  )
}
