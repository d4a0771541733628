import type { NameCheck } from '@innkeeper/contract/net/ssl/shapes'
import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorLine } from '../../../kit/frame/ErrorLine.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { sslApi } from '../api.ts'
import { limitWords } from '../words.ts'

interface Props {
  websiteId: number | undefined
  subDomains: readonly string[]
  vhostAliases: boolean
}

/** Whether the authority would validate each name, with the checks made and the remaining rate limits. */
export function Preflight({ websiteId, subDomains, vhostAliases }: Props) {
  const asked = { websiteId: websiteId ?? 0, subDomains: [...subDomains], vhostAliases }
  const query = useQuery({
    ...sslApi.preflight.query(asked),
    enabled: websiteId !== undefined,
    retry: false,
    staleTime: 30_000,
  })
  const { data, error, isFetching } = query
  return (
    <Section
      title="Preflight"
      hint={data && new URL(data.directory).host}
      aside={
        <ActButton
          size="xs"
          variant="default"
          loading={isFetching}
          reason={websiteId === undefined ? 'Choose a website first.' : undefined}
          onClick={() => void query.refetch()}
        >
          Look again
        </ActButton>
      }
    >
      <Stack gap={12}>
        {websiteId === undefined && (
          <Text c="dimmed">Choose a website: its names are checked before anything is ordered.</Text>
        )}
        {isFetching && !data && <Text c="dimmed">Checking DNS, CAA and the challenge of each name…</Text>}
        {error && <ErrorLine error={error} />}
        {data?.authority && <Text c="error">{data.authority}</Text>}
        {data && <Checks items={data.items} />}
        {data?.limits.map((limit) => (
          <Text key={limitWords(limit)} c={limit.used >= limit.most ? 'error' : 'dimmed'} fz="xs">
            {limitWords(limit)}
          </Text>
        ))}
      </Stack>
    </Section>
  )
}

const stateOf = ({ ok, checks }: NameCheck) => {
  if (!ok) return { state: 'blocked', label: 'Would fail' }
  return checks.some(({ level }) => level !== 'ok')
    ? { state: 'pending', label: 'Likely' }
    : { state: 'valid', label: 'Ready' }
}

const Checks = ({ items }: { items: readonly NameCheck[] }) => (
  <Table.ScrollContainer minWidth={280}>
    <Table verticalSpacing={8} horizontalSpacing={0} aria-label="Names">
      <Table.Tbody>
        {items.map((item) => (
          <Table.Tr key={item.name}>
            <Table.Td style={{ verticalAlign: 'top' }}>
              <Mono style={{ overflowWrap: 'anywhere' }}>{item.name}</Mono>
              {item.checks.map(({ what, level, text }) => (
                <Text key={what} c={level === 'blocker' ? 'error' : level === 'warning' ? 'warning' : 'dimmed'} fz="xs">
                  {text}
                </Text>
              ))}
            </Table.Td>
            <Table.Td w={104} style={{ verticalAlign: 'top' }}>
              <StatusBadge {...stateOf(item)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
)
