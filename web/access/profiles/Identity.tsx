import type { Profile } from '@innkeeper/contract/access/profiles'
import { Text } from '@mantine/core'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { Mono } from '../../kit/look/Mono.tsx'

/** User name, email and department below the heading. */
export const Identity = ({ of: { username, email, departmentName } }: { of: Profile }) => (
  <>
    <Mono>{username}</Mono>
    <Dot />
    <Text>{email}</Text>
    {departmentName && (
      <>
        <Dot />
        <Text>{departmentName}</Text>
      </>
    )}
  </>
)
