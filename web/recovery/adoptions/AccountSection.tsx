import type { AdoptionView, FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { Checkbox, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { serversApi } from '../../machines/servers/api.ts'
import { adoptionsApi } from './api.ts'
import { PlaceModal } from './PlaceModal.tsx'
import { touched } from './words.ts'

type Account = FoundMachine['accounts'][number]
interface Line {
  key: string
  what: 'Website' | 'Database' | 'Mail domain'
  name: string
  detail: string
}

const linesOf = ({ websites, databases, mail }: Account): Line[] => [
  ...websites.map(({ domain, aliases, root, phpVersion, suspended }) => ({
    ...{ key: `website:${domain}`, what: 'Website' as const, name: domain },
    detail: [
      root,
      ...(phpVersion ? [`PHP ${phpVersion}`] : []),
      ...(aliases.length ? [`also ${aliases.join(', ')}`] : []),
      ...(suspended ? ['suspended'] : []),
    ].join(', '),
  })),
  ...databases.map(({ name, engine, users }) => ({
    ...{ key: `database:${name}`, what: 'Database' as const, name },
    detail: [engine, ...users.map((user) => user.name)].join(', '),
  })),
  ...mail.map(({ domain, mailboxes }) => ({
    ...{ key: `mail:${domain}`, what: 'Mail domain' as const, name: domain },
    detail: mailboxes.map(({ name }) => name).join(', '),
  })),
]

/** An account of the machine: what people choose of it comes to a server, as an import of its own. */
export function AccountSection({ one, found }: { one: AdoptionView; found: Account }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { busy, run } = useAct()
  const [serverId, setServerId] = useState<number | null>(null)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [error, setError] = useState<ApiError>()
  const [place, setPlace] = useState<string>()
  const lines = linesOf(found)
  const { name } = found.account
  const toggle = (key: string) =>
    setLeft((now) => (now.has(key) ? new Set([...now].filter((other) => other !== key)) : new Set([...now, key])))
  const isPlaced = (domain: string) =>
    one.places.some((place) => place.domain === domain.toLowerCase() && place.status !== 'undone')
  const chosen = (what: Line['what']) =>
    lines.filter((line) => line.what === what && !left.has(line.key)).map((line) => line.name)
  const go = async () => {
    setError(undefined)
    try {
      const { importId } = await adoptionsApi.bring({
        ...{ id: one.id, serverId: serverId ?? 0, account: name },
        // all of it: zones and cron jobs come along
        ...(left.size && { websites: chosen('Website'), databases: chosen('Database'), mail: chosen('Mail domain') }),
      })
      void readAgain(touched)
      void navigate({ to: '/archive-imports/$id', params: { id: String(importId) } })
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown)
    }
  }
  return (
    <Section title={`Account ${name}`} pad={false}>
      {place !== undefined && (
        <PlaceModal id={one.id} account={name} website={place} close={() => setPlace(undefined)} />
      )}
      <SectionTable
        label={`Account ${name}`}
        rows={lines}
        keyOf={({ key }) => key}
        empty="The account has neither websites nor mail."
        columns={[
          {
            title: 'Bring',
            width: 60,
            cell: ({ key, name: called }) => (
              <Checkbox
                aria-label={`Bring ${called} of ${name}`}
                checked={!left.has(key)}
                onChange={() => toggle(key)}
              />
            ),
          },
          { title: 'What', width: 120, cell: ({ what }) => <Text c="dimmed">{what}</Text> },
          {
            title: 'Name',
            cell: ({ name: called, detail }) => (
              <div>
                <Mono>{called}</Mono>
                <Text c="dimmed" fz="xs">
                  {detail}
                </Text>
              </div>
            ),
          },
          ...(one.status === 'ready'
            ? [
                {
                  title: 'In place',
                  width: 140,
                  cell: ({ key, what, name: called }: Line) =>
                    what === 'Website' && (
                      <ActButton
                        key={key}
                        variant="default"
                        size="xs"
                        aria-label={`Take over ${called} of ${name} where it lies`}
                        reason={lacking(adoptionsApi.take) ?? (isPlaced(called) ? 'Was taken over.' : undefined)}
                        onClick={() => setPlace(called)}
                      >
                        Take over…
                      </ActButton>
                    ),
                },
              ]
            : []),
        ]}
      />
      {one.status === 'ready' && lines.length > 0 && (
        <Stack gap={12} p={16} maw={640}>
          <PickOne
            label={`Server for ${name}`}
            placeholder="Search servers"
            mono
            call={serversApi.list}
            nameOf={({ name: called }) => called}
            hint={({ type }) => type}
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
          <div>
            <ActButton
              loading={busy}
              reason={
                lacking(adoptionsApi.bring) ??
                (serverId === null
                  ? 'Choose a server first.'
                  : left.size === lines.length
                    ? 'Choose what comes first.'
                    : undefined)
              }
              onClick={() => void run(go)}
            >
              Bring {name}
            </ActButton>
          </div>
          <Text c="dimmed" fz="xs">
            The import shows its plan before anything is made. The old server is read and not changed.
          </Text>
        </Stack>
      )}
    </Section>
  )
}
