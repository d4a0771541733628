import type { OriginVhost } from '@innkeeper/contract/net/originVhosts/shapes'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryClient } from '../../kit/api/queries.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { FileDiffs } from '../../kit/look/FileDiffs.tsx'
import { moment } from '../../kit/look/format.ts'
import { originVhostsApi } from './api.ts'

/** Shows how the files of a website on its server differ from the expected ones. Compares when opened. */
export default function CompareModal({
  vhost: { id, domain, serverName },
  close,
}: {
  vhost: OriginVhost
  close: () => void
}) {
  const { data, error, isFetching, refetch } = useQuery({
    ...originVhostsApi.diff.query({ id }),
    retry: false,
    gcTime: 0,
  })
  useEffect(() => {
    if (data) void queryClient.invalidateQueries({ queryKey: originVhostsApi.list.key })
  }, [data])
  return (
    <Dialog opened onClose={close} title={`${domain} on ${serverName}`} size={760}>
      <Stack gap={14}>
        {data ? (
          <FileDiffs files={data.files} none="Its files are as they should be." />
        ) : (
          <Text c="dimmed">{error?.message ?? `Asking ${serverName}…`}</Text>
        )}
        <Group justify="space-between">
          <Text c="dimmed" fz="xs">
            {data && `asked ${moment(data.at)}; - is on the server, + is wanted`}
          </Text>
          <Group gap={8}>
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              Ask again
            </Button>
            <Button variant="default" onClick={close}>
              Close
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  )
}
