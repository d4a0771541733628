import { Alert, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import { Skeletons } from '../kit/frame/Skeletons.tsx'
import { Scopes, WhoCanGrant } from '../shell/Forbidden.tsx'
import { Blocks } from './Blocks.tsx'
import { PracticePanel } from './PracticePanel.tsx'
import { useBlockOrder } from './useBlockOrder.ts'

/** The home screen: what waits, what is broken and what changed, in blocks that each person puts in order. */
export default function HomeScreen() {
  const { name } = useSession()
  const { denied } = useLocation().state
  const { names, save } = useBlockOrder()
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
        {names ? <Blocks names={names} save={save} /> : <Skeletons />}
      </Stack>
    </Screen>
  )
}
