import type { ConfigVersionView, ResetPlan } from '@innkeeper/contract/recovery/configs/shapes'
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { configsApi } from './api.ts'
import { services, touched } from './words.ts'

type File = ResetPlan['files'][number]
const acts: Readonly<Record<File['act'], string>> = {
  ...{ write: 'is restored', create: 'is created again', remove: 'is removed', same: 'is the same', kept: 'stays' },
}
const changes = ({ act }: File) => act !== 'same' && act !== 'kept'

/** Shows what a reset would do, by the answer of the server, and starts it with the chosen files. */
export default function ResetModal({ version, close }: { version: ConfigVersionView; close: () => void }) {
  const { id, serverName, service, number } = version
  const { data, error, isFetching, refetch } = useQuery({
    ...configsApi.preview.query({ id }),
    retry: false,
    gcTime: 0,
  })
  const [without, setWithout] = useState<readonly string[]>([])
  const { busy, run } = useAct()
  const navigate = useNavigate()
  const changing = data?.files.filter(changes) ?? []
  const paths = changing.map(({ path }) => path).filter((path) => !without.includes(path))
  const start = () =>
    run(async () => {
      await configsApi.reset({ id, paths })
      void readAgain(touched)
      toast.info(
        `${services[service]} on ${serverName} is being reset`,
        'If the service fails with these files, the former files return.',
      )
      close()
      await navigate({ to: '/backups/config-reset-action-logs' })
    })
  const toggle = (path: string) =>
    setWithout(without.includes(path) ? without.filter((one) => one !== path) : [...without, path])
  return (
    <Dialog
      opened
      onClose={close}
      title={`Reset ${services[service]} of ${serverName} to version ${number}`}
      size={720}
    >
      <Stack gap={14}>
        {data ? (
          <Plan plan={data} changing={changing} without={without} toggle={toggle} />
        ) : (
          <Text c="dimmed">{error?.message ?? `Asking ${serverName}…`}</Text>
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            Ask again
          </Button>
          <ActButton
            reason={paths.length ? undefined : 'No file differs from this version.'}
            loading={busy}
            onClick={() => void start()}
          >
            {paths.length ? `Reset ${counted(paths.length, ['file', 'files'])}` : 'Nothing to reset'}
          </ActButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface Props {
  plan: ResetPlan
  changing: readonly File[]
  without: readonly string[]
  toggle: (path: string) => void
}

function Plan({ plan: { files, effect, serverName }, changing, without, toggle }: Props) {
  const kept = files.filter(({ act }) => act === 'kept')
  if (!changing.length && !kept.length) return <Text>{serverName} has this version already.</Text>
  return (
    <>
      {changing.length > 0 && (
        <>
          <Text>
            The service checks the files before it uses them ({effect}), and is checked afterwards. If anything is worse
            than before, all former files are restored.
          </Text>
          <Stack gap={6}>
            {changing.map(({ path, act }) => (
              <Checkbox
                key={path}
                checked={!without.includes(path)}
                onChange={() => toggle(path)}
                label={
                  <>
                    <Mono style={{ overflowWrap: 'anywhere' }}>{path}</Mono>{' '}
                    <Text span c="dimmed">
                      {acts[act]}
                    </Text>
                  </>
                }
              />
            ))}
          </Stack>
        </>
      )}
      {kept.length > 0 && (
        <div>
          <Text fw={500} mb={4}>
            {counted(kept.length, ['file stays', 'files stay'])} as {kept.length === 1 ? 'it is' : 'they are'}
          </Text>
          {kept.map(({ path, reason }) => (
            <Text key={path} fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              <Mono>{path}</Mono> {reason}
            </Text>
          ))}
        </div>
      )}
    </>
  )
}
