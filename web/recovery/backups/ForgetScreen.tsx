import { keepText } from '@innkeeper/contract/recovery/backups/keep'
import { whenText } from '@innkeeper/contract/recovery/backups/when'
import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { count, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { forget } from './acts.ts'
import { backupsApi } from './api.ts'
import { LastTasks } from './LastTasks.tsx'
import { RepositoryPicker, useChosen } from './RepositoryPicker.tsx'

const MaintenanceModal = lazyDialog(() => import('./MaintenanceModal.tsx'))

export default function ForgetScreen() {
  const chosen = useChosen()
  const { server, repositories, repositoryId } = chosen
  const lacking = useReason()
  const [changing, setChanging] = useState(false)
  const { data } = useQuery({
    ...backupsApi.forgetPreview.query({ id: server?.id ?? 0, ...(repositoryId && { repositoryId }) }),
    enabled: server !== undefined,
  })
  const all = data ? data.stay + data.go : 0
  const shown = data?.backups.length ?? 0
  const idle = server ? 'The preview is being read.' : 'There is no backup server yet.'
  const nothing = data ? (data.go ? undefined : 'Every backup is kept by a policy.') : idle
  return (
    <Screen
      actions={
        <Group gap={8} wrap="nowrap">
          <ActButton
            variant="default"
            reason={lacking(backupsApi.scheduleForget) ?? (server ? undefined : 'There is no backup server yet.')}
            onClick={() => setChanging(true)}
          >
            Policy and schedule…
          </ActButton>
          <ActButton
            reason={lacking(backupsApi.forget) ?? nothing}
            onClick={() => server && void forget(server.id, server.name, data?.go ?? 0, repositoryId)}
          >
            {data?.go ? `Forget ${counted(data.go, ['backup', 'backups'])}…` : 'Forget…'}
          </ActButton>
        </Group>
      }
    >
      <Together>
        <Stack gap={14}>
          <Section title="Which">
            <SimpleGrid cols={{ base: 1, xs: 2 }} maw={640}>
              <RepositoryPicker chosen={chosen} />
            </SimpleGrid>
          </Section>
          {server && (
            <Section title="Policy">
              <Facts
                of={[
                  ['Keeps', `${keepText(server.keep)}; schedules have their own policy`],
                  ['Forgets', server.forget ? whenText(server.forget) : 'by hand only'],
                  ['Next', server.forgetNextAt ? moment(server.forgetNextAt) : '–'],
                ]}
              />
            </Section>
          )}
          <Section
            title="What stays and goes"
            hint={
              data
                ? `${count(data.stay)} stay, ${count(data.go)} go${shown < all ? `. The newest ${count(shown)} of ${count(all)} are listed` : ''}`
                : undefined
            }
            pad={false}
          >
            <SectionTable
              label="What stays and goes"
              rows={data?.backups ?? []}
              keyOf={({ id }) => id}
              maxHeight={520}
              empty={<Text c="dimmed">{data ? 'There is no backup yet.' : idle}</Text>}
              columns={[
                { title: 'Website', cell: ({ domain }) => <Mono>{domain}</Mono> },
                { title: 'Begun', width: 170, cell: ({ at }) => moment(at) },
                { title: '', cell: ({ reasons }) => (reasons.length ? `stays: ${reasons.join(', ')}` : 'goes') },
              ]}
            />
          </Section>
          <LastTasks
            type="forget"
            repositoryIds={repositoryId === undefined ? repositories.map(({ id }) => id) : [repositoryId]}
          />
        </Stack>
      </Together>
      {changing && server && <MaintenanceModal server={server} close={() => setChanging(false)} />}
    </Screen>
  )
}
