import type { User } from '@innkeeper/contract/access/users/shapes'
import { Text } from '@mantine/core'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ago, moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { rightsWord } from '../words.ts'

/** How this person signs in; the menu of the page has the actions. */
export const SignInSection = ({ user }: { user: User }) => (
  <Section title="Sign-in">
    <Facts
      width={112}
      of={[
        ['Last', user.lastSignInAt ? ago(user.lastSignInAt) : 'Never'],
        ['Password', user.mustChangePassword ? 'Has to be changed at the next sign-in' : 'Their own'],
        ['Second factor', user.secondFactor ? 'On' : 'Off'],
        ['Rights', rightsWord(user)],
        ['Created', moment(user.createdAt)],
      ]}
    />
    {user.lockedUntil && (
      <Text mt={10} component="div">
        <StatusBadge state="blocked" label="Locked" /> after too many wrong passwords, until {moment(user.lockedUntil)}.
        Unlock it in the menu above.
      </Text>
    )}
  </Section>
)
