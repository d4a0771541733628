import type { TransferredZone } from '@innkeeper/contract/net/dns/transfer'
import { Alert, List, Text } from '@mantine/core'

/** What people do, step by step, with a zone that is signed elsewhere: its keys do not come along. */
export function SignedElsewhere({ zone: { serial, signed, trusted } }: { zone: TransferredZone }) {
  if (!signed && trusted === null)
    return (
      <Text c="dimmed" fz="sm" mt={10}>
        Serial {serial} there; the zone is not signed.
      </Text>
    )
  return (
    <Alert
      color="warning"
      p="10px 14px"
      mt={10}
      title={signed ? 'The zone is signed there' : 'Resolvers expect signatures'}
    >
      {trusted && <Text fz="sm">{trusted}</Text>}
      <List type="ordered" fz="sm" mt={6}>
        <List.Item>Remove the DS record at the registry, and wait for its TTL. Read the zone again to look.</List.Item>
        <List.Item>Add the zone here, and enter the name servers of Innkeeper at the registry.</List.Item>
        <List.Item>Wait until the former NS records have expired, then sign the zone on its page here.</List.Item>
        <List.Item>Enter the DS record that the page shows at the registry.</List.Item>
      </List>
    </Alert>
  )
}
