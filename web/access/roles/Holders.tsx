import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { count } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { usersApi } from '../users/api.ts'

const SHOWN = 8

/** Who has a permission, and why. */
export function Holders({ scope }: { scope: string }) {
  const reason = useReason()(usersApi.ofScope)
  const { data, error, isPending } = useQuery({
    ...usersApi.ofScope.query({ scope, itemsPerPage: SHOWN }),
    enabled: !reason,
  })
  return (
    <Section title="Who has it" hint={<Mono>{scope}</Mono>}>
      {reason && <Text c="dimmed">{reason}</Text>}
      {!reason && isPending && <Skeleton h={80} />}
      {error && <Text c="error">{error.message}</Text>}
      {data?.items.length === 0 && <Text c="dimmed">Nobody.</Text>}
      <Stack gap={4}>
        {data?.items.map(({ id, name, isAdmin, roleId, roleName }) => (
          <Text key={id} truncate>
            {name}{' '}
            <Text span c="dimmed">
              {isAdmin ? (
                'as an administrator'
              ) : (
                <>
                  through{' '}
                  <LinkTo to="/roles/edit/$roleId" params={{ roleId: String(roleId) }} c="inherit">
                    {roleName}
                  </LinkTo>
                </>
              )}
            </Text>
          </Text>
        ))}
        {data && data.total > SHOWN && (
          <LinkTo to="/users" search={{ scope }} fz="sm">
            All {count(data.total)}
          </LinkTo>
        )}
      </Stack>
    </Section>
  )
}
