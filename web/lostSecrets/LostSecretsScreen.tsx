import type { LostKind } from '@innkeeper/contract/lostSecrets'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { LinkButton, LinkTo } from '../kit/frame/LinkTo.tsx'
import { Screen } from '../kit/frame/Screen.tsx'
import { Section } from '../kit/frame/Section.tsx'
import { SkeletonLines } from '../kit/frame/Skeletons.tsx'
import { count } from '../kit/look/format.ts'
import { lostSecretsApi } from './api.ts'

/** What has to be entered again after `npm run new-key -- --forget-secrets`, as far as the reader can enter it. */
export default function LostSecretsScreen() {
  // no hint announces a secret that somebody entered
  const { data, error } = useQuery({ ...lostSecretsApi.list.query(), refetchInterval: 10_000 })
  const all = data?.items.reduce((sum, one) => sum + one.count, 0) ?? 0
  return (
    <Screen meta={all > 0 && <Text>{count(all)} to enter again</Text>}>
      {error && !data && <ErrorLine error={error} />}
      {!data && !error && <SkeletonLines />}
      {data?.items.length === 0 && (
        <Text c="dimmed" p={14}>
          Nothing is lost that you can enter again.
        </Text>
      )}
      <Stack gap={16}>
        {data?.items.map((kind) => (
          <Kind key={kind.what} {...kind} />
        ))}
      </Stack>
    </Screen>
  )
}

function Kind({ what, again, at, count: all, objects }: LostKind) {
  const more = all - objects.length
  return (
    <Section
      title={what}
      hint={count(all)}
      aside={
        <LinkButton to={at as '/'} size="xs" variant="default">
          Open
        </LinkButton>
      }
    >
      <Stack gap={6}>
        <Text>{again}</Text>
        {objects.length > 0 && (
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {objects.map(({ name, page }, n) => (
              <span key={name}>
                {n > 0 && ', '}
                {page ? <LinkTo to={page as '/'}>{name}</LinkTo> : name}
              </span>
            ))}
            {more > 0 && ` and ${count(more)} more`}
          </Text>
        )}
      </Stack>
    </Section>
  )
}
