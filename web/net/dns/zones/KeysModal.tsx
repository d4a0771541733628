import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { CodeBlock } from '../../../kit/look/CodeBlock.tsx'
import { dnsApi } from '../api.ts'

const kindNames = { CSK: 'Signing key', KSK: 'Key-signing key (KSK)', ZSK: 'Zone-signing key (ZSK)' } as const

/** Private keys of a zone. They are read only when somebody asks, and the action log says who did. */
export default function KeysModal({ zone, close }: { zone: ZoneView; close: () => void }) {
  const { data, mutate, isPending } = useMutation({
    mutationFn: () => dnsApi.exportKeys({ id: zone.id }),
    onError: (error) => void errorDialog(error),
  })
  return (
    <Dialog opened onClose={close} title={`Private keys of ${zone.domain}`} size={760}>
      <Stack gap={14}>
        {data ? (
          <>
            {data.keys.map(({ file, kind, dnskey, privateKey }) => (
              <Stack key={file} gap={6}>
                <Text fw={500}>{`${kindNames[kind]}, in the format of BIND`}</Text>
                <CodeBlock label={`${file}.key`}>{`; ${file}.key\n${zone.domain}. IN DNSKEY ${dnskey}`}</CodeBlock>
                <CodeBlock label={`${file}.private`}>{`; ${file}.private\n${privateKey.trim()}`}</CodeBlock>
              </Stack>
            ))}
            {data.transfer && (
              <Stack gap={6}>
                <Text fw={500}>Key for transfers to name servers outside, in the format of BIND</Text>
                <CodeBlock label="transfer key">
                  {`key "${data.transfer.name}" { algorithm ${data.transfer.algorithm}; secret "${data.transfer.key}"; };\nzone "${zone.domain}" { type secondary; primaries { ${data.transfer.primary ?? 'no-primary-yet'} key "${data.transfer.name}"; }; file "${zone.domain}"; };`}
                </CodeBlock>
              </Stack>
            )}
            {!data.keys.length && !data.transfer && <Text c="dimmed">There is no key yet.</Text>}
          </>
        ) : (
          <Text>
            Whoever has a signing key can forge signed answers for {zone.domain}. The action log records that you have
            seen the keys.
          </Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
          {!data && (
            <Button loading={isPending} onClick={() => mutate()}>
              Show private keys
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
