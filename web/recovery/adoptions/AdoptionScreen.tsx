import type { AdoptionView, FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { Stack, Text } from '@mantine/core'
import { IconArchive, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { AccountSection } from './AccountSection.tsx'
import { adoptionsApi } from './api.ts'
import { Places } from './Places.tsx'
import { panels, touched } from './words.ts'

export default numbered('id', AdoptionScreen)

function AdoptionScreen({ id }: { id: number }) {
  const query = useQuery(adoptionsApi.one.query({ id }))
  const one = query.data
  return (
    <Screen
      query={query}
      title={one?.serverName ?? 'Adopted server'}
      mono
      badge={one && <StatusBadge pill state={one.status} />}
      meta={
        one && (
          <>
            <Text>{one.panel ? panels[one.panel] : 'Not looked at yet'}</Text>
            <Dot />
            <Text>
              {ago(one.createdAt)} by {one.by}
            </Text>
          </>
        )
      }
      actions={one && <Acts one={one} />}
    >
      {one && (
        <Stack gap={16}>
          {one.reason && (
            <Section title="Why it cannot be read">
              <Text>{one.reason}</Text>
            </Section>
          )}
          {one.found?.accounts.map((found) => (
            <AccountSection key={found.account.name} one={one} found={found} />
          ))}
          {one.places.length > 0 && <Places places={one.places} />}
          {one.imports.length > 0 && <Imports one={one} />}
          {one.found && <Elsewhere one={one} />}
          {one.found && one.found.others.length > 0 && <Others found={one.found} />}
        </Stack>
      )}
    </Screen>
  )
}

function Acts({ one }: { one: AdoptionView }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const open = one.elsewhere?.length
  const retire = async () => {
    const sure = await confirm({
      title: `Retire ${one.serverName}?`,
      text: one.places.some(({ status }) => status === 'accepted')
        ? 'No name leads to anything here but to websites of Innkeeper. They stay on this server: only this list ends.'
        : 'No name leads to this server any more. Remove it on the page Servers once you have ended the machine.',
      verb: 'Retire server',
    })
    if (sure && (await attempt(() => adoptionsApi.retire({ id: one.id, version: one.version }), touched)))
      toast.success('The server is retired')
  }
  const remove = async () => {
    const sure = await confirm({
      title: `Delete the list of ${one.serverName}?`,
      text: 'What was found on the server is forgotten. Its imports and the server itself stay.',
      verb: 'Delete list',
      danger: true,
    })
    if (!sure) return
    const done = await attempt(async () => {
      await adoptionsApi.remove({ id: one.id })
      return true
    }, touched)
    if (done) void navigate({ to: '/adoptions' })
  }
  return (
    <>
      {one.status === 'ready' && (
        <ActButton
          variant="default"
          leftSection={<IconArchive size={15} />}
          reason={
            lacking(adoptionsApi.retire) ??
            (open === undefined
              ? 'Which names lead to this server was not looked up yet.'
              : open
                ? `${counted(open, ['name leads', 'names lead'])} to this server.`
                : undefined)
          }
          onClick={() => void retire()}
        >
          Retire…
        </ActButton>
      )}
      <PageMenu>
        <MenuAction
          label="Look again"
          icon={<IconRefresh size={15} />}
          reason={
            lacking(adoptionsApi.lookAgain) ??
            (one.status === 'looking' || one.status === 'retired' ? `The server is ${one.status}.` : undefined)
          }
          onClick={() => void attempt(() => adoptionsApi.lookAgain({ id: one.id, version: one.version }), touched)}
        />
        <MenuAction
          label="Delete…"
          danger
          icon={<IconTrash size={15} />}
          reason={
            lacking(adoptionsApi.remove) ?? (one.status === 'looking' ? 'The server is being looked at.' : undefined)
          }
          onClick={() => void remove()}
        />
      </PageMenu>
    </>
  )
}

const Imports = ({ one }: { one: AdoptionView }) => (
  <Section title="Came over" hint="imports of websites of this server" pad={false}>
    <SectionTable
      label="Imports of this server"
      rows={one.imports}
      keyOf={({ id }) => String(id)}
      empty="Nothing came over yet."
      columns={[
        {
          title: 'Account',
          cell: ({ id, account, websites }) => (
            <div>
              <LinkTo to="/archive-imports/$id" params={{ id: String(id) }}>
                {account}
              </LinkTo>
              <Text c="dimmed" fz="xs">
                {websites.join(', ')}
              </Text>
            </div>
          ),
        },
        { title: 'To', width: 160, cell: ({ serverName }) => <Mono>{serverName}</Mono> },
        { title: 'Status', width: 180, cell: ({ status }) => <StatusBadge state={status} /> },
      ]}
    />
  </Section>
)

function Elsewhere({ one }: { one: AdoptionView }) {
  const lacking = useReason()
  return (
    <Section
      title="Still elsewhere"
      hint={one.checkedAt ? `looked up ${ago(one.checkedAt)}` : 'being looked up'}
      pad={false}
      aside={
        one.status === 'ready' && (
          <ActButton
            variant="default"
            size="xs"
            reason={lacking(adoptionsApi.check)}
            onClick={() => void attempt(() => adoptionsApi.check({ id: one.id }), touched)}
          >
            Look up now
          </ActButton>
        )
      }
    >
      <SectionTable
        label="Names that lead to this server"
        rows={one.elsewhere ?? []}
        keyOf={({ what, name, now }) => `${what} ${name} ${now.join()}`}
        empty={one.elsewhere ? 'No name leads to this server.' : 'The names are looked up soon.'}
        columns={[
          { title: 'What', width: 110, cell: ({ what }) => <Text c="dimmed">{whats[what]}</Text> },
          { title: 'Name', cell: ({ name }) => <Mono>{name}</Mono> },
          { title: 'Leads to', cell: ({ now }) => <Mono>{now.join(', ')}</Mono> },
          { title: 'Zone here', width: 200, cell: ({ zone }) => <Mono>{zone ?? '–'}</Mono> },
        ]}
      />
    </Section>
  )
}
const whats = { website: 'Website', mail: 'Mail', record: 'Record', zone: 'Name server' } as const

const Others = ({ found }: { found: FoundMachine }) => (
  <Section title="Left alone" hint="runs there and is no website that can be carried" pad={false}>
    <SectionTable
      label="What is left alone"
      rows={found.others}
      keyOf={({ kind, name, why }) => `${kind} ${name} ${why}`}
      empty="Nothing else runs there."
      columns={[
        { title: 'What', width: 110, cell: ({ kind }) => <Text c="dimmed">{kind}</Text> },
        { title: 'Name', cell: ({ name }) => <Mono>{name}</Mono> },
        { title: 'Why', cell: ({ why }) => <Text fz="xs">{why}</Text> },
      ]}
    />
  </Section>
)
