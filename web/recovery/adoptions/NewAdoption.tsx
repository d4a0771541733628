import { Button, Group, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { adoptionsApi } from './api.ts'
import { touched } from './words.ts'

const adopted = {
  query: (input: { search: string; itemsPerPage: number }) => serversApi.list.query({ ...input, type: ['adopted'] }),
}

/** Chooses the machine that the agent looks at. */
export default function NewAdoption({ close }: { close: () => void }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { busy, run } = useAct()
  const [serverId, setServerId] = useState<number | null>(null)
  const [error, setError] = useState<ApiError>()
  const go = async () => {
    setError(undefined)
    try {
      const { data } = await adoptionsApi.look({ serverId: serverId ?? 0 })
      void readAgain(touched)
      close()
      void navigate({ to: '/adoptions/$id', params: { id: String(data.id) } })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    }
  }
  return (
    <Dialog opened onClose={close} title="Look at a server in use" size={520}>
      <Stack gap={16}>
        <Text c="dimmed" fz="xs">
          Add the machine on the page Servers first, with the type “Adopted, in use elsewhere”, and install its agent.
          Nothing is set up on it. The look lists its websites, databases and mail, and changes nothing.
        </Text>
        <PickOne
          label="Server"
          placeholder="Search adopted servers"
          required
          mono
          call={adopted}
          nameOf={({ name }) => name}
          hint={({ address }) => address ?? ''}
          value={serverId}
          onChange={setServerId}
          error={error?.body.fields?.serverId}
          reason={lacking(serversApi.list)}
        />
        {error && !error.body.fields?.serverId && (
          <Text c="red" fz="sm" role="alert">
            {error.message}
          </Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <ActButton
            loading={busy}
            reason={serverId === null ? 'Choose a server first.' : undefined}
            onClick={() => void run(go)}
          >
            Look at server
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}
