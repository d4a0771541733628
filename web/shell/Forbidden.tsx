import { Fragment } from 'react'
import { grantSentence, useGrantors } from '../kit/access/grantors.ts'
import { EmptyState } from '../kit/frame/emptyStates.tsx'
import { LinkButton } from '../kit/frame/LinkTo.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { initials } from '../kit/look/initials.ts'
import { Mono } from '../kit/look/Mono.tsx'

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
        <LinkButton to="/" variant="default">
          Back to home
        </LinkButton>
      }
    >
      This screen needs <Scopes of={lacks} />, which you do not hold. <WhoCanGrant of={lacks} />
    </EmptyState>
  </Screen>
)

export const Scopes = ({ of }: { of: string[] }) =>
  of.map((scope, i) => (
    <Fragment key={scope}>
      {i > 0 && (i === of.length - 1 ? ' and ' : ', ')}
      <Mono c="var(--mantine-color-text)">{scope}</Mono>
    </Fragment>
  ))

/** "Anna Berg can grant it." */
export function WhoCanGrant({ of }: { of: string[] }) {
  useGrantors()
  return grantSentence(of)
}
