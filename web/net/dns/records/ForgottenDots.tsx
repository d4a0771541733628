import { forgottenDot } from '@innkeeper/contract/net/dns/finalDot'
import type { Entry } from '@innkeeper/contract/net/dns/records'
import { Alert, List, ScrollArea } from '@mantine/core'
import { counted } from '../../../kit/look/format.ts'

const SHOWN = 50

/** Records of a zone file whose name or target probably lacks its final dot. They are imported as the file says. */
export function ForgottenDots({
  entries,
  zone,
}: {
  entries: readonly Pick<Entry, 'name' | 'content'>[]
  zone: string
}) {
  const found = [...new Set(entries.flatMap((entry) => forgottenDot(entry, zone) ?? []))]
  if (!found.length) return null
  return (
    <Alert color="warning" p="10px 14px" title={`${counted(found.length, ['name', 'names'])} may lack the final dot`}>
      <ScrollArea.Autosize mah={220}>
        <List spacing={2}>
          {found.slice(0, SHOWN).map((message) => (
            <List.Item key={message} style={{ overflowWrap: 'anywhere' }}>
              {message}
            </List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
    </Alert>
  )
}
