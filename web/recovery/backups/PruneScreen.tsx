import { whenText } from '@innkeeper/contract/recovery/backups/when'
import { Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { lazyDialog } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../kit/frame/Section.tsx'
import { Together } from '../../kit/frame/Together.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { bytes, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { prune } from './acts.ts'
import { backupsApi } from './api.ts'
import { LastTasks } from './LastTasks.tsx'
import { RepositoryPicker, useChosen } from './RepositoryPicker.tsx'

const MaintenanceModal = lazyDialog(() => import('./MaintenanceModal.tsx'))

export default function PruneScreen() {
  const chosen = useChosen()
  const { server, repositories, repositoryId } = chosen
  const lacking = useReason()
  const [changing, setChanging] = useState(false)
  const shown = repositories.filter(({ id }) => repositoryId === undefined || id === repositoryId)
  const name = repositoryId === undefined ? `every repository of ${server?.name}` : (shown[0]?.account ?? '')
  return (
    <Screen
      actions={
        <Group gap={8} wrap="nowrap">
          <ActButton
            variant="default"
            reason={lacking(backupsApi.schedulePrune) ?? (server ? undefined : 'There is no backup server yet.')}
            onClick={() => setChanging(true)}
          >
            Schedule…
          </ActButton>
          <ActButton
            reason={lacking(backupsApi.prune) ?? (server && shown.length ? undefined : 'There is no repository yet.')}
            onClick={() => server && void prune(server.id, name, repositoryId)}
          >
            Prune now…
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
            <Section title="Schedule">
              <Facts
                of={[
                  ['Prunes', server.prune ? whenText(server.prune) : 'by hand only'],
                  ['Next', server.pruneNextAt ? moment(server.pruneNextAt) : '–'],
                ]}
              />
            </Section>
          )}
          <Section title="Repositories" pad={false}>
            <SectionTable
              label="Repositories"
              rows={shown}
              keyOf={({ id }) => id}
              empty={<Text c="dimmed">There is no repository yet.</Text>}
              columns={[
                { title: 'Repository', cell: ({ account }) => <Mono>{account}</Mono> },
                { title: 'Of', cell: ({ serverName }) => <Mono>{serverName}</Mono> },
                { title: 'Size', align: 'right', width: 110, cell: ({ size }) => (size === null ? '–' : bytes(size)) },
                {
                  title: 'Last prune',
                  width: 170,
                  cell: ({ lastPruneAt }) => (lastPruneAt ? moment(lastPruneAt) : 'never'),
                },
                {
                  title: 'Last forget',
                  width: 170,
                  cell: ({ lastForgetAt }) => (lastForgetAt ? moment(lastForgetAt) : 'never'),
                },
              ]}
            />
          </Section>
          <LastTasks type="prune" repositoryIds={shown.map(({ id }) => id)} />
        </Stack>
      </Together>
      {changing && server && <MaintenanceModal server={server} close={() => setChanging(false)} />}
    </Screen>
  )
}
