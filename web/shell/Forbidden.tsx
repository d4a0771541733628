import { Alert, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { grantSentence, useGrantors } from '../kit/access/grantors.ts'
import type { Denied } from '../kit/access/guard.ts'
import { scopesSentence } from '../kit/access/reasons.ts'
import { EmptyState } from '../kit/frame/emptyStates.tsx'
import { LinkButton } from '../kit/frame/LinkTo.tsx'
import { lazyDialog } from '../kit/frame/lazyScreen.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { initials } from '../kit/look/initials.ts'

const AskModal = lazyDialog<{ scopes: string[]; path: string; close: () => void; onAsked: () => void }>(
  () => import('../access/elevations/AskModal.tsx'),
)

/**
 * Shown instead of a screen whose calls the person may not make: names the missing permissions and who can grant them.
 */
export const Forbidden = ({ title, lacks }: { title: string; lacks: string[] }) => (
  <Screen bare>
    <EmptyState
      order={1}
      tag={initials(title)}
      title={`You may not open ${title}`}
      action={
        <>
          <LinkButton to="/" variant="default">
            Back to home
          </LinkButton>
          <AskForIt scopes={lacks} path={location.pathname} />
        </>
      }
    >
      This screen needs <Lacking scopes={lacks} />
    </EmptyState>
  </Screen>
)

/** On the home screen, to which a refused route leads (RP6-005): what is missing, who can grant it, and both ways on. */
export const Refused = ({ title, lacks, path }: Denied) => (
  <Alert role="alert" color="warning" p="10px 14px" title={`You may not open ${title}`}>
    <Text>
      It needs <Lacking scopes={lacks} />
    </Text>
    <Group gap={8} mt={10}>
      <AskForIt scopes={lacks} path={path} />
      <LinkButton to={path} variant="default">
        Try again
      </LinkButton>
    </Group>
  </Alert>
)

/** Opens the form that asks whoever can grant the permissions. */
function AskForIt({ scopes, path }: { scopes: string[]; path: string }) {
  const [asking, setAsking] = useState(false)
  const [asked, setAsked] = useState(false)
  return (
    <>
      <ActButton reason={asked ? 'Whoever can grant it knows.' : undefined} onClick={() => setAsking(true)}>
        {asked ? 'Asked' : 'Ask for it…'}
      </ActButton>
      {asking && <AskModal scopes={scopes} path={path} close={() => setAsking(false)} onAsked={() => setAsked(true)} />}
    </>
  )
}

/** "“See zones”, which you do not have. Anna Berg can grant it." */
function Lacking({ scopes }: { scopes: string[] }) {
  useGrantors()
  return `${scopesSentence(scopes)}, which you do not have. ${grantSentence(scopes)}`
}
