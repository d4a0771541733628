import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Vhost } from '@innkeeper/contract/net/vhosts/shapes'
import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notSwitchable } from '../../../hosting/websites/page/switching.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { vhostsApi } from '../api.ts'
import { Seen } from '../columns.tsx'
import { Traffic } from '../traffic/Traffic.tsx'
import { CdnActs } from './CdnActs.tsx'
import { type CdnDialog, CdnDialogs } from './CdnDialogs.tsx'
import { putBehind } from './cdnActs.ts'

/** The edges of a website: addresses, settings and traffic. */
export default function EdgesOfSite({ website }: { website: Website }) {
  const { data, error } = useQuery(vhostsApi.list.query({ website: [website.id] }))
  const [asked, ask] = useState<CdnDialog>()
  const vhost = data?.items[0]
  return (
    <Section
      title="CDN"
      hint={error?.message}
      aside={
        vhost ? (
          <PageMenu label="Actions of the edges">
            <CdnActs vhost={vhost} ask={ask} />
          </PageMenu>
        ) : (
          data && <Begin website={website} begin={() => ask({ what: 'turn', turn: putBehind(website) })} />
        )
      }
    >
      {vhost ? (
        <About vhost={vhost} />
      ) : (
        <Text c="dimmed">
          {data ? (
            'Off. An edge would cache its pages and show them while its server is busy or unreachable.'
          ) : error ? (
            'It could not be read.'
          ) : (
            <Reading />
          )}
        </Text>
      )}
      <CdnDialogs asked={asked} close={() => ask(undefined)} />
    </Section>
  )
}

function Begin({ website, begin }: { website: Website; begin: () => void }) {
  const lacking = useReason()
  const suspended = website.status === 'suspended' ? `${website.domain} is suspended: activate it first.` : undefined
  return (
    <ActButton size="xs" reason={lacking(vhostsApi.create) ?? notSwitchable(website) ?? suspended} onClick={begin}>
      Put behind an edge…
    </ActButton>
  )
}

/** The rules in words; omits kinds without a rule. */
function ruleFacts({ locked, users, paths, redirects, headers, errors, allow, deny }: Vhost['rules']) {
  const counted = (n: number, one: string, many: string) => (n ? `${count(n)} ${n === 1 ? one : many}` : [])
  const rules = [
    counted(paths.length, 'path', 'paths'),
    counted(redirects.length, 'redirect', 'redirects'),
    counted(headers.length, 'header', 'headers'),
    errors.length ? `own pages for ${errors.map(({ status }) => status).join(', ')}` : [],
  ].flat()
  const visitors = [
    locked ? `with a password (${users.join(', ')})` : [],
    allow.length ? `only from ${allow.length > 3 ? `${count(allow.length)} networks` : allow.join(', ')}` : [],
    deny.length ? `not from ${deny.length > 3 ? `${count(deny.length)} networks` : deny.join(', ')}` : [],
  ].flat()
  const facts: [string, React.ReactNode][] = []
  if (rules.length) facts.push(['Rules', rules.join(', ')])
  if (visitors.length) facts.push(['Visitors', visitors.join('; ')])
  return facts
}

const About = ({ vhost: { id, edges, cdn, minutes, stale, rules, originAddress, originName } }: { vhost: Vhost }) => (
  <Stack gap={14}>
    <Facts
      of={[
        [
          'Pages',
          cdn
            ? `kept for ${count(minutes)} min${stale ? ', and longer while its server fails' : ''}`
            : 'passed on, not cached',
        ],
        ...(cdn && rules.cookies.length
          ? [['Cookies that change no page', rules.cookies.join(', ')] satisfies [string, React.ReactNode]]
          : []),
        ...ruleFacts(rules),
        [
          'Fetched from',
          <Mono key="origin">{`${originAddress} (${originName})${rules.fetch === 'https' ? ', over TLS, certificate checked' : ''}`}</Mono>,
        ],
        ...edges.map(({ network, serverName, address, state, seen }): [string, React.ReactNode] => [
          network.toUpperCase(),
          <Group key={network} gap={10}>
            <Mono>{`${address ?? 'no address'} (${serverName})`}</Mono>
            {state === 'live' ? (
              <Seen seen={seen} />
            ) : (
              <StatusBadge state={state === 'coming' ? 'creating' : 'deleting'} />
            )}
          </Group>,
        ]),
      ]}
    />
    <Traffic vhostId={id} />
  </Stack>
)
