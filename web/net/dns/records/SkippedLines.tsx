import type { Skipped } from '@innkeeper/contract/net/dns/zoneFile'
import { Alert, List, ScrollArea, Stack, Text } from '@mantine/core'
import { counted } from '../../../kit/look/format.ts'

/** Lines of a zone file that cannot be kept, all of them, and a count of those that Innkeeper makes itself. */
export function SkippedLines({ skipped }: { skipped: readonly Skipped[] }) {
  const lost = skipped.filter(({ managed }) => !managed)
  const managed = skipped.length - lost.length
  return (
    <Stack gap={10}>
      {lost.length > 0 && (
        <Alert color="warning" p="10px 14px" title={`${counted(lost.length, ['line', 'lines'])} cannot be kept`}>
          <ScrollArea.Autosize mah={220}>
            <List spacing={2}>
              {lost.map(({ line, text, why }) => (
                <List.Item key={`${line} ${text}`} style={{ overflowWrap: 'anywhere' }}>
                  Line {line}: {why}
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        </Alert>
      )}
      {managed > 0 && (
        <Text c="dimmed" fz="sm">
          {counted(managed, ['SOA or DNSSEC record is', 'SOA and DNSSEC records are'])} not imported: Innkeeper and the
          name servers make their own.
        </Text>
      )}
    </Stack>
  )
}
