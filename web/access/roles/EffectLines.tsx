import type { Effect } from '@innkeeper/contract/access/roles'
import { Group, Stack, Text } from '@mantine/core'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'

const people = ['person', 'people'] as const
/** Longer lists are summed up in a number. */
const SHOWN = 12

/** Lines such as "− 3 people lose dns:zone:delete", losses first. */
export function EffectLines({ effect }: { effect: Pick<Effect, 'gives' | 'takes'> }) {
  const lines = [
    ...effect.takes.map((line) => ({ ...line, sign: '−', verb: ['loses', 'lose'], colour: 'error' })),
    ...effect.gives.map((line) => ({ ...line, sign: '+', verb: ['gets', 'get'], colour: 'success' })),
  ]
  return (
    <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {lines.slice(0, SHOWN).map(({ sign, scope, people: n, verb, colour }) => (
        <Group key={`${sign}${scope}`} component="li" gap={6} wrap="nowrap" align="baseline">
          <Text span fw={600} c={`var(--mantine-color-${colour}-text)`} aria-hidden>
            {sign}
          </Text>
          <Text span style={{ overflowWrap: 'anywhere' }}>
            {n === 0 ? 'Nobody yet' : counted(n, people)} {verb[n === 1 || n === 0 ? 0 : 1]} <Mono>{scope}</Mono>
          </Text>
        </Group>
      ))}
      {lines.length > SHOWN && (
        <Text c="dimmed" component="li">
          and {lines.length - SHOWN} more
        </Text>
      )}
    </Stack>
  )
}
