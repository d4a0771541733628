import type { ConversationPage } from '@innkeeper/contract/quality/qc/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { Section } from '../../../kit/frame/Section.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { checkNames, measured } from './words.ts'

/** Characters of an excerpt. */
const SHOWN = 160

/** Results of automatic checks beside a conversation: what failed first, with the words that it concerns. */
export default function ChecksOf({ page: { checks, items } }: { page: ConversationPage }) {
  if (!checks?.items.length) return null
  const bodies = new Map(items.map(({ id, body }) => [id, body]))
  const hint = checks.isDue ? 'checked again soon' : `checked ${ago(checks.checkedAt)}, not by people`
  return (
    <Section title="Automatic checks" hint={hint}>
      <Stack gap={8}>
        {checks.items.map((one) => (
          <div key={one.ruleId}>
            <Group gap={8} wrap="nowrap" justify="space-between">
              <Text truncate title={checkNames[one.check]}>
                {one.name}
              </Text>
              <Group gap={8} wrap="nowrap">
                <Text c="dimmed" fz="xs">
                  {measured(one)}
                </Text>
                <StatusBadge
                  state={one.result === 'failed' ? 'failed' : 'done'}
                  label={one.result === 'failed' ? 'Failed' : 'Passed'}
                />
              </Group>
            </Group>
            {one.result === 'failed' &&
              one.places.slice(0, 3).map(({ messageId, from, to }) => (
                <Text key={`${messageId} ${from}`} c="dimmed" fz="xs" truncate dir="auto">
                  {bodies.get(messageId)?.slice(from, Math.min(to, from + SHOWN))}
                </Text>
              ))}
          </div>
        ))}
      </Stack>
    </Section>
  )
}
