import { Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useSession } from '../kit/access/session.ts'
import { dayText, today } from '../kit/calendar/days.ts'
import { Dot } from '../kit/frame/PageHeader.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { SkeletonLines } from '../kit/frame/Skeletons.tsx'
import { shownZone } from '../kit/look/zone.ts'
import { LostLine } from '../lostSecrets/LostLine.tsx'
import { Refused } from '../shell/Forbidden.tsx'
import { Blocks } from './Blocks.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { PracticePanel } from './PracticePanel.tsx'
import { homeTexts } from './texts.ts'
import { useBlockOrder } from './useBlockOrder.ts'
import { WaitingPanel } from './WaitingPanel.tsx'

/** The home screen: what waits, what is broken and what changed, in blocks that each person puts in order. */
export default function HomeScreen() {
  const { name } = useSession()
  const { denied } = useLocation().state
  const { names, save } = useBlockOrder()
  return (
    <Screen
      meta={
        <>
          <Text>{homeTexts().signedInAs(name)}</Text>
          <Dot />
          <Text>{dayText(today(shownZone()), 'long')}</Text>
        </>
      }
    >
      <Stack gap={16}>
        {denied && <Refused {...denied} />}
        <LostLine />
        <WaitingPanel />
        <FirstSteps />
        <PracticePanel />
        {names ? <Blocks names={names} save={save} /> : <SkeletonLines />}
      </Stack>
    </Screen>
  )
}
