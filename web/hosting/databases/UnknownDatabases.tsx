import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { megabytes } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { serversApi } from '../../machines/servers/api.ts'
import { WebsiteField } from '../websites/WebsiteField.tsx'
import { databasesApi } from './api.ts'
import type { Engine } from './EngineField.tsx'
import { engineWords } from './words.ts'

/** Compares the databases of a server with Innkeeper's own list. */
export function UnknownDatabases() {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  const [server, setServer] = useState<number>()
  const [adopting, setAdopting] = useState<{ name: string; engine: Engine }>()
  const { data, error } = useQuery({
    ...databasesApi.orphans.query({ server: server ?? 0 }),
    enabled: open && server !== undefined,
  })
  return (
    <>
      <ActButton
        variant="default"
        reason={lacking(databasesApi.orphans) ?? lacking('server:server:read')}
        onClick={() => setOpen(true)}
      >
        Unknown databases
      </ActButton>
      <Dialog
        opened={open && !adopting}
        onClose={() => setOpen(false)}
        title="Unknown databases of a server"
        size={720}
      >
        <Stack gap={14}>
          <PickOne
            label="Server"
            mono
            placeholder="Choose a server"
            call={serversApi.list}
            nameOf={({ name }) => name}
            value={server ?? null}
            onChange={(id) => setServer(id ?? undefined)}
          />
          {server !== undefined && !data && <Text c="dimmed">{error?.message ?? 'Asking the server…'}</Text>}
          {data && (
            <SectionTable
              label="Databases that Innkeeper does not know"
              edges={false}
              rows={data.unknown}
              keyOf={({ engine, name }) => `${engine} ${name}`}
              empty="Innkeeper knows every database of this server."
              columns={[
                { title: 'Database', cell: ({ name }) => <Mono>{name}</Mono> },
                { title: 'Engine', width: 110, cell: ({ engine }) => engineWords[engine] },
                { title: 'Size', align: 'right', width: 110, cell: ({ sizeMb }) => megabytes(sizeMb) },
                {
                  title: '',
                  width: 100,
                  cell: ({ name, engine }) => (
                    <ActButton
                      size="xs"
                      variant="default"
                      aria-label={`Adopt ${name}`}
                      reason={lacking(databasesApi.adopt)}
                      onClick={() => setAdopting({ name, engine })}
                    >
                      Adopt…
                    </ActButton>
                  ),
                },
              ]}
            />
          )}
          {data?.missing.map(({ id, name, websiteId }) => (
            <Text key={id} c="red">
              The server has no {name}, a database of{' '}
              <LinkTo to="/websites/$id" params={{ id: String(websiteId) }}>
                website {websiteId}
              </LinkTo>
              .
            </Text>
          ))}
        </Stack>
      </Dialog>
      {adopting && server !== undefined && <Adopt {...adopting} server={server} close={() => setAdopting(undefined)} />}
    </>
  )
}

interface Adopting {
  name: string
  engine: Engine
  server: number
  close: () => void
}

function Adopt({ name, engine, server, close }: Adopting) {
  const initial: { websiteId: number | undefined } = { websiteId: undefined }
  const form = useCallForm(databasesApi.adopt, {
    initial,
    fixed: { server, name, engine },
    labels: { websiteId: 'Website' },
    onDone: () => {
      void readAgain(['databases', 'websites'])
      toast.success(`${name} is adopted`, 'Its accounts stay as they are on the server. Create one to use it.')
      close()
    },
  })
  const { required: _, ...website } = form.field('websiteId')
  return (
    <FormModal
      opened
      close={close}
      title={`Adopt ${name}`}
      save="Adopt database"
      form={form}
      nothing="Nothing was adopted."
    >
      <WebsiteField {...website} />
      <Text c="dimmed">
        From now on the database is moved, suspended and deleted with this website. To get rid of it, adopt it and then
        delete it: its dump stays in the trash.
      </Text>
      {form.problems.name && <Text c="red">{form.problems.name}</Text>}
    </FormModal>
  )
}
